// tests/unit/generator/frontend/CountOperations_test.cpp: the operations that are counted in kernels' bodies.
#include "parsed.hpp"

#include <gtest/gtest.h>
#include <llvm/ADT/StringExtras.h>

using namespace foldwise;

static std::string text(const Operations& operations) {
    std::string out;
    llvm::ListSeparator comma;
    for (const OperationCount& c : operations.counts)
        out += llvm::StringRef(comma).str() + textOf(c.operation, c.count);
    for (const Repetition& repetition : operations.repeated) {
        out += llvm::StringRef(comma).str() + std::to_string(repetition.times) + " x ";
        out += repetition.kind == RepetitionKind::Loop ? "loop " : "recursion ";
        out += std::to_string(repetition.place.line) + " {" + text(repetition.each) + "}";
    }
    return out;
}

/// The operations of the first signature of `auto f = foldwise::vectorize<what...`, which begins on line 3.
static std::string count(const std::string& what, const std::string& before = "") {
    const Parsed parsed = parse(before + "\nauto f = foldwise::vectorize" + what + ";");
    return text(parsed.signature("f").operations);
}

TEST(CountOperations, ByTypeAndClass) {
    EXPECT_EQ(count("([](float x, float y) { return x * y + x / y; })"),
              "1 float32 addition, 1 float32 multiplication, 1 float32 division");
    EXPECT_EQ(count("([](double x, double y) { return x < y ? x - y : y; })"),
              "1 float64 addition, 1 float64 comparison");
    EXPECT_EQ(count("([](int x, int y) { return (x + y) * (x & 3) << 2; })"), "4 integer operations");
    EXPECT_EQ(count("([](long x, long y) { return x * y; })"), "1 64-bit integer operation");
}

TEST(CountOperations, IntegerDivisionByAConstantIsNone) {
    EXPECT_EQ(count("([](int x, int y) { return x / y; })"), "1 integer division");
    EXPECT_EQ(count("([](long x, long y) { return x % y; })"), "1 64-bit integer division");
    EXPECT_EQ(count("([](int x) { return x / 10; })"), "2 integer operations");
}

TEST(CountOperations, CompoundAssignmentsAndSteps) {
    EXPECT_EQ(count("([](float x) { x += 1; x *= x; return x; })"), "1 float32 addition, 1 float32 multiplication");
    EXPECT_EQ(count("([](int x) { ++x; return x--; })"), "2 integer operations");
    EXPECT_EQ(count("([](float x) { x += 1.0; return x; })"), "1 float64 addition, 2 64-bit conversions");
}

TEST(CountOperations, ASignIsFree) {
    EXPECT_EQ(count("([](float x) { return -x; })"), "");
    EXPECT_EQ(count("([](int x) { return -x; })"), "1 integer operation");
}

TEST(CountOperations, WhatIsComputedWhileCompilingIsFree) {
    EXPECT_EQ(count("([](float x) { return x * (2 * 3.0f + 1); })"), "1 float32 multiplication");
    EXPECT_EQ(count("([](float x) { return x * sizeof(x + x); })"), "1 float32 multiplication");
    EXPECT_EQ(count("([](float x) { return x * cube(2); })", "constexpr float cube(float x) { return x * x * x; }"),
              "1 float32 multiplication");
}

TEST(CountOperations, Conversions) {
    EXPECT_EQ(count("([](int n, float x) { return n * x; })"), "1 float32 multiplication, 1 conversion");
    EXPECT_EQ(count("([](float x) { return 2.0 * x; })"), "1 float64 multiplication, 1 64-bit conversion");
    EXPECT_EQ(count("([](short n) { return n + 1L; })"), "1 64-bit integer operation");
}

TEST(CountOperations, SixteenBitFloatsAreComputedWithInFloat) {
    EXPECT_EQ(count("([](foldwise::half x) { return x * x; })"), "1 float32 multiplication, 2 conversions");
    EXPECT_EQ(count("<foldwise::half(foldwise::half)>([](float x) { return x + x; })"),
              "1 float32 addition, 1 conversion");
}

TEST(CountOperations, ResultsThatAreConverted) {
    EXPECT_EQ(count("<float(double)>([](auto x) { return x; })"), "1 64-bit conversion");
    EXPECT_EQ(count("<std::tuple<float, int>(float)>([](auto x) { return std::tuple{x, x}; })", "#include <tuple>"),
              "1 conversion");
}

TEST(CountOperations, FunctionsOfTheLibrary) {
    const std::string cmath = "#include <cmath>";
    EXPECT_EQ(count("([](float x) { return std::exp(x) + std::sin(x); })", cmath),
              "1 float32 addition, 2 float32 functions");
    EXPECT_EQ(count("([](double x) { return std::sqrt(x) + std::pow(x, x); })", cmath),
              "1 float64 addition, 1 float64 root, 1 float64 function");
    EXPECT_EQ(count("([](float x) { return std::fma(x, x, x); })", cmath),
              "1 float32 addition, 1 float32 multiplication");
    EXPECT_EQ(count("([](float x) { return std::abs(std::fabs(x)); })", cmath), "");
    EXPECT_EQ(count("([](float x) { return std::fmax(x, 0.0f); })", cmath), "1 float32 comparison");
    EXPECT_EQ(count("([](float x) { return expf(x); })", "#include <math.h>"), "1 float32 function");
    EXPECT_EQ(count("([](float x) { return std::floor(x); })", cmath), "1 conversion");
    EXPECT_EQ(count("([](int x) { return std::abs(x); })", "#include <cstdlib>"), "1 integer operation");
}

TEST(CountOperations, TheLibrarysOwnCodeIsCounted) {
    EXPECT_EQ(count("([](float x) { return std::clamp(x, 0.0f, 1.0f); })", "#include <algorithm>"),
              "2 float32 comparisons");
    EXPECT_EQ(count("([](unsigned x) { return std::popcount(x); })", "#include <bit>"), "1 count of bits");
    EXPECT_EQ(count("([](std::complex<double> z) { return z * z; })", "#include <complex>"),
              "2 float64 additions, 4 float64 multiplications");
    EXPECT_EQ(count("([](float x) { return std::tuple{x, x + 1}; })", "#include <tuple>"), "1 float32 addition");
}

TEST(CountOperations, AFunctionOfTheUsersOwnHasItsBody) {
    EXPECT_EQ(count("([](float x) { return user::exp(x) + user::exp(x); })",
                    "namespace user { inline float exp(float x) { return x * x; } }"),
              "1 float32 addition, 2 float32 multiplications");
    EXPECT_EQ(count("([](float x) { return Scaled(x).twice(); })",
                    "struct Scaled { float v; Scaled(float x) : v(3 * x) {} float twice() const { return v + v; } };"),
              "1 float32 addition, 1 float32 multiplication");
    EXPECT_EQ(count("([](float x) { auto g = [](float y) { return y * y; }; return g(x) + g(2 * x); })"),
              "1 float32 addition, 3 float32 multiplications");
}

TEST(CountOperations, AFunctionOfUnknownCostIsSaidToBeOne) {
    EXPECT_EQ(count("([](std::complex<float> z) { return std::exp(z); })", "#include <complex>"),
              "1 call of unknown cost");
}

TEST(CountOperations, EveryBranchCountsButThoseNeverTaken) {
    EXPECT_EQ(count("([](float x) { if (x > 0) return x + 1; else return x * 2; })"),
              "1 float32 addition, 1 float32 multiplication, 1 float32 comparison");
    EXPECT_EQ(count("<float(float)>([](auto x) { if constexpr (sizeof(x) == 4) return x + 1; else return x * x; })"),
              "1 float32 addition");
    EXPECT_EQ(count("([](float x) { return sizeof(x) == 8 ? x * x : x; })"), "");
}

TEST(CountOperations, LoopsOfKnownTripsMultiply) {
    EXPECT_EQ(count("([](float x) { for (int i = 0; i < 8; ++i) x = x * x; return x; })"), "8 float32 multiplications");
    EXPECT_EQ(count("([](float x) { for (int i = 10; 0 <= i; i -= 5) for (unsigned k = 1; k != 16; k *= 2) x += x; "
                    "return x; })"),
              "12 float32 additions");
    EXPECT_EQ(count("([](float x) { const float c[] = {1, 2, 3}; for (float k : c) x = x * k; return x; })"),
              "3 float32 multiplications");
    EXPECT_EQ(
        count("([](std::array<float, 4> a) { float s = 0; for (float k : a) s += k; return s; })", "#include <array>"),
        "4 float32 additions");
    EXPECT_EQ(count("<float(float)>([](auto x) { for (int i = 0; i < int(sizeof x); ++i) x += 1; return x; })"),
              "4 float32 additions");
}

TEST(CountOperations, LoopsOfUnknownTripsAreListed) {
    EXPECT_EQ(count("([](int n) {\nint s = 0;\nfor (int i = 0; i < n; ++i)\ns += i;\nreturn s; })"),
              "1 x loop 5 {3 integer operations}");
    EXPECT_EQ(count("([](int n) {\nwhile (n > 1) n = n - 2;\nreturn n; })"), "1 x loop 4 {2 integer operations}");
    EXPECT_EQ(count("([](float x) {\ndo x = x * x; while (x < 1);\nreturn x; })"),
              "1 x loop 4 {1 float32 multiplication, 1 float32 comparison}");
    EXPECT_EQ(count("([](int n) {\nfor (int k = 0; k < 4; ++k)\nwhile (n > 1) n = n - 2;\nreturn n; })"),
              "4 x loop 5 {2 integer operations}");
    EXPECT_EQ(count("([](int n) {\nwhile (n > 1)\nwhile (n > k(n)) --n;\nreturn n; })",
                    "inline int k(int n) { return n ^ 1; }"),
              "1 x loop 4 {1 integer operation, 1 x loop 5 {3 integer operations}}");
}

TEST(CountOperations, ALoopThatMayEndEarlyOrChangesItsCounterHasUnknownTrips) {
    EXPECT_EQ(count("([](int n) { for (int i = 0; i < 8; ++i) if (n == i) break; return n; })"),
              "1 x loop 3 {3 integer operations}");
    EXPECT_EQ(count("([](int n) { for (int i = 0; i < 8; ++i) if (n == i) return i; return n; })"),
              "1 x loop 3 {3 integer operations}");
    EXPECT_EQ(count("([](int n) { for (int i = 0; i < 8; ++i) i += n; return n; })"),
              "1 x loop 3 {3 integer operations}");
    EXPECT_EQ(count("([](int n) { for (int i = 0; i < 8; ++i) { int& k = i; k += n; } return n; })"),
              "1 x loop 3 {3 integer operations}");
    // Reading the counter by a reference does not change it.
    EXPECT_EQ(count("([](int n) { for (int i = 0; i < 8; ++i) { const int& k = i; n += k; } return n; })"),
              "8 integer operations");
    // Only a loop's own `break` ends it.
    EXPECT_EQ(count("([](int n) { for (int i = 0; i < 8; ++i) switch (n) { case 1: ++n; break; } return n; })"),
              "8 integer operations");
    EXPECT_EQ(count("([](int n) { for (int i = 0; i >= 0; --i, ++n) {} return n; })"),
              "1 x loop 3 {3 integer operations}");
}

TEST(CountOperations, RecursionIsGuarded) {
    EXPECT_EQ(count("([](unsigned n) { return even(n) ? 1 : 0; })",
                    "bool odd(unsigned n); inline bool even(unsigned n) { return n == 0 || odd(n - 1); } inline bool "
                    "odd(unsigned n) { return n != 0 && even(n - 1); }"),
              "4 integer operations, 1 x recursion 2 {}");
}
