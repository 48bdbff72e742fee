// tests/unit/generator/frontend/ElementwiseTasks_test.cpp: forall kernels whose tasks use their index for nothing but
// to name elements.
#include "parsed.hpp"

#include <gtest/gtest.h>

using namespace foldwise;

/// Whether a kernel with these statements is elementwise. Its tasks have two axes, `x` and `out` are matrices, `row` is
/// a vector, and `scale` a number.
static bool isElementwise(const std::string& statements) {
    return parse("auto f = foldwise::forall([](foldwise::index<2> at, foldwise::view<const float, 2> x, "
                 "foldwise::view<const float, 1> row, float scale, foldwise::view<float, 2> out) { " +
                 statements + " });")
        .kernel("f")
        .as<ForallSpec>()
        .signatures.front()
        .isElementwise;
}

TEST(ElementwiseTasks, NameElementsByCoordinatesOfTheirIndex) {
    EXPECT_TRUE(isElementwise("out[at] = scale * x[at] + row(at[1]);"));
    EXPECT_TRUE(isElementwise("out(at[0], at[1]) = x(at[1], at[0]) + row(at[0]);"));
    EXPECT_TRUE(isElementwise("const auto [r, c] = at; out(r, c) = x(c, r) * row(r);"));
    EXPECT_TRUE(isElementwise("const auto r = at[0]; const int c = at[1]; out(r, c) = x(r, c) - row(c);"));
    EXPECT_TRUE(isElementwise("out[at] += x[at] * row(at[1]);"));
    EXPECT_TRUE(isElementwise("const float v = x[at] * row(at[1]); out[at] = v > 0 ? v : scale;"));
}

TEST(ElementwiseTasks, WriteSomething) {
    const auto elementwise = [](const std::string& lambda) {
        const Parsed parsed = parse("auto f = foldwise::forall(" + lambda + ");");
        return parsed.kernel("f").as<ForallSpec>().signatures.front().isElementwise;
    };
    EXPECT_FALSE(elementwise("[](foldwise::index<1> i, foldwise::view<const float, 1> x) { "
                             "if (x[i] < 0) foldwise::fail(\"negative\"); }"));
    EXPECT_FALSE(elementwise("[](foldwise::index<1>) {}"));
    EXPECT_TRUE(elementwise("[](foldwise::index<1> i, foldwise::view<float, 1> x) { x[i] = 1; }"));
}

TEST(ElementwiseTasks, DoNotComputeWithTheirIndex) {
    EXPECT_FALSE(isElementwise("out[at] = x[at] * row(at[1]) + at[0];"));
    EXPECT_FALSE(isElementwise("const auto [r, c] = at; out[at] = r > c ? x[at] : row(c);"));
    EXPECT_FALSE(isElementwise("const auto r = at[0]; out[at] = x[at] * row(r) * r;"));
    EXPECT_FALSE(isElementwise("auto other = at; out[at] = x[other] * row(at[1]);"));
    EXPECT_FALSE(isElementwise("if (at[0] > 3) return; out[at] = x[at] * row(at[1]);"));
    EXPECT_FALSE(isElementwise("out[at] = x[at] * row(at[1] + 1);"));
    EXPECT_FALSE(isElementwise("const auto pick = [&](long r) { return row(r); }; out[at] = x[at] * pick(at[1]);"));
}

TEST(ElementwiseTasks, AskNothingElseOfViews) {
    EXPECT_FALSE(isElementwise("out[at] = x[at] * row(at[1]) / x.extent(0);"));
    EXPECT_FALSE(isElementwise("out[at] = x(at[0], 0) * row(at[1]);"));
    EXPECT_FALSE(isElementwise("out[at] = x[at] * (&row(at[1]))[1];"));
    EXPECT_FALSE(isElementwise("out[at] = x(at[0], at[0]) * row(at[1]);"));
    EXPECT_FALSE(isElementwise("out[at] = x[at] * x(at[1], at[0]) * row(at[1]);"))
        << "two elements of one view for each task";
    EXPECT_FALSE(isElementwise("out[at] = x[at];")) << "nothing is known of a view that is not used";
}
