// tests/unit/generator/frontend/LowerGuvectorize_test.cpp: a guvectorize kernel's operands.
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
