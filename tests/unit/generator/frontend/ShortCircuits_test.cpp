// tests/unit/generator/frontend/ShortCircuits_test.cpp: which `||` and `&&` of a body become `|` and `&` on a GPU.
#include "parsed.hpp"

#include <gtest/gtest.h>

using namespace foldwise;

namespace {

const std::string operandTypes = R"(
#include <cmath>
#define EITHER(a, b) a || b
struct best { float value; int place; };
struct strict {
    int number;
    friend strict operator&&(strict a, strict b) { return {a.number * b.number}; }
    friend bool operator<(strict a, strict b) { return a.number < b.number; }
};
)";

/// A kernel's block as it is written for a GPU, with brackets around what is made a bool again.
std::string onGpu(const std::string& kernel) {
    const Parsed parsed = parse(operandTypes + kernel);
    if (!parsed.ok) return parsed.messages;
    return blockWith({{MarkKind::ShortCircuit, {1, ""}},
                      {MarkKind::ShortCircuits, {0, "["}},
                      {MarkKind::ShortCircuitsEnd, {0, "]"}}},
                     parsed.body("k"));
}

std::string bodyOnGpu(const std::string& body) {
    return onGpu("auto k = foldwise::vectorize([](float x, best a, best b, bool c, foldwise::half h, int n) -> bool {" +
                 body + "});\n");
}

TEST(ShortCircuits, ComparisonsOfParametersAndVariablesAreAllComputed) {
    EXPECT_EQ(bodyOnGpu("return a.value < b.value || (a.value == b.value && a.place < b.place);"),
              "return [a.value < b.value | (a.value == b.value & a.place < b.place)];");
    EXPECT_EQ(bodyOnGpu("return c || !(x < 1) || n != 2;"), "return [c | !(x < 1) | n != 2];");
    EXPECT_EQ(bodyOnGpu("return h < x && h == a.value;"), "return [h < x & h == a.value];");
    EXPECT_EQ(bodyOnGpu("return std::isnan(x) || std::isnan(a.value);"),
              "return [std::isnan(x) | std::isnan(a.value)];");
    EXPECT_EQ(bodyOnGpu("const bool d = x < 1; return n > 1 && d;"), "const bool d = x < 1; return [n > 1 & d];");
    EXPECT_EQ(bodyOnGpu("return std::sin(x) < 1 || c;"),
              "return std::sin(x) < 1 || c;");  // the call may have an effect
}

TEST(ShortCircuits, WhatMayFailOrHaveAnEffectIsNot) {
    for (const char* const body :
         {"return n != 0 && 7 / n > 1;", "return c || n++ > 1;", "return n++ > 1 || n < 7;", "return n || c;",
          "return n && 2;", "int m; if (c) m = 2; return c && m > 1;", "const float* p = &x; return c || *p > 1;",
          "float all[2] = {x, 1}; return c && all[n] > 1;", "return n > 1 && n + 1 < 7;",
          "return c || std::cos(x) > 0;", "return c or n > 1;"})
        EXPECT_EQ(bodyOnGpu(body), body);
    EXPECT_EQ(bodyOnGpu("return EITHER(c, n > 1);"), "return c || n > 1;");
}

TEST(ShortCircuits, ResultsAreBoolsWhereNumbersWouldDiffer) {
    EXPECT_EQ(bodyOnGpu("if (c || n > 1) return !(c && x < 1); return (c && n > 2) || x < 2 ? c : n > 7;"),
              "if (c | n > 1) return !(c & x < 1); return (c & n > 2) | x < 2 ? c : n > 7;");
    EXPECT_EQ(bodyOnGpu("const bool d = c || n > 1; const auto e = c && n > 1; return d + (e || c);"),
              "const bool d = c | n > 1; const auto e = [c & n > 1]; return d + ([e | c]);");
    EXPECT_EQ(bodyOnGpu("while (c && n > 1) c = n < 2 || c; return bool(c || n > 2);"),
              "while (c & n > 1) c = [n < 2 | c]; return bool(c | n > 2);");
}

TEST(ShortCircuits, MoreThanAFewOperationsAreNot) {
    EXPECT_EQ(bodyOnGpu("return c || (n > 1 && n < 9 && x > 1 && x < 9);"),
              "return c || (n > 1 & n < 9 & x > 1 & x < 9);");
}

// `|` and `&` bind tighter than `||` and `&&`.
TEST(ShortCircuits, AnOperandThatStaysIsNotTornApart) {
    EXPECT_EQ(bodyOnGpu("return c && n++ > 1 || x < 1;"), "return c && n++ > 1 || x < 1;");
    EXPECT_EQ(bodyOnGpu("return (c && n % 3 > 1) || x < 1;"), "return [(c && n % 3 > 1) | x < 1];");
    EXPECT_EQ(bodyOnGpu("return c && n > 1 || x < 1 && x > 0;"), "return [c & n > 1 | x < 1 & x > 0];");
}

TEST(ShortCircuits, OfTemplatesInAllInstances) {
    const std::string lambda = "[](auto x, auto y) { return bool(x < y && y < x); });\n";
    EXPECT_EQ(onGpu("auto k = foldwise::vectorize<bool(float, float), bool(int, double)>(" + lambda),
              " return bool(x < y & y < x); ");
    EXPECT_EQ(onGpu("auto k = foldwise::vectorize<bool(float, float), bool(strict, strict)>(" + lambda),
              " return bool(x < y && y < x); ");
    EXPECT_EQ(onGpu("auto k = foldwise::vectorize([](strict x, strict y) { return (x && y).number; });\n"),
              " return (x && y).number; ");
}

}  // namespace
