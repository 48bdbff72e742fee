// tests/unit/generator/frontend/CoreLayout_test.cpp: layouts as they are parsed, and errors in them.
#include "frontend/CoreLayout.hpp"

#include <gtest/gtest.h>

using namespace foldwise;

using numbers = std::vector<std::vector<std::uint32_t>>;

static CoreLayout read(const std::string& text) {
    const auto found = readLayout(text);
    if (const auto* mistake = std::get_if<LayoutMistake>(&found)) ADD_FAILURE() << text << ": " << mistake->text;
    return std::holds_alternative<CoreLayout>(found) ? std::get<CoreLayout>(found) : CoreLayout{};
}

/// "3: expected ..."
static std::string mistakeIn(const std::string& text) {
    const auto found = readLayout(text);
    if (std::holds_alternative<CoreLayout>(found)) return "none";
    const auto& mistake = std::get<LayoutMistake>(found);
    return std::to_string(mistake.at) + ": " + mistake.text;
}

TEST(CoreLayout, NamesMeanOneDimensionWhereverTheyStand) {
    const CoreLayout product = read("(m,n),(n,p)->(m,p)");
    EXPECT_EQ(product.dimensions, (std::vector<CoreDimension>{{"m", 0}, {"n", 0}, {"p", 0}}));
    EXPECT_EQ(product.operands, (numbers{{0, 1}, {1, 2}, {0, 2}}));
    EXPECT_EQ(product.inputs, 2u);
}

TEST(CoreLayout, NumbersAndSingleValues) {
    const CoreLayout cross = read("(3),(3)->(3),()");
    EXPECT_EQ(cross.dimensions, (std::vector<CoreDimension>{{"", 3}}));
    EXPECT_EQ(cross.operands, (numbers{{0}, {0}, {0}, {}}));
    EXPECT_EQ(read("->(n)").inputs, 0u);
    EXPECT_EQ(read("()->()").operands, (numbers{{}, {}}));
}

TEST(CoreLayout, BlanksDoNotMatter) {
    EXPECT_EQ(read(" ( m , n_1 ) , ( ) -> ( m ) ").operands, read("(m,n_1),()->(m)").operands);
    EXPECT_EQ(read("(_a)->()").dimensions.front().name, "_a");
}

TEST(CoreLayout, MistakesHaveTheirPlace) {
    EXPECT_EQ(mistakeIn(""), "0: expected '(', with which the core dimensions of an operand begin");
    EXPECT_EQ(mistakeIn("m,n->()"), "0: expected '(', with which the core dimensions of an operand begin");
    EXPECT_EQ(mistakeIn("(m"), "2: expected ',' or ')'");
    EXPECT_EQ(mistakeIn("(m,)->()"), "3: expected the name of a dimension, or a number");
    EXPECT_EQ(mistakeIn("(m n)->()"), "3: expected ',' or ')'");
    EXPECT_EQ(mistakeIn("(m)"), "3: expected ',' or '->'");
    EXPECT_EQ(mistakeIn("(m)->"), "5: expected '(', with which the core dimensions of an operand begin");
    EXPECT_EQ(mistakeIn("(m)->()x"), "7: expected ',' or the end");
    EXPECT_EQ(mistakeIn("(m)->()->()"), "7: expected ',' or the end");
    EXPECT_EQ(mistakeIn("(0)->()"), "1: '0' is neither a name nor a number from 1 to 4294967295");
    EXPECT_EQ(mistakeIn("(4294967296)->()"), "1: '4294967296' is neither a name nor a number from 1 to 4294967295");
    EXPECT_EQ(mistakeIn("(3d)->()"), "1: '3d' is neither a name nor a number from 1 to 4294967295");
    EXPECT_EQ(mistakeIn("(n?)->()"), "2: dimensions that may be missing are not supported");
    EXPECT_EQ(mistakeIn("(a,b,c,d,e,f,g,h,i)->()"),
              "19: an operand has 9 core dimensions, and arrays have up to 8 axes");
}

TEST(CoreLayout, ThereIsRoomForSoManyDimensions) {
    const auto layoutOf = [](int dimensions) {
        std::string text;
        for (int i = 0; i < dimensions; ++i) text += (i > 0 ? "," : "") + ("(d" + std::to_string(i) + ")");
        return text + "->()";
    };
    EXPECT_EQ(read(layoutOf(64)).dimensions.size(), 64u);
    EXPECT_NE(mistakeIn(layoutOf(65)).find("it has 65 different dimensions, and there is room for 64"),
              std::string::npos);
}
