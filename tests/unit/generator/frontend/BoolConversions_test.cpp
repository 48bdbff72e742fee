// tests/unit/generator/frontend/BoolConversions_test.cpp: which bools of a body are marked, and where they end.
#include "parsed.hpp"

#include <gtest/gtest.h>

using namespace foldwise;

namespace {

const std::string types = R"(
#define LESS(a, b) a < b
struct flags {
    bool on : 1;
};
)";

/// A kernel's block with brackets around the bools of which floating-point numbers are made, `]` before the next token.
std::string bracketed(const std::string& kernel) {
    const Parsed parsed = parse(types + kernel);
    if (!parsed.ok) return parsed.messages;
    return blockWith({{MarkKind::Conversion, {0, "["}}, {MarkKind::ConversionEnd, {0, "]"}}}, parsed.body("k"));
}

std::string inBody(const std::string& body) {
    return bracketed("auto k = foldwise::vectorize([](float x, double y, bool b, bool c, flags f, int n) -> float {" +
                     body + "});\n");
}

TEST(BoolConversions, ByCastsAndByThemselves) {
    EXPECT_EQ(inBody("return static_cast<float>(b) + float(b || c);"),
              "return static_cast<float>([b]) + float([b || c]);");
    EXPECT_EQ(inBody("return (float)!b;"), "return (float)[!b];");
    EXPECT_EQ(inBody("const float t = x < 1; return t * c;"), "const float t = [x < 1]; return t * [c];");
    EXPECT_EQ(inBody("x += b; return x * (b && c);"), "x += [b]; return x * [(b && c)];");
    EXPECT_EQ(inBody("return y < x ? f.on : y;"), "return y < x ? [f.on ]: y;");
    EXPECT_EQ(inBody("return LESS(x, y);"), "return [x < y];");
    EXPECT_EQ(inBody("return x < float(b);"), "return [x < float([b])];");
}

TEST(BoolConversions, OtherNumbersAreLeftAlone) {
    for (const char* const body : {"return n;", "return b ? 1.0f : 0.0f;", "return b + c;", "return int(b) + x;"})
        EXPECT_EQ(inBody(body), body);
}

TEST(BoolConversions, OfTemplatesInAnyInstance) {
    EXPECT_EQ(bracketed("auto k = foldwise::vectorize<float(float), float(bool)>([](auto x) { return float(x); });\n"),
              " return float([x]); ");
    EXPECT_EQ(bracketed("auto k = foldwise::vectorize<float(float), float(int)>([](auto x) { return float(x); });\n"),
              " return float(x); ");
    EXPECT_EQ(bracketed("auto k = foldwise::vectorize([](float x, bool b) {"
                        "return [](auto a, auto c) { return a * c; }(x, b); });\n"),
              "return [](auto a, auto c) { return a * [c]; }(x, b); ");
}

}  // namespace
