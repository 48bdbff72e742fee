// tests/unit/generator/frontend/FloatUses_test.cpp: which halves kernels for the CPU have as floats.
#include "parsed.hpp"

#include <gtest/gtest.h>

using namespace foldwise;

namespace {

const std::string beforeHalves = R"(
#include <foldwise/half.hpp>
#include <utility>
using foldwise::half;
template <class T> float twice(T x) { return x + x; }
)";

/// A text with brackets around what becomes float.
std::string bracketed(std::string text, const std::vector<Mark>& marks) {
    for (auto mark = marks.rbegin(); mark != marks.rend(); ++mark)
        if (mark->kind == MarkKind::HalfType || mark->kind == MarkKind::HalfTypeEnd)
            text.insert(mark->offset, mark->kind == MarkKind::HalfType ? "[" : "]");
    for (std::size_t at; (at = text.find(" ]")) != text.npos;) text.replace(at, 2, "] ");  // marked by the next token
    return text;
}

/// A kernel's parameters, result and block.
std::string halvesIn(const std::string& kernel) {
    const Parsed parsed = parse(beforeHalves + kernel);
    if (!parsed.ok) return parsed.messages;
    const Body& body = parsed.body("k");
    return bracketed(body.parameters, body.parameterMarks) + " " + bracketed(body.resultType, body.resultMarks) + " " +
           bracketed(body.block, body.marks);
}

/// The inputs and outputs of a kernel's signatures: f for a float on the CPU, else a dash.
std::string vectorized(const std::string& kernel) {
    const Parsed parsed = parse(beforeHalves + kernel);
    if (!parsed.ok) return parsed.messages;
    std::string all;
    for (const VectorizeSignature& signature : parsed.kernel("k").as<VectorizeSpec>().signatures) {
        if (!all.empty()) all += ' ';
        for (const Operand& one : signature.inputs) all += one.asFloat ? 'f' : '-';
        all += '>';
        for (const Operand& one : signature.outputs) all += one.asFloat ? 'f' : '-';
    }
    return all;
}

/// The same of the inputs of a fold.
std::string reduced(const std::string& kernel) {
    const Parsed parsed = parse(beforeHalves + kernel);
    if (!parsed.ok) return parsed.messages;
    std::string all;
    for (const Operand& one : parsed.kernel("k").as<ReduceSpec>().signatures.front().inputs)
        all += one.asFloat ? 'f' : '-';
    return all;
}

std::string lambda(const std::string& text) { return "auto k = foldwise::vectorize(" + text + ");\n"; }

TEST(FloatUses, ParametersThatAreOnlyConverted) {
    EXPECT_EQ(halvesIn(lambda("[](half x, const foldwise::half& y, float z) { return x * z + y; }")),
              "([half] x, const [foldwise::half]& y, float z)  { return x * z + y; }");
    for (const char* const body :
         {"return x;", "return half(x);", "const half y = x; return y + 1;", "return x.bits();",
          "return x.operator float();", "return twice(x);", "decltype(x) y = half(2); return y + x;",
          "return static_cast<float>(sizeof(x));", "x = 2; return x + 1;", "return [x] { return x + 1; }();"})
        EXPECT_EQ(vectorized(lambda("[](half x) { " + std::string(body) + " }")).substr(0, 1), "-") << body;
    for (const char* const body :
         {"return float(x);", "return static_cast<float>(x);", "return (float)x;", "return -x;", "return x ? 1 : 0;",
          "const float y = x; return y;", "return std::max(static_cast<float>(x), 1.0f);",
          "return [&] { return x + 1; }();", "return x < 2 && x > 1;", "return 1;"})
        EXPECT_EQ(vectorized(lambda("[](half x) { " + std::string(body) + " }")).substr(0, 1), "f") << body;
}

TEST(FloatUses, ResultsThatAreMadeOfNumbers) {
    EXPECT_EQ(halvesIn(lambda("[](half x) -> half { return x * 2; }")), "([half] x) [half] { return x * 2; }");
    EXPECT_EQ(halvesIn(lambda("[](float x) { return foldwise::half(x); }")),
              "(float x)  { return [foldwise::half](x); }");
    EXPECT_EQ(halvesIn(lambda("[](float x) -> half { if (x > 1) return static_cast<half>(x); "
                              "return x < 0 ? half(0) : (half)(x); }")),
              "(float x) [half] { if (x > 1) return static_cast<[half]>(x); return x < 0 ? [half](0) : ([half])(x); }");
    // Rounded in the middle, or in one place of two.
    for (const char* const body :
         {"const half y = half(x); return y;", "if (x > 1) return half(x); half y; return y;", "return half(half(x));"})
        EXPECT_EQ(vectorized(lambda("[](float x) { " + std::string(body) + " }")), "->-") << body;
    EXPECT_EQ(vectorized(lambda("[](float x) -> half { const half y = half(x); return y * 2; }")), "->f");
}

TEST(FloatUses, OfAllSignaturesOrOfNone) {
    EXPECT_EQ(vectorized("auto k = foldwise::vectorize<half(half, float), float(float, half)>("
                         "[](auto x, auto y) { return x + y; });\n"),
              "f->f -f>-");
    const std::string mixed =
        "auto k = foldwise::vectorize<half(half), half(float)>([](half x) -> half { return x; });";
    EXPECT_EQ(vectorized(mixed), "->- ->-");
    const std::string rounds =
        "auto k = foldwise::vectorize<half(half), float(float)>([](half x) { return half(x + 1); });";
    EXPECT_EQ(vectorized(rounds), "->- ->-");
    EXPECT_EQ(halvesIn(rounds), "(half x)  { return half(x + 1); }");
    // The parameter's type has a name here that the body might use.
    EXPECT_EQ(vectorized("auto k = foldwise::vectorize<float(half)>([]<class T>(T x) { return x + 1; });\n"), "->-");
}

TEST(FloatUses, Folds) {
    const std::string sum = "foldwise::combine([](auto a, auto b) { return a + b; }), foldwise::identity(0));\n";
    EXPECT_EQ(reduced("auto k = foldwise::reduce<float(half)>(" + sum), "f");
    EXPECT_EQ(reduced("auto k = foldwise::reduce<half(half)>(" + sum), "-");
    EXPECT_EQ(reduced("auto k = foldwise::reduce<float(half, float)>("
                      "foldwise::map([](half x, float y) { return x * y; }), " +
                      sum),
              "f-");
    EXPECT_EQ(reduced("auto k = foldwise::reduce<float(half)>(foldwise::map([](half x) { return x; }), " + sum), "-");
}

}  // namespace
