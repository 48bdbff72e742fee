// tests/unit/generator/frontend/LowerStencil_test.cpp: the model of stencils: their reach and their operands.
#include "parsed.hpp"

#include <gtest/gtest.h>

using namespace foldwise;

/// The only signature of the kernel `f`, which is made by stencil(what, wrap); `before` stands before it.
static StencilSignature stencilOf(const std::string& what, const std::string& before = "") {
    const StencilSpec kernel = parse("using row = foldwise::around<const float, 1>;\n"
                                     "using plane = foldwise::around<const float, 2>;\n" +
                                     before + "auto f = foldwise::stencil(" + what + ", foldwise::edge::wrap);")
                                   .kernel("f")
                                   .as<StencilSpec>();
    return kernel.signatures.at(0);
}

static std::vector<Reach> reachOf(const std::string& body, const std::string& before = "") {
    return stencilOf("[](plane a) { " + body + " }", before).reach;
}

TEST(LowerStencil, OperandsAreAroundWholeOrValues) {
    const StencilSignature only = stencilOf("[](row a, foldwise::view<const double, 2> weights, double k, row b) { "
                                            "return k * weights(0, 0) * a(1) + b(0); }");
    EXPECT_EQ(only.text, "double(around<const float, 1> a, view<const double, 2> weights, double k, "
                         "around<const float, 1> b), edge::wrap");
    EXPECT_EQ(only.around, (std::vector<AroundInput>{{0, ""}, {3, ""}}));
    EXPECT_EQ(only.rank, 1u);
    EXPECT_EQ(only.reads, 2u);
    EXPECT_FALSE(hasSteps(only));  // it gives doubles and takes floats
    EXPECT_TRUE(hasSteps(stencilOf("[](row a, double k) { return a(1) * static_cast<float>(k); }")));
}

TEST(LowerStencil, FindsConstantOffsets) {
    EXPECT_EQ(reachOf("return a(-1, 0) + a(0, 3);"), (std::vector<Reach>{{1, 0}, {0, 3}}));
    EXPECT_EQ(reachOf("return a[foldwise::index<2>(2, -4)];"), (std::vector<Reach>{{0, 2}, {4, 0}}));
    EXPECT_EQ(reachOf("const int two = 2; auto other = -two; return a(two * 3, other - 1);"),
              (std::vector<Reach>{{0, 6}, {3, 0}}));
    EXPECT_EQ(reachOf("return a(a(0, 0) > 1 ? 2 : -1, 0);"), (std::vector<Reach>{{1, 2}, {0, 0}}));
}

TEST(LowerStencil, FindsCountersOfLoops) {
    EXPECT_EQ(
        reachOf("float s = 0; for (int i = -2; i < 3; ++i) for (int j = 4; j > 0; j -= 2) s += a(i, j); return s;"),
        (std::vector<Reach>{{2, 2}, {0, 4}}));
    EXPECT_EQ(
        reachOf("float s = 0; for (int i = 0; i <= 3; ++i) for (int j = -i; j <= i; ++j) s += a(i, j); return s;"),
        (std::vector<Reach>{{0, 3}, {3, 3}}));
}

TEST(LowerStencil, LooksAreThereWhereAllOffsetsAreFixed) {
    using looks = std::vector<Look>;
    const StencilSignature star = stencilOf("[](float k, plane a) { return k * a(-1, 0) + a(0, 2); }");
    EXPECT_EQ(star.looks, (looks{{1, {{0, 1}, {0, 1}}}, {1, {{1, 1}, {2, 1}}}}));
    const std::string loop = "float s = 0; for (int i = -2; i < 3; ++i) s += a(i, 1);";
    EXPECT_EQ(stencilOf("[](plane a) { " + loop + " return s; }").looks, (looks{{0, {{0, 5}, {1, 1}}}}));
    EXPECT_EQ(stencilOf("[](plane a) { " + loop + " return a(a(0, 0) > 1 ? 2 : -1, 0); }").looks, looks());
    EXPECT_EQ(stencilOf("[](plane a, int by) { return a(by, 0); }, foldwise::radius(3)").looks, looks());
}

TEST(LowerStencil, FollowsFunctions) {
    const std::string sum = "template <int N> float sum(const plane& a, int row) {"
                            " float s = 0; for (int j = -N; j <= N; ++j) s += a(row, j); return s; }\n";
    EXPECT_EQ(reachOf("return sum<2>(a, 5);", sum), (std::vector<Reach>{{0, 5}, {2, 2}}));
}

TEST(LowerStencil, TheRadiusIsForAllAxesOrForEach) {
    EXPECT_EQ(stencilOf("[](plane a, int by) { return a(by, 0); }, foldwise::radius(3)").reach,
              (std::vector<Reach>{{3, 3}, {3, 3}}));
    const StencilSignature said = stencilOf("[](plane a, int by) { return a(by, 0); }, foldwise::radius(3, 0)");
    EXPECT_EQ(said.reach, (std::vector<Reach>{{3, 3}, {0, 0}}));
    EXPECT_TRUE(said.isReachSaid);
    EXPECT_EQ(said.reads, 0u);
}
