// tests/unit/generator/frontend/LowerBlocks_test.cpp: the model of `blocks` kernels, and the marks in their text.
#include "parsed.hpp"

#include <gtest/gtest.h>

#include <llvm/ADT/STLExtras.h>

using namespace foldwise;

static const std::string text = "([](foldwise::block<1> b, foldwise::view<float, 1> x) {"
                                "auto mine = b.own(0.0f); auto s = b.shared<float, 4>();"
                                "b.each([&](foldwise::index<1> t) { mine[t] = x[t]; });"
                                "b.once([&] { s[0] = 0; });"
                                "const float sum = b.fold(mine, [](float p, float q) { return p + q; });"
                                "b.each([&](foldwise::index<1> t) { x[t] = sum + s[0]; }); });";

static BlocksSpec blocksOf(const std::string& extents) {
    return parse("auto f = foldwise::blocks<" + extents + ">" + text).kernel("f").as<BlocksSpec>();
}

/// The items of a thread that the text says, wherever it works on items.
static std::vector<std::uint32_t> itemsInText(const BlocksSpec& spec) {
    std::vector<std::uint32_t> all;
    for (const Mark& mark : spec.body.marks)
        if (mark.kind == MarkKind::BlockCall) all.push_back(mark.number);
    return all;
}

TEST(LowerBlocks, KnowsTheBlock) {
    const BlocksSignature signature = blocksOf("100").signatures.at(0);
    EXPECT_EQ(signature.text, "void(block<1> b, view<float, 1> x)");
    EXPECT_EQ(signature.indexRank, 1u);
    EXPECT_EQ(signature.extents, std::vector<std::uint64_t>{100});
    EXPECT_EQ(signature.threads, 128u);
}

TEST(LowerBlocks, TheTextSaysHowManyItemsAThreadHas) {
    EXPECT_EQ(itemsInText(blocksOf("256")), (std::vector<std::uint32_t>{1, 1, 1, 1})) << "own, two phases and a fold";
    EXPECT_EQ(itemsInText(blocksOf("1000")), (std::vector<std::uint32_t>{4, 4, 4, 4}));
    EXPECT_EQ(itemsInText(blocksOf("16384")), (std::vector<std::uint32_t>{16, 16, 16, 16}));
}

TEST(LowerBlocks, AFunctionWithANameHasOneItemInEachThread) {
    const std::string function = "inline void g(foldwise::block<1> b, foldwise::view<float, 1> x) {"
                                 "b.each([&](foldwise::index<1> t) { x[t] = 0; }); }\n";
    const Parsed some = parse(function + "auto f = foldwise::blocks<600>(g);");
    ASSERT_TRUE(some.ok) << some.messages;
    EXPECT_EQ(some.kernel("f").as<BlocksSpec>().signatures.at(0).threads, 608u);
    const Parsed many = parse(function + "auto f = foldwise::blocks<2000>(g);");
    EXPECT_FALSE(many.ok);
    EXPECT_NE(many.messages.find("FW090"), std::string::npos) << many.messages;
}
