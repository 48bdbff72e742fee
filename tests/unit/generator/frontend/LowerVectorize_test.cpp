// tests/unit/generator/frontend/LowerVectorize_test.cpp: the model of vectorize kernels: a lambda and its signatures.
#include "parsed.hpp"

#include <gtest/gtest.h>

using namespace foldwise;

/// The kernel `f = foldwise::vectorize<what...`.
static VectorizeSpec vectorize(const std::string& what) {
    return parse("auto f = foldwise::vectorize" + what + ";").kernel("f").as<VectorizeSpec>();
}

TEST(LowerVectorize, WrittenOutTypesAreTheSignature) {
    const VectorizeSpec kernel = vectorize("([](float x, int y) { return x * y; })");
    ASSERT_EQ(kernel.signatures.size(), 1u);
    EXPECT_EQ(kernel.signatures[0].text, "float(float x, std::int32_t y)");
    EXPECT_EQ(kernel.signatures[0].outputs[0].name, "out");
    EXPECT_FALSE(kernel.signatures[0].converts);
    EXPECT_EQ(kernel.body.parameters, "(float x, int y)");
    EXPECT_EQ(kernel.body.templateParameters, "");
    EXPECT_EQ(kernel.body.resultType, "");
    EXPECT_EQ(kernel.body.block, "{ return x * y; }");
}

TEST(LowerVectorize, SignaturesTypeAGenericLambdaOnceEach) {
    const VectorizeSpec kernel =
        vectorize("<float(float, int), double(double, double)>([](auto x, auto y) { return x + y; })");
    ASSERT_EQ(kernel.signatures.size(), 2u);
    EXPECT_EQ(kernel.signatures[0].text, "float(float x, std::int32_t y)");
    EXPECT_EQ(kernel.signatures[1].text, "double(double x, double y)");
    EXPECT_EQ(kernel.body.parameters, "(auto x, auto y)");
}

/// The names of the outputs of `f`, whose lambda has this body.
static std::vector<std::string> outputsOf(const std::string& block, const std::string& signatures = "") {
    const Parsed parsed = parse("#include <tuple>\n#include <utility>\nstruct polar { float radius, angle; };\n"
                                "inline std::pair<float, float> both(float x) { return {x, x}; }\n"
                                "auto f = foldwise::vectorize" +
                                signatures + "([](float x, float y) " + block + ");");
    std::vector<std::string> names;
    for (const Operand& output : parsed.kernel("f").as<VectorizeSpec>().signatures[0].outputs)
        names.push_back(output.name);
    return names;
}
using Names = std::vector<std::string>;

TEST(LowerVectorize, OutputsAreNamedAfterWhatIsReturned) {
    EXPECT_EQ(outputsOf("{ float low = x, high = y; return std::tuple{low, high}; }"), (Names{"low", "high"}));
    EXPECT_EQ(outputsOf("{ float low = x, high = y; return std::tuple(low, high); }"), (Names{"low", "high"}));
    EXPECT_EQ(outputsOf("{ float low = x, high = y; return std::pair<float, double>(low, high); }"),
              (Names{"low", "high"}));
    EXPECT_EQ(outputsOf("{ float low = x, high = y; return std::make_tuple(low, high); }"), (Names{"low", "high"}));
    EXPECT_EQ(outputsOf("-> std::pair<float, float> { float low = x, high = y; return {low, high}; }"),
              (Names{"low", "high"}));
    EXPECT_EQ(outputsOf("{ polar p{x, y}; return std::tuple{p.radius, static_cast<int>(p.angle)}; }"),
              (Names{"radius", "angle"}));
    EXPECT_EQ(outputsOf("{ auto [first, second] = both(x); return std::pair{first, second}; }"),
              (Names{"first", "second"}));
    EXPECT_EQ(outputsOf("{ const double low = x, high = y; return std::tuple{low, high}; }",
                        "<std::tuple<float, float>(float, float)>"),
              (Names{"low", "high"}));
}

TEST(LowerVectorize, OutputsWithoutANameOfTheirOwnAreNumbered) {
    EXPECT_EQ(outputsOf("{ return std::tuple{x + y, x - y}; }"), (Names{"out0", "out1"}));
    EXPECT_EQ(outputsOf("{ return std::tuple{y, x}; }"), (Names{"out0", "out1"})) << "these are the inputs' names";
    EXPECT_EQ(outputsOf("{ float low = x; return std::tuple{low, x - y}; }"), (Names{"low", "out1"}));
    EXPECT_EQ(outputsOf("{ float low = x; return std::tuple{low, low}; }"), (Names{"out0", "out1"}));
    EXPECT_EQ(outputsOf("{ const auto p = both(x); return p; }"), (Names{"out0", "out1"}));
    EXPECT_EQ(outputsOf("{ float a = x, b = y, c = 2; if (x < y) return std::tuple{a, b}; return std::tuple{a, c}; }"),
              (Names{"a", "out1"}));
    EXPECT_EQ(outputsOf("{ float a = x; const auto g = [](float z) { float q = z; return std::tuple{q, q}; };\n"
                        "  return std::tuple{a, std::get<0>(g(x))}; }"),
              (Names{"a", "out1"}));
}

TEST(LowerVectorize, ASignatureMayConvert) {
    EXPECT_TRUE(vectorize("<float(float, double)>([](auto x, auto y) { return x + y; })").signatures[0].converts);
    EXPECT_FALSE(vectorize("<double(float, double)>([](auto x, auto y) { return x + y; })").signatures[0].converts);
    const VectorizeSpec kernel = vectorize("<short(float)>([](double x) { return x; })");
    EXPECT_EQ(kernel.signatures[0].text, "std::int16_t(float x)");
    EXPECT_TRUE(kernel.signatures[0].converts);
}

TEST(LowerVectorize, KeepsTemplateParametersAndResultType) {
    const VectorizeSpec kernel = vectorize("<float(float)>([]<class T>(T x) -> T { return x; })");
    EXPECT_EQ(kernel.body.templateParameters, "<class T>");
    EXPECT_EQ(kernel.body.parameters, "(T x)");
    EXPECT_EQ(kernel.body.resultType, "T");
    EXPECT_EQ(vectorize("([](float x) noexcept -> double { return x; })").body.resultType, "double");
}

TEST(LowerVectorize, InstantiatesOperandsThatOnlyReferencesName) {
    const std::string prefix = "#include <array>\n#include <tuple>\ntemplate <class T> struct box { T value; };\n";
    const Parsed parsed = parse(
        prefix +
        "auto f = foldwise::vectorize([](const std::array<float, 3>&, float x) { return x; });\n"
        "auto g = foldwise::vectorize<float(const box<double>&, float)>([](const auto&, float x) { return x; });");
    ASSERT_TRUE(parsed.ok) << parsed.messages;
    EXPECT_EQ(parsed.kernel("f").as<VectorizeSpec>().signatures[0].inputs[0].type.size, 12u);
    EXPECT_EQ(parsed.kernel("g").as<VectorizeSpec>().signatures[0].inputs[0].type.size, 8u);
    EXPECT_NE(parse("struct declared;\nauto f = foldwise::vectorize([](const declared&, float x) { return x; });")
                  .messages.find("it is declared and not defined here"),
              std::string::npos);
}

TEST(LowerVectorize, ALambdaNeedsNoParentheses) {
    const VectorizeSpec kernel = vectorize("([] { return 1.0f; })");
    EXPECT_EQ(kernel.body.parameters, "()");
    EXPECT_EQ(kernel.body.block, "{ return 1.0f; }");
    EXPECT_TRUE(kernel.signatures[0].inputs.empty());
    EXPECT_EQ(vectorize("([]() { return 1; })").body.parameters, "()");
}

TEST(LowerVectorize, DefaultArgumentsAreOperandsOnlyIfNoSignatureLeavesThemOut) {
    EXPECT_EQ(vectorize("([](float x, float y = 2) { return x * y; })").signatures[0].inputs.size(), 2u);
    EXPECT_EQ(vectorize("<float(float)>([](float x, float y = 2) { return x * y; })").signatures[0].inputs.size(), 1u);
}

TEST(LowerVectorize, UnnamedParametersGetNames) {
    const VectorizeSpec kernel = vectorize("([](float, double y, int) { return y; })");
    EXPECT_EQ(kernel.signatures[0].text, "double(float operand0, double y, std::int32_t operand2)");
    EXPECT_EQ(kernel.body.parameters, "(float, double y, int)");
}

TEST(LowerVectorize, AnIndexIsNoOperand) {
    const VectorizeSpec kernel = vectorize("([](foldwise::index<2> at, float x) { return at[0] + x; })");
    EXPECT_EQ(kernel.signatures[0].indexRank, 2u);
    EXPECT_EQ(kernel.signatures[0].text, "float(float x)");
    ASSERT_EQ(kernel.signatures[0].inputs.size(), 1u);
    const VectorizeSpec generic =
        vectorize("<float(float), double(double)>([](const foldwise::index<1>& i, auto x) { return i + x; })");
    ASSERT_EQ(generic.signatures.size(), 2u);
    EXPECT_EQ(generic.signatures[1].indexRank, 1u);
    EXPECT_EQ(generic.signatures[1].text, "double(double x)");
    EXPECT_EQ(vectorize("([](float x) { return x; })").signatures[0].indexRank, 0u);
}

TEST(LowerVectorize, LocalClassesAreMarked) {
    const VectorizeSpec kernel =
        vectorize("([](float x) { struct S { float get() { return 1; } }; return x + S{}.get(); })");
    ASSERT_EQ(kernel.body.marks.size(), 1u);
    EXPECT_EQ(kernel.body.block.substr(kernel.body.marks[0].offset, 9), "float get");
}

TEST(LowerVectorize, PlacesAreTheUsersLines) {
    const Parsed parsed = parse("auto f = foldwise::vectorize(\n    [](float x) {\n        return x;\n    });");
    EXPECT_EQ(parsed.kernel("f").place, (Place{"dir/spec.kernels.cpp", 2}));
    EXPECT_EQ(parsed.body("f").place, (Place{"dir/spec.kernels.cpp", 3}));
}

TEST(LowerVectorize, TheCommentAboveIsTheKernels) {
    const std::string kernel = "auto f = foldwise::vectorize([](float x) { return x; });";
    EXPECT_EQ(parse("/// One.\n///\n/// Two.\n" + kernel).kernel("f").comment, "One.\n\nTwo.");
    EXPECT_EQ(parse("// Plain.\n" + kernel).kernel("f").comment, "Plain.");
    EXPECT_EQ(parse("// ---- Elementwise\n" + kernel).kernel("f").comment, "");
    EXPECT_EQ(parse("// ====\n// - Plain.\n// ====\n" + kernel).kernel("f").comment, "- Plain.");
    EXPECT_EQ(parse("/** Block\n *  text. */\n" + kernel).kernel("f").comment, "Block\ntext. ");
}

TEST(LowerVectorize, AVariableOfDefaultVisibilityIsExported) {
    const std::string kernel = "auto f = foldwise::vectorize([](float x) { return x; });";
    EXPECT_FALSE(parse(kernel).kernel("f").isExported) << "what the compiler's options say is up to them";
    EXPECT_TRUE(parse("__attribute__((visibility(\"default\"))) " + kernel).kernel("f").isExported);
    EXPECT_TRUE(parse("[[gnu::visibility(\"default\")]] " + kernel).kernel("f").isExported);
    EXPECT_TRUE(parse("#pragma GCC visibility push(default)\n" + kernel).kernel("f").isExported);
    EXPECT_TRUE(parse("namespace [[gnu::visibility(\"default\")]] n {\n" + kernel + "\n}").kernel("n::f").isExported);
    EXPECT_FALSE(parse("[[gnu::visibility(\"hidden\")]] " + kernel).kernel("f").isExported);
    EXPECT_FALSE(parse("#pragma GCC visibility push(hidden)\n" + kernel).kernel("f").isExported);
    EXPECT_FALSE(parse("#pragma GCC visibility push(default)\n[[gnu::visibility(\"hidden\")]] " + kernel)
                     .kernel("f")
                     .isExported);
}

TEST(LowerVectorize, OtherCommentsAreNot) {
    const std::string kernel = "auto f = foldwise::vectorize([](float x /* x! */) { return x; });  // behind";
    EXPECT_EQ(parse(kernel).kernel("f").comment, "");
    EXPECT_EQ(parse("// Far above.\n\n" + kernel).kernel("f").comment, "");
    EXPECT_EQ(parse("int before;  // behind another\n" + kernel).kernel("f").comment, "");
    EXPECT_EQ(parse("// Another's.\nint before;\n" + kernel).kernel("f").comment, "");
}
