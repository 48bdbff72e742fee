// tests/unit/generator/frontend/CombineOperators_test.cpp: which combines are recognised as operators whose operands
// can be reordered.
#include "parsed.hpp"

#include <gtest/gtest.h>

using namespace foldwise;

namespace {

struct OperatorCase {
    std::string lambda;
    CombineOperator operation;
    std::string type = "float";
};

/// Expects reductions with these combines to have these operators; `before` is the text before them in the spec.
void expectOperators(const std::vector<OperatorCase>& cases, const std::string& before = "") {
    std::string text = before + "\n";
    for (std::size_t i = 0; i < cases.size(); ++i)
        text += "auto f" + std::to_string(i) + " = foldwise::reduce<" + cases[i].type + ">(" + cases[i].lambda +
                ", foldwise::no_identity);\n";
    const Parsed parsed = parse(text);
    for (std::size_t i = 0; i < cases.size(); ++i) {
        const Fold& fold = parsed.kernel("f" + std::to_string(i)).as<ReduceSpec>().signatures[0].fold;
        EXPECT_EQ(fold.operation, cases[i].operation) << cases[i].lambda;
        EXPECT_EQ(fold.commutes, cases[i].operation != CombineOperator::Other) << cases[i].lambda;
    }
}

TEST(CombineOperators, OfNumbersAreRecognised) {
    expectOperators({{"[](float a, float b) { return a + b; }", CombineOperator::Sum},
                     {"[](auto a, auto b) { return b * a; }", CombineOperator::Product},
                     {"[](int a, int b) { return a & b; }", CombineOperator::BitAnd, "int"},
                     {"[](int a, int b) { return (a | b); }", CombineOperator::BitOr, "int"},
                     {"[](auto a, auto b) { return a ^ b; }", CombineOperator::BitXor, "unsigned short"},
                     {"[](bool a, bool b) { return a && b; }", CombineOperator::LogicalAnd, "bool"},
                     {"[](bool a, bool b) { return b || a; }", CombineOperator::LogicalOr, "bool"},
                     {"[](auto a, auto b) { return a + b; }", CombineOperator::Sum, "foldwise::half"},
                     {"[](auto a, auto b) { return a * b; }", CombineOperator::Product, "foldwise::bfloat16"}});
}

TEST(CombineOperators, MinimaAndMaximaHaveManyForms) {
    expectOperators(
        {{"[](float a, float b) { return a < b ? a : b; }", CombineOperator::Minimum},
         {"[](float a, float b) { return a < b ? b : a; }", CombineOperator::Maximum},
         {"[](float a, float b) { return b >= a ? a : b; }", CombineOperator::Minimum},
         {"[](float a, float b) { return a > b ? a : b; }", CombineOperator::Maximum},
         {"[](int a, int b) { if (a < b) return b; return a; }", CombineOperator::Maximum, "int"},
         {"[](int a, int b) { if (a < b) { return a; } else { return b; } }", CombineOperator::Minimum, "int"},
         {"[](float a, float b) { return std::min(a, b); }", CombineOperator::Minimum},
         {"[](float a, float b) { return std::fmax(a, b); }", CombineOperator::Maximum},
         {"[](float a, float b) { return fminf(b, a); }", CombineOperator::Minimum}},
        "#include <algorithm>\n#include <cmath>");
}

TEST(CombineOperators, OfTheLibraryAreObjectsToo) {
    expectOperators({{"[](auto a, auto b) { return std::plus<>()(a, b); }", CombineOperator::Sum},
                     {"[](auto a, auto b) { return std::bit_xor<>{}(b, a); }", CombineOperator::BitXor, "int"},
                     {"[](auto a, auto b) { return std::minus<>()(a, b); }", CombineOperator::Other}},
                    "#include <functional>");
}

TEST(CombineOperators, TheParametersAreBothUsedOnce) {
    expectOperators({{"[](float a, float) { return a + a; }", CombineOperator::Other},
                     {"[](float a, float b) { return a + b + 1; }", CombineOperator::Other},
                     {"[](float a, float b) { return a - b; }", CombineOperator::Other},
                     {"[](float a, float b) { return a < b ? a : 0; }", CombineOperator::Other},
                     {"[](float a, float b) { return a == b ? a : b; }", CombineOperator::Other},
                     {"[](float a, float b) { b += 1; return a + b; }", CombineOperator::Other},
                     {"[](int a, int b) { if (a < b) return b; a += b; return a; }", CombineOperator::Other, "int"}});
}

TEST(CombineOperators, ACastIsSeenThroughUnlessItRounds) {
    expectOperators(
        {{"[](auto a, auto b) { return static_cast<decltype(a)>(a + b); }", CombineOperator::Sum, "short"},
         {"[](float a, float b) { return static_cast<float>(static_cast<int>(a + b)); }", CombineOperator::Other},
         {"[](float a, float b) -> int { return a + b; }", CombineOperator::Other}});
}

TEST(CombineOperators, OfTheUsersOwnTypesAreUnknown) {
    expectOperators({{"[](mod7 a, mod7 b) { return a + b; }", CombineOperator::Other, "mod7"},
                     {"[](float a, float b) { return min(a, b); }", CombineOperator::Other}},
                    "struct mod7 { unsigned v; };\n"
                    "constexpr mod7 operator+(mod7 a, mod7 b) { return {(a.v + b.v) % 7}; }\n"
                    "constexpr float min(float a, float b) { return b; }");
}

TEST(CombineOperators, WhatIsStatedCommutesToo) {
    const std::string strange = "[](unsigned a, unsigned b) { return a * b + a + b; }, foldwise::no_identity";
    const Parsed parsed = parse("auto f = foldwise::reduce<unsigned>(" + strange + ");\n" +
                                "auto g = foldwise::reduce<unsigned>(" + strange + ", foldwise::commutative);");
    EXPECT_FALSE(parsed.kernel("f").as<ReduceSpec>().signatures[0].fold.commutes);
    EXPECT_TRUE(parsed.kernel("g").as<ReduceSpec>().signatures[0].fold.commutes);
}

}  // namespace
