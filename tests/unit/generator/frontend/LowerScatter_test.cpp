// tests/unit/generator/frontend/LowerScatter_test.cpp: the model of scattered folds, and of whole arrays.
#include "parsed.hpp"

#include <gtest/gtest.h>

using namespace foldwise;

static const std::string addition = "[](auto a, auto b) { return a + b; }, foldwise::identity(0)";

/// The kernel `f = foldwise::scatter<types>(map, addition)`.
static ScatterSpec scattered(const std::string& types, const std::string& map, const std::string& parts = addition) {
    return parse("#include <array>\nauto f = foldwise::scatter<" + types + ">(foldwise::map(" + map + "), " + parts +
                 ");")
        .kernel("f")
        .as<ScatterSpec>();
}

TEST(LowerScatter, OnePlaceOfAnInteger) {
    const ScatterSignature one = scattered("long(short)", "[](short x) { return foldwise::at(x, 1); }").signatures[0];
    EXPECT_EQ(one.text, "std::int64_t(std::int16_t x)");
    EXPECT_EQ(one.placeAxes, 1u);
    EXPECT_EQ(one.placeCount, 0u);
    EXPECT_EQ(one.fold.accumulator.name, "std::int64_t");
    EXPECT_EQ(one.fold.operation, CombineOperator::Sum);
    EXPECT_TRUE(isAtomic(one) && isExact(one));
}

TEST(LowerScatter, SeveralPlacesOfSeveralAxes) {
    const ScatterSignature two =
        scattered(
            "double(double)",
            "[](foldwise::index<2> at, double x) { return std::array{foldwise::at(at, x), foldwise::at(at, 2 * x)}; }")
            .signatures[0];
    EXPECT_EQ(two.indexRank, 2u);
    EXPECT_EQ(two.placeAxes, 2u);
    EXPECT_EQ(two.placeCount, 2u);
    EXPECT_TRUE(isAtomic(two));
    EXPECT_FALSE(isExact(two)) << "sums of floats depend on their order";
}

TEST(LowerScatter, WhatHasNoAtomicOperationIsOrdered) {
    const std::string map = "[](int x) { return foldwise::at(x, x); }";
    const auto first = scattered("int(int)", map, "[](int a, int b) { return b; }, foldwise::identity(0)");
    EXPECT_FALSE(isAtomic(first.signatures[0])) << "the order matters";
    const auto least =
        scattered("float(int)", map, "[](float a, float b) { return b < a ? b : a; }, foldwise::highest");
    EXPECT_TRUE(isAtomic(least.signatures[0]) && isExact(least.signatures[0]));
}

TEST(LowerScatter, WholeArraysStandBesideElements) {
    const ScatterSignature gathered =
        scattered("float(int, foldwise::view<const float, 2>)",
                  "[](int x, foldwise::view<const float, 2> table) { return foldwise::at(x, table(x, 0)); }")
            .signatures[0];
    ASSERT_EQ(gathered.inputs.size(), 2u);
    EXPECT_FALSE(gathered.inputs[0].isWhole());
    EXPECT_EQ(gathered.inputs[1].rank, 2u);
    EXPECT_EQ(gathered.inputs[1].type.name, "float");
    EXPECT_EQ(gathered.text, "float(std::int32_t x, view<const float, 2> table)");
}
