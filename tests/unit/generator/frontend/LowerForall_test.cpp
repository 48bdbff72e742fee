// tests/unit/generator/frontend/LowerForall_test.cpp: the model of forall kernels: tasks, their views and values.
#include "parsed.hpp"

#include <gtest/gtest.h>

using namespace foldwise;

/// The kernel `f = foldwise::forall<what...`.
static Parsed forall(const std::string& what, const std::string& before = "") {
    return parse("#include <cstdint>\nusing foldwise::index;\nusing foldwise::view;\n" + before +
                 "\nauto f = foldwise::forall" + what + ";");
}

static ForallSignature signatureIn(const std::string& what, const std::string& before = "") {
    return forall(what, before).kernel("f").as<ForallSpec>().signatures.front();
}

TEST(LowerForall, WrittenOutTypesAreTheSignature) {
    const ForallSpec kernel = forall("([](index<2> at, view<const float, 2> x, view<double, 3> out, int n) { out(0, "
                                     "at[0], at[1]) = n * x[at]; })")
                                  .kernel("f")
                                  .as<ForallSpec>();
    EXPECT_EQ(kernel.body.parameters, "(index<2> at, view<const float, 2> x, view<double, 3> out, int n)");
    ASSERT_EQ(kernel.signatures.size(), 1u);
    const ForallSignature& signature = kernel.signatures.front();
    EXPECT_EQ(signature.text, "void(index<2> at, view<const float, 2> x, view<double, 3> out, std::int32_t n)");
    EXPECT_EQ(signature.indexRank, 2u);
    ASSERT_EQ(signature.parameters.size(), 3u);
    const ForallParameter& x = signature.parameters[0];
    EXPECT_EQ(x.name, "x");
    EXPECT_EQ(x.type.name, "float");
    EXPECT_EQ(x.rank, 2u);
    EXPECT_TRUE(x.isConst);
    EXPECT_EQ(x.access, Access::Read);
    const ForallParameter& out = signature.parameters[1];
    EXPECT_EQ(out.type.name, "double");
    EXPECT_EQ(out.rank, 3u);
    EXPECT_FALSE(out.isConst);
    EXPECT_EQ(out.access, Access::Write);
    const ForallParameter& n = signature.parameters[2];
    EXPECT_EQ(n.type.name, "std::int32_t");
    EXPECT_EQ(n.rank, 0u);
    EXPECT_EQ(n.access, Access::Read);
}

TEST(LowerForall, SignaturesTypeAGenericLambdaOnceEachAndLeaveTheIndexOut) {
    const ForallSpec kernel = forall("<void(view<float, 1>, int), void(view<double, 1>, double)>("
                                     "[](index<1> i, auto x, auto value) { x[i] = value; })")
                                  .kernel("f")
                                  .as<ForallSpec>();
    ASSERT_EQ(kernel.signatures.size(), 2u);
    EXPECT_EQ(kernel.signatures[0].text, "void(index<1> i, view<float, 1> x, std::int32_t value)");
    EXPECT_EQ(kernel.signatures[1].text, "void(index<1> i, view<double, 1> x, double value)");
    EXPECT_EQ(kernel.signatures[1].parameters[0].access, Access::Write);
    EXPECT_EQ(kernel.signatures[1].parameters[0].follows, (std::vector<std::uint32_t>{0}));
}

TEST(LowerForall, APackOfViewsIsSeveralParameters) {
    const ForallSignature signature =
        signatureIn("<void(view<float, 1>, view<float, 1>)>([](index<1> i, auto... all) { ((all[i] = 0), ...); })");
    EXPECT_EQ(signature.text, "void(index<1> i, view<float, 1> all, view<float, 1> all)");
    ASSERT_EQ(signature.parameters.size(), 2u);
    EXPECT_EQ(signature.parameters[1].access, Access::Write);
}

TEST(LowerForall, UnnamedParametersGetNames) {
    EXPECT_EQ(signatureIn("([](index<1>, view<float, 1>, int, double) {})").text,
              "void(index<1>, view<float, 1> operand0, std::int32_t operand1, double operand2)");
    EXPECT_EQ(signatureIn("([](index<3>) {})").text, "void(index<3>)");
}

TEST(LowerForall, ConstReferencesAreViewsAndValuesToo) {
    const ForallSignature signature =
        signatureIn("([](const index<1>& i, const view<float, 1>& x, const double& value) { x[i] = value; })");
    EXPECT_EQ(signature.text, "void(index<1> i, view<float, 1> x, double value)");
    EXPECT_EQ(signature.parameters[0].follows, (std::vector<std::uint32_t>{0}));
}

TEST(LowerForall, ElementsAndValuesMayBeTheUsersOwn) {
    const Parsed parsed = forall("([](index<1> i, view<point, 1> x, range r, view<const box<float>, 1> b) {"
                                 " x[i] = {r.low, b[i].value}; })",
                                 "struct point { float x, y; };\nstruct range { float low; double high; };\n"
                                 "template <class T> struct box { T value; };");
    ASSERT_TRUE(parsed.ok) << parsed.messages;
    const ForallSignature& signature = parsed.kernel("f").as<ForallSpec>().signatures.front();
    EXPECT_EQ(signature.text, "void(index<1> i, view<point, 1> x, range r, view<const box<float>, 1> b)");
    EXPECT_EQ(signature.parameters[0].type.size, 8u);
    EXPECT_EQ(signature.parameters[1].type.size, 16u);
    EXPECT_EQ(signature.parameters[2].type.size, 4u);
    std::vector<std::string> header;
    for (const Declaration& declaration : parsed.unit.headerDeclarations) header.push_back(declaration.name);
    EXPECT_EQ(header, (std::vector<std::string>{"point", "range", "box"}));
}

TEST(LowerForall, CountsWhatATaskComputesAndNotWhereItsElementsAre) {
    const ForallSignature signature =
        signatureIn("([](index<2> at, view<float, 2> x) { x[at] = x(at[1], at[0]) * 3 + x.extent(0); })");
    std::string counts;
    for (const OperationCount& one : signature.operations.counts) counts += textOf(one.operation, one.count) + "; ";
    EXPECT_EQ(counts, "1 float32 addition; 1 float32 multiplication; 1 64-bit conversion; ");
}

TEST(LowerForall, AnIndexForEachKernelThatHasOne) {
    for (const int axes : {1, 2, 3, 4}) {
        const std::string n = std::to_string(axes);
        EXPECT_EQ(signatureIn("([](index<" + n + "> at, view<float, " + n + "> x) { x[at] = 1; })").indexRank,
                  static_cast<std::uint32_t>(axes));
    }
}
