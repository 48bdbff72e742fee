// tests/unit/generator/frontend/FoldOperators_test.cpp: which combines are known to have no order.
#include "parsed.hpp"

#include <gtest/gtest.h>

using namespace foldwise;

namespace {

struct Case {
    std::string lambda;
    FoldOperator operation;
    std::string type = "float";
};

/// Of reductions with these combines, after `before`.
void expectOperators(const std::vector<Case>& cases, const std::string& before = "") {
    std::string text = before + "\n";
    for (std::size_t i = 0; i < cases.size(); ++i)
        text += "auto f" + std::to_string(i) + " = foldwise::reduce<" + cases[i].type + ">(" + cases[i].lambda +
                ", foldwise::no_identity);\n";
    const Parsed parsed = parse(text);
    for (std::size_t i = 0; i < cases.size(); ++i) {
        const Fold& fold = parsed.kernel("f" + std::to_string(i)).signatures[0].fold.value();
        EXPECT_EQ(fold.operation, cases[i].operation) << cases[i].lambda;
        EXPECT_EQ(fold.commutes, cases[i].operation != FoldOperator::Other) << cases[i].lambda;
    }
}

TEST(FoldOperators, OfNumbersAreRecognised) {
    expectOperators({{"[](float a, float b) { return a + b; }", FoldOperator::Sum},
                     {"[](auto a, auto b) { return b * a; }", FoldOperator::Product},
                     {"[](int a, int b) { return a & b; }", FoldOperator::BitAnd, "int"},
                     {"[](int a, int b) { return (a | b); }", FoldOperator::BitOr, "int"},
                     {"[](auto a, auto b) { return a ^ b; }", FoldOperator::BitXor, "unsigned short"},
                     {"[](bool a, bool b) { return a && b; }", FoldOperator::LogicalAnd, "bool"},
                     {"[](bool a, bool b) { return b || a; }", FoldOperator::LogicalOr, "bool"},
                     {"[](auto a, auto b) { return a + b; }", FoldOperator::Sum, "foldwise::half"},
                     {"[](auto a, auto b) { return a * b; }", FoldOperator::Product, "foldwise::bfloat16"}});
}

TEST(FoldOperators, MinimaAndMaximaHaveManyForms) {
    expectOperators({{"[](float a, float b) { return a < b ? a : b; }", FoldOperator::Minimum},
                     {"[](float a, float b) { return a < b ? b : a; }", FoldOperator::Maximum},
                     {"[](float a, float b) { return b >= a ? a : b; }", FoldOperator::Minimum},
                     {"[](float a, float b) { return a > b ? a : b; }", FoldOperator::Maximum},
                     {"[](int a, int b) { if (a < b) return b; return a; }", FoldOperator::Maximum, "int"},
                     {"[](int a, int b) { if (a < b) { return a; } else { return b; } }", FoldOperator::Minimum, "int"},
                     {"[](float a, float b) { return std::min(a, b); }", FoldOperator::Minimum},
                     {"[](float a, float b) { return std::fmax(a, b); }", FoldOperator::Maximum},
                     {"[](float a, float b) { return fminf(b, a); }", FoldOperator::Minimum}},
                    "#include <algorithm>\n#include <cmath>");
}

TEST(FoldOperators, OfTheLibraryAreObjectsToo) {
    expectOperators({{"[](auto a, auto b) { return std::plus<>()(a, b); }", FoldOperator::Sum},
                     {"[](auto a, auto b) { return std::bit_xor<>{}(b, a); }", FoldOperator::BitXor, "int"},
                     {"[](auto a, auto b) { return std::minus<>()(a, b); }", FoldOperator::Other}},
                    "#include <functional>");
}

TEST(FoldOperators, TheParametersAreBothUsedOnce) {
    expectOperators({{"[](float a, float) { return a + a; }", FoldOperator::Other},
                     {"[](float a, float b) { return a + b + 1; }", FoldOperator::Other},
                     {"[](float a, float b) { return a - b; }", FoldOperator::Other},
                     {"[](float a, float b) { return a < b ? a : 0; }", FoldOperator::Other},
                     {"[](float a, float b) { return a == b ? a : b; }", FoldOperator::Other},
                     {"[](float a, float b) { b += 1; return a + b; }", FoldOperator::Other},
                     {"[](int a, int b) { if (a < b) return b; a += b; return a; }", FoldOperator::Other, "int"}});
}

TEST(FoldOperators, ACastIsSeenThroughUnlessItRounds) {
    expectOperators(
        {{"[](auto a, auto b) { return static_cast<decltype(a)>(a + b); }", FoldOperator::Sum, "short"},
         {"[](float a, float b) { return static_cast<float>(static_cast<int>(a + b)); }", FoldOperator::Other},
         {"[](float a, float b) -> int { return a + b; }", FoldOperator::Other}});
}

TEST(FoldOperators, OfTheUsersOwnTypesAreUnknown) {
    expectOperators({{"[](mod7 a, mod7 b) { return a + b; }", FoldOperator::Other, "mod7"},
                     {"[](float a, float b) { return min(a, b); }", FoldOperator::Other}},
                    "struct mod7 { unsigned v; };\n"
                    "constexpr mod7 operator+(mod7 a, mod7 b) { return {(a.v + b.v) % 7}; }\n"
                    "constexpr float min(float a, float b) { return b; }");
}

TEST(FoldOperators, WhatIsStatedCommutesToo) {
    const std::string strange = "[](unsigned a, unsigned b) { return a * b + a + b; }, foldwise::no_identity";
    const Parsed parsed = parse("auto f = foldwise::reduce<unsigned>(" + strange + ");\n" +
                                "auto g = foldwise::reduce<unsigned>(" + strange + ", foldwise::commutative);");
    EXPECT_FALSE(parsed.kernel("f").signatures[0].fold->commutes);
    EXPECT_TRUE(parsed.kernel("g").signatures[0].fold->commutes);
}

}  // namespace
