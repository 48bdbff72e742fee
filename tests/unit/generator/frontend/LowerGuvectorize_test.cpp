// tests/unit/generator/frontend/LowerGuvectorize_test.cpp: the model of guvectorize kernels: their operands.
#include "parsed.hpp"

#include <gtest/gtest.h>

using namespace foldwise;

/// The kernel `f`, which is written so.
static GuvectorizeSpec lowered(const std::string& kernel) {
    return parse("#include <cmath>\ntemplate <class T, int N> using in = foldwise::view<const T, N>;\nauto f = "
                 "foldwise::guvectorize" +
                 kernel + ";")
        .kernel("f")
        .as<GuvectorizeSpec>();
}

TEST(LowerGuvectorize, OperandsHaveTheLayoutsDimensions) {
    const GuvectorizeSpec kernel =
        lowered("(\"(m,n),(n),()->(m),()\", [](in<double, 2> a, in<float, 1> x, int k, foldwise::view<float, 1> y, "
                "double& norm) { y[0] = k * x[0]; norm = a(0, 0); })");
    ASSERT_EQ(kernel.signatures.size(), 1u);
    const GuvectorizeSignature& only = kernel.signatures.front();
    EXPECT_EQ(only.text, "void(view<const double, 2> a, view<const float, 1> x, std::int32_t k, view<float, 1> y, "
                         "double& norm), (m,n),(n),()->(m),()");
    EXPECT_EQ(only.dimensions, (std::vector<CoreDimension>{{"m", 0}, {"n", 0}}));
    ASSERT_EQ(only.operands.size(), 5u);
    EXPECT_EQ(only.operands[0].dimensions, (std::vector<std::uint32_t>{0, 1}));
    EXPECT_EQ(only.operands[0].type.name, "double");
    EXPECT_FALSE(only.operands[2].isOutput);
    EXPECT_TRUE(only.operands[2].dimensions.empty());
    EXPECT_TRUE(only.operands[3].isOutput);
    EXPECT_EQ(only.operands[4].name, "norm");
    EXPECT_TRUE(only.operands[4].isOutput);
}

TEST(LowerGuvectorize, TypesInstantiateALambda) {
    const GuvectorizeSpec kernel =
        lowered("<float, double>(\"(n)->()\", []<class T>(in<T, 1> x, T& out) { out = std::sqrt(x[0]); })");
    ASSERT_EQ(kernel.signatures.size(), 2u);
    EXPECT_EQ(kernel.signatures[0].operands[0].type.name, "float");
    EXPECT_EQ(kernel.signatures[1].operands[1].type.name, "double");
}

TEST(LowerGuvectorize, FunctionsAndObjectsAreCalledToo) {
    const auto unit =
        parse("using in = foldwise::view<const float, 1>;\n"
              "inline void total(in x, float& out) { out = x[0]; }\n"
              "struct scaled { float by; void operator()(in x, float& out) const { out = by * x[0]; } };\n"
              "auto f = foldwise::guvectorize(\"(n)->()\", total);\n"
              "auto g = foldwise::guvectorize(\"(n)->()\", scaled{2});");
    EXPECT_EQ(unit.kernel("f").as<GuvectorizeSpec>().signatures.front().operands.size(), 2u);
    EXPECT_EQ(unit.kernel("g").as<GuvectorizeSpec>().signatures.front().operands.size(), 2u);
}

TEST(LowerGuvectorize, TheLayoutIsReadThroughItsPieces) {
    EXPECT_EQ(lowered("(\"(m,\" \"n)->()\", [](const in<float, 2>& x, float& out) { out = x(0, 0); })")
                  .signatures.front()
                  .dimensions.size(),
              2u);
}

/// Whether the kernel that is written so certainly assigns all elements of its last operand before it reads one.
static bool overwrites(const std::string& kernel) {
    return lowered("(" + kernel + ")").signatures.front().operands.back().isOverwritten;
}

TEST(LowerGuvectorize, OutputsAreOverwrittenByLoopsOverAllOfThem) {
    const std::string matrix = "\"(m,n)->(n,m)\", [](in<float, 2> x, foldwise::view<float, 2> y) {";
    EXPECT_TRUE(overwrites(matrix + "for (int i = 0; i < y.extent(0); ++i) for (int j = 0; j < x.extent(0); j++) "
                                    "{ y(i, j) = x(j, i); } }"));
    EXPECT_TRUE(overwrites(matrix + "const auto n = x.extent(1); for (int i = 0; i != n; ++i) { const float s = 2; "
                                    "for (int j = 0; j < y.extent(1); ++j) y(i, j) = s; } }"));
    EXPECT_TRUE(overwrites("\"(n)->()\", [](in<float, 1> x, float& y) { y = 0; for (int i = 0; i < x.extent(0); ++i) "
                           "y += x[i]; }"));
    EXPECT_TRUE(overwrites("\"(n)->(),()\", [](in<float, 1> x, float& y, float& z) { y = z = x[0]; }"));
    EXPECT_TRUE(overwrites("\"(3)->(3)\", [](in<float, 1> x, foldwise::view<float, 1> y) "
                           "{ for (int i = 0; i < 3; ++i) y[i] = x[i]; }"));
}

TEST(LowerGuvectorize, OtherOutputsMayKeepElements) {
    const std::string matrix = "\"(m,n)->(m,n)\", [](in<float, 2> x, foldwise::view<float, 2> y) {";
    const std::string loops = "for (int i = 0; i < y.extent(0); ++i) for (int j = 0; j < y.extent(1); ++j) ";
    EXPECT_TRUE(overwrites(matrix + loops + "y(i, j) = x(i, j); }"));
    EXPECT_FALSE(overwrites(matrix + loops + "y(j, i) = x(i, j); }"));  // rows are as long as columns?
    EXPECT_FALSE(overwrites(matrix + loops + "y(i, i) = x(i, j); }"));
    EXPECT_FALSE(overwrites(matrix + loops + "y(i, j) += x(i, j); }"));
    EXPECT_FALSE(overwrites(matrix + loops + "y(i, j) = y(i, j) + 1; }"));
    EXPECT_FALSE(overwrites(matrix + loops + "if (x(i, j) > 0) y(i, j) = 1; }"));
    EXPECT_FALSE(overwrites(matrix + loops + "{ if (x(i, j) > 0) break; y(i, j) = 1; } }"));
    EXPECT_FALSE(overwrites(matrix + loops + "{ y(i, j) = 1; ++i; } }"));
    EXPECT_FALSE(overwrites(matrix + loops + "for (int k = 0; k < x.extent(0); ++k) y(i, j) = 1; }"));
    EXPECT_FALSE(overwrites(matrix + "for (int i = 1; i < y.extent(0); ++i) for (int j = 0; j < y.extent(1); ++j) "
                                     "y(i, j) = 1; }"));
    EXPECT_FALSE(overwrites(matrix + "if (x(0, 0) > 0) return; " + loops + "y(i, j) = 1; }"));
    EXPECT_FALSE(overwrites(matrix + "const float old = y(0, 0); " + loops + "y(i, j) = old; }"));
    EXPECT_FALSE(overwrites("\"(n)->(n)\", [](in<float, 1> x, foldwise::view<float, 1> y) "
                            "{ for (int i = 0; i < 3; ++i) y[i] = x[i]; }"));
    EXPECT_FALSE(overwrites("\"(n)->()\", [](in<float, 1> x, float& y) { if (x[0] > 0) y = 1; }"));
}

/// The names of the dimensions along which items of a kernel may be cut.
static std::string cutsOf(const std::string& kernel) {
    const GuvectorizeSpec spec = lowered("(" + kernel + ")");
    std::string all;
    for (const CoreDimension& one : spec.signatures.front().dimensions)
        if (one.isParallel) all += one.name;
    return all;
}

TEST(LowerGuvectorize, ItemsAreCutAlongLoopsWhoseTurnsAreIndependent) {
    const std::string product =
        "\"(m,n),(n,p)->(m,p)\", [](in<float, 2> a, in<float, 2> b, foldwise::view<float, 2> c) {";
    const std::string rows = "for (int i = 0; i < c.extent(0); ++i) ",
                      columns = "for (int j = 0; j < c.extent(1); ++j) ",
                      sum = "for (int k = 0; k < a.extent(1); ++k) ";
    EXPECT_EQ(cutsOf(product + rows + columns + "{ float s = 0; " + sum + "s += a(i, k) * b(k, j); c(i, j) = s; } }"),
              "mp");
    EXPECT_EQ(cutsOf(product + rows + columns + "{ c(i, j) = 0; " + sum + "c(i, j) += a(i, k) * b(k, j); } }"), "mp");
    // First one loop over all, then another.
    EXPECT_EQ(
        cutsOf(product + rows + columns + "c(i, j) = 0; " + sum + rows + columns + "c(i, j) += a(i, k) * b(k, j); }"),
        "mp");
    // A whole row at a time.
    EXPECT_EQ(cutsOf(product + rows + "{ float all = 0; " + columns + "{ c(i, j) = all; all += b(0, j); } } }"), "m");
    EXPECT_EQ(cutsOf("\"(),(t),(t)->(t)\", [](float a, in<float, 1> x, in<float, 1> y, foldwise::view<float, 1> z) "
                     "{ for (int i = 0; i < x.extent(0); ++i) z[i] = a * x[i] + y[i]; }"),
              "t");
}

TEST(LowerGuvectorize, ItemsAreNotCutWhereOneTurnMayNeedAnother) {
    const std::string row = "\"(n)->(n)\", [](in<float, 1> x, foldwise::view<float, 1> y) {";
    const std::string loop = "for (int i = 0; i < x.extent(0); ++i) ";
    EXPECT_EQ(cutsOf(row + loop + "y[i] = 2 * x[i]; }"), "n");
    EXPECT_EQ(cutsOf(row + "float s = 0; " + loop + "{ s += x[i]; y[i] = s; } }"), "");
    EXPECT_EQ(cutsOf(row + "float s[2] = {}; " + loop + "{ s[i % 2] = x[i]; y[i] = s[0]; } }"), "");
    EXPECT_EQ(cutsOf(row + "float s = 0; float& r = s; " + loop + "{ r += x[i]; y[i] = r; } }"), "");
    EXPECT_EQ(cutsOf(row + loop + "{ static float s; s += x[i]; y[i] = s; } }"), "");
    EXPECT_EQ(cutsOf(row + loop + "y[i] = x[0]; }"), "");
    EXPECT_EQ(cutsOf(row + loop + "y[i] = i; }"), "");
    EXPECT_EQ(cutsOf(row + loop + "{ y[i] = 0; for (int j = 0; j < x.extent(0); ++j) y[i] += x[j]; } }"), "");
    EXPECT_EQ(cutsOf("\"(m),(n)->(m,n)\", [](in<float, 1> x, in<float, 1>, foldwise::view<float, 2> y) { " + loop +
                     "y(i, i) = x[i]; }"),
              "");
    EXPECT_EQ(cutsOf(row + loop + "y[i] = x[i] / x.extent(0); }"), "");
    const std::string extent = "const auto n = x.extent(0); for (int i = 0; i < n; ++i) ";
    EXPECT_EQ(cutsOf(row + extent + "y[i] = 2 * x[i]; }"), "n");
    EXPECT_EQ(cutsOf(row + extent + "y[i] = x[i] / n; }"), "");
    EXPECT_EQ(cutsOf(row + "auto n = x.extent(0); " + loop + "y[i] = x[i]; }"), "");
    EXPECT_EQ(cutsOf(row + loop + "y[i] = y[i > 0 ? i - 1 : 0] + x[i]; }"), "");
    EXPECT_EQ(cutsOf(row + loop + "{ if (x[i] < 0) break; y[i] = 1; } }"), "");
    EXPECT_EQ(cutsOf(row + "if (x[0] > 0) " + loop + "y[i] = x[i]; }"), "");
    EXPECT_EQ(cutsOf(row + "for (int i = 1; i < x.extent(0); ++i) y[i] = x[i]; }"), "");
    EXPECT_EQ(cutsOf(row + loop + "y(x.extent(0) - 1 - i) = x[i]; }"), "");
    EXPECT_EQ(cutsOf(row + "const auto at = [&](int i) { return x[i]; }; " + loop + "y[i] = at(i); }"), "");
    EXPECT_EQ(cutsOf(row + "const auto z = x; " + loop + "y[i] = z[i]; }"), "");
    EXPECT_EQ(cutsOf("\"(n)->(n),()\", [](in<float, 1> x, foldwise::view<float, 1> y, float& z) { z = 0; " + loop +
                     "y[i] = x[i]; }"),
              "");
    EXPECT_EQ(cutsOf("\"(n,n)->(n)\", [](in<float, 2> x, foldwise::view<float, 1> y) { " + loop + "y[i] = x(i, i); }"),
              "");
    EXPECT_EQ(cutsOf("\"(3)->(3)\", [](in<float, 1> x, foldwise::view<float, 1> y) "
                     "{ for (int i = 0; i < 3; ++i) y[i] = x[i]; }"),
              "");
}
