// tests/unit/generator/frontend/SourceText_test.cpp: the user's text after preprocessing, as kernels carry it.
#include "parsed.hpp"

#include <gtest/gtest.h>

using namespace foldwise;

static std::string blockOf(const std::string& text) {
    const Parsed parsed = parse(text);
    return parsed.unit.kernels.empty() ? "error: " + parsed.messages
                                       : parsed.unit.kernels.front().as<VectorizeSpec>().body.block;
}

TEST(SourceText, KeepsSpacingCommentsAndLines) {
    EXPECT_EQ(
        blockOf("auto f = foldwise::vectorize([](float x) {\n    // why\n    return  x /* odd */ + 1;  // done\n});"),
        "{\n    // why\n    return  x /* odd */ + 1;  // done\n}");
}

TEST(SourceText, ShiftsLaterLinesByTheFirstLinesIndentation) {
    EXPECT_EQ(blockOf("  auto f = foldwise::vectorize(\n      [](float x)\n      {\n          return x;\n      });"),
              "{\n    return x;\n}");
}

TEST(SourceText, WhatBeginsWithinALineIsShiftedByItsEndsOrItsLinesIndentation) {
    EXPECT_EQ(blockOf("  auto f = foldwise::vectorize(\n      [](float x) {\n          return x;\n      });"),
              "{\n    return x;\n}");
    EXPECT_EQ(blockOf("auto f = foldwise::vectorize([](float x) {\n                                 return x;\n"
                      "                             });"),
              "{\n    return x;\n}");
    EXPECT_EQ(blockOf("\tauto f = foldwise::vectorize(\n\t\t[](float x) {\n\t\t\treturn x;\n\t\t});"),
              "{\n\treturn x;\n}");
    EXPECT_EQ(blockOf("  auto f = foldwise::vectorize(\n    [](float x) { return x +\n            1; });"),
              "{ return x +\n        1; }");
}

TEST(SourceText, LinesWithLessIndentationKeepTheirPlaceAtTheLeft) {
    EXPECT_EQ(blockOf("  auto f = foldwise::vectorize(\n      [](float x) {\n  // why\n          return x;\n      });"),
              "{\n// why\n    return x;\n}");
}

TEST(SourceText, ExpandsMacros) {
    EXPECT_EQ(
        blockOf("#define TWICE(a) (2 * (a))\nauto f = foldwise::vectorize([](float x) { return TWICE(x + 1) ; });"),
        "{ return (2 * (x + 1)) ; }");
    EXPECT_EQ(blockOf("#define CAT(a, b) a##b\n#define TEXT(a) #a\n"
                      "auto f = foldwise::vectorize([](float xy) { return CAT(x, y) + TEXT(hi)[0]; });"),
              "{ return xy + \"hi\"[0]; }");
}

TEST(SourceText, AMacroMayHoldTheWholeLambdaOrKernel) {
    EXPECT_EQ(blockOf("#define LAMBDA [](float x) { return x; }\nauto f = foldwise::vectorize(LAMBDA);"),
              "{ return x; }");
    const Parsed parsed =
        parse("#define KERNEL(name, op) auto name = foldwise::vectorize([](float x) { return x op x; });\n"
              "KERNEL(f, +)\nKERNEL(g, *)");
    EXPECT_EQ(parsed.body("f").block, "{ return x + x; }");
    EXPECT_EQ(parsed.body("g").block, "{ return x * x; }");
    EXPECT_EQ(parsed.kernel("g").place.line, 4u);
}

TEST(SourceText, ExcludedLinesLeaveBlankOnes) {
    EXPECT_EQ(blockOf("auto f = foldwise::vectorize([](float x) {\n#ifdef NOT_DEFINED\n    return 1 + x;\n#else\n    "
                      "return x;\n#endif\n});"),
              "{\n\n\n\n    return x;\n\n}");
}

TEST(SourceText, LiteralsStayAsTheyAre) {
    EXPECT_EQ(blockOf("auto f = foldwise::vectorize([](char x) { return x == \"//\\\"#{{<%\"[0] ? '\\'' : '\"'; });"),
              "{ return x == \"//\\\"#{{<%\"[0] ? '\\'' : '\"'; }");
    EXPECT_EQ(blockOf("auto f = foldwise::vectorize([](int x) { return x + R\"(a\n  b)\"[0] + 1'000; });"),
              "{ return x + R\"(a\n  b)\"[0] + 1'000; }");
}

TEST(SourceText, ClosingAnglesThatTheParserSplitsAreWhole) {
    EXPECT_EQ(blockOf("template <class T> struct A { T v; };\n"
                      "auto f = foldwise::vectorize([](float x) { A<A<float>> a{{x}}; return a.v.v; });"),
              "{ A<A<float>> a{{x}}; return a.v.v; }");
}

TEST(SourceText, LineEndsAreUnixs) {
    EXPECT_EQ(blockOf("auto f = foldwise::vectorize([](float x) {\r\n    return x;\r\n});\r\n"), "{\n    return x;\n}");
}

TEST(SourceText, TheFilesOwnNameIsRelative) {
    EXPECT_EQ(blockOf("auto f = foldwise::vectorize([](int x) { return x + __FILE__[0]; });"),
              "{ return x + \"dir/spec.kernels.cpp\"[0]; }");
}

TEST(SourceText, HintsForLoopsComeAlong) {
    EXPECT_EQ(blockOf("#define FOUR 4\n#define UNROLLED _Pragma(\"unroll\")\n"
                      "auto f = foldwise::vectorize([](float x) {\n    constexpr int n = 2;\n"
                      "#pragma unroll FOUR\n    for (int i = 0; i < 9; ++i) x += i;\n"
                      "    #pragma unroll(n)  // so many\n    for (int i = 0; i < 9; ++i) x += i;\n"
                      "#pragma nounroll\n    for (int i = 0; i < 9; ++i) x += i;\n"
                      "    UNROLLED for (int i = 0; i < 9; ++i) x += i;\n"
                      "#pragma clang loop unroll_count(3)\n    for (int i = 0; i < 9; ++i) x += i;\n"
                      "#pragma GCC \\\n    ivdep\n    for (int i = 0; i < 9; ++i) x += i;\n"
                      "#pragma omp simd safelen(4)\n    for (int i = 0; i < 9; ++i) x += i;\n    return x;\n});"),
              "{\n    constexpr int n = 2;\n"
              "FOLDWISE_UNROLL(4)\n    for (int i = 0; i < 9; ++i) x += i;\n"
              "    FOLDWISE_UNROLL_BY(n)\n    for (int i = 0; i < 9; ++i) x += i;\n"
              "FOLDWISE_UNROLL(1)\n    for (int i = 0; i < 9; ++i) x += i;\n"
              "    FOLDWISE_UNROLL_FULLY for (int i = 0; i < 9; ++i) x += i;\n"
              "FOLDWISE_UNROLL(3)\n    for (int i = 0; i < 9; ++i) x += i;\n"
              "FOLDWISE_CPU_PRAGMA(GCC ivdep)\n\n    for (int i = 0; i < 9; ++i) x += i;\n"
              "FOLDWISE_CPU_PRAGMA(omp simd safelen(4))\n    for (int i = 0; i < 9; ++i) x += i;\n    return x;\n}");
}

TEST(SourceText, ANumberThatClangsParserReadsOfAPragmaIsNoPartOfTheText) {
    EXPECT_EQ(blockOf("struct S { float g(float x) {\n#pragma unroll 4\n    for (int i = 0; i < 9; ++i) x += i;\n"
                      "    return x; } };\nauto f = foldwise::vectorize([](float x) { return S{}.g(x); });"),
              "{ return S{}.g(x); }");
    EXPECT_EQ(parse("struct S { float g(float x) {\n#pragma unroll 4\n    for (int i = 0; i < 9; ++i) x += i;\n"
                    "    return x; } };\nauto f = foldwise::vectorize([](float x) { return S{}.g(x); });")
                  .declarations(),
              std::vector<std::string>{"struct S { float g(float x) {\nFOLDWISE_UNROLL(4)\n"
                                       "    for (int i = 0; i < 9; ++i) x += i;\n    return x; } };"});
}

TEST(SourceText, BytesThatAreNotUtf8BecomeEscapes) {
    EXPECT_EQ(blockOf("auto f = foldwise::vectorize([](int i) { return \"\xe9\x31\xc3\xa9\"[i] + '\xff'; });"),
              "{ return \"\\3511\\303\\251\"[i] + '\\377'; }");
    EXPECT_EQ(blockOf("auto f = foldwise::vectorize([](int i) { return u8\"\xc3\xa9\"[i] + L'\xc3\xa9'; });"),
              "{ return u8\"\xc3\xa9\"[i] + L'\xc3\xa9'; }");
    using namespace std::string_literals;
    EXPECT_EQ(blockOf("auto f = foldwise::vectorize([](int i) { return L\"\xc3\xa9\0\"[i]; });"s),
              "{ return L\"\xc3\xa9\\000\"[i]; }");
}

TEST(SourceText, CommentsThatAreNotUtf8AreMadeSo) {
    EXPECT_EQ(blockOf("auto f = foldwise::vectorize([](int i) {  // caf\xe9\n    return i;\n});"),
              "{  // caf\xef\xbf\xbd\n    return i;\n}");
}

TEST(SourceText, ByteOrderMarksAndCarriageReturnsAreLeftOut) {
    const Parsed parsed =
        parse("#include \"helper.hpp\"\nauto f = foldwise::vectorize([](int i) { return g(i); });",
              {{"helper.hpp", "\xef\xbb\xbfinline int g(int i) {\r\n    return\r\n        i;\r\n}\r\n"}});
    EXPECT_EQ(parsed.declarations(), std::vector<std::string>{"inline int g(int i) {\n    return\n        i;\n}"})
        << parsed.messages;
    EXPECT_EQ(parsed.unit.declarations.at(0).place.line, 1u);
}

TEST(SourceText, RawStringsKeepTheirLines) {
    EXPECT_EQ(blockOf("auto f = foldwise::vectorize([](int i) {\n    return R\"x(a\n  \"b\\n)x\"[i]; });"),
              "{\n    return R\"x(a\n  \"b\\n)x\"[i]; }");
}
