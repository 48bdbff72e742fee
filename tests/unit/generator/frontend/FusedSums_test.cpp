// tests/unit/generator/frontend/FusedSums_test.cpp: which kernels GCC's vectoriser may fuse products and sums in.
#include "parsed.hpp"

#include <gtest/gtest.h>

using namespace foldwise;

/// Whether GCC may fuse sums in the first signature of `auto f = foldwise::what;`.
static bool mayFuse(const std::string& what, const std::string& before = "") {
    return parse(before + "\nauto f = foldwise::" + what + ";").signature("f").mayFuse;
}

static const std::string pair = "struct pair { float a, b; };";

TEST(FusedSums, NeedElementsOfSeveralParts) {
    EXPECT_TRUE(mayFuse("vectorize([](float x, float y) { return pair{x * y - x, x * y + x}; })", pair));
    EXPECT_FALSE(mayFuse("vectorize([](float x, float y) { return x * y - x + y; })"));
    EXPECT_FALSE(
        mayFuse("vectorize([](float x, float y) { const pair p{x * y - x, x * y + x}; return p.a * p.b; })", pair))
        << "a local struct stays in registers";
    EXPECT_TRUE(
        mayFuse("vectorize([](float x, int i) { const float p[] = {x * x - x, x * x + x}; return p[i & 1]; })"));
    EXPECT_TRUE(mayFuse("vectorize([](float x, int i) { const table t{{x * x - x, x * x + x}}; return t.p[i & 1]; })",
                        "struct table { float p[2]; };"));
}

TEST(FusedSums, NeedAllThreeOperations) {
    EXPECT_FALSE(mayFuse("vectorize([](float x, float y) { return pair{x * y, x * y + x}; })", pair));
    EXPECT_FALSE(mayFuse("vectorize([](float x, float y) { return pair{x - y, x + y}; })", pair));
    EXPECT_FALSE(
        mayFuse("vectorize([](int x, int y) { return pair{x * y - x, x * y + x}; })", "struct pair { int a, b; };"));
    EXPECT_TRUE(mayFuse("vectorize([](float x, float y) { return pair{x / 2 + -y, x / 2 + y}; })", pair))
        << "half of x is a product, and a negative summand a difference";
    EXPECT_TRUE(mayFuse(
        "vectorize([](float x, float y) { float a = x * y, b = a; a += x; b -= x; return pair{a, b}; })", pair));
}

TEST(FusedSums, OfWhatIsCalled) {
    const std::string twice = pair + "inline pair both(float x, float y) { return {x * y - x, x * y + x}; }";
    EXPECT_TRUE(mayFuse("vectorize([](float x, float y) { return both(x, y); })", twice));
    const std::string complex = "#include <complex>\nusing c = std::complex<float>;";
    EXPECT_TRUE(mayFuse("vectorize([](c x, c y) { return x * y; })", complex)) << "in the library's own code";
    EXPECT_FALSE(mayFuse("vectorize([](c x, c y) { return x + y; })", complex));
}

TEST(FusedSums, OfAccumulators) {
    const std::string parts = "foldwise::map([](float x) { return pair{x * x - 1, x * x + 1}; }), "
                              "[](pair a, pair b) { return pair{a.a + b.a, a.b + b.b}; }, foldwise::no_identity)";
    EXPECT_TRUE(mayFuse("reduce<pair(float)>(" + parts, pair));
    EXPECT_FALSE(mayFuse("reduce<float(float)>(foldwise::map([](float x) { return x * x - x; }), "
                         "[](float a, float b) { return a + b; }, foldwise::identity(0))"));
}

TEST(FusedSums, OfTasksThatWriteNeighbours) {
    const std::string begin = "forall([](foldwise::index<1> i, foldwise::view<const float, 1> a, "
                              "foldwise::view<float, 1> out) { ";
    EXPECT_FALSE(mayFuse(begin + "out[i] = a[i] * a[i] - a[i] + 1; })"));
    EXPECT_TRUE(mayFuse(begin + "out[2 * i[0]] = a[i] * a[i] - a[i]; out[2 * i[0] + 1] = a[i] * a[i] + a[i]; })"));
    EXPECT_TRUE(mayFuse(begin + "for (int k = 0; k < 2; ++k) out[2 * i[0] + k] = a[i] * a[i] - a[i] + k; })"));
    EXPECT_TRUE(mayFuse(begin + "put(out[i], a[i] * a[i] - a[i] + 1); })",
                        "inline void put(float& to, float value) { to = value; }"))
        << "what a function writes is not followed";
    EXPECT_TRUE(mayFuse(begin + "std::atomic_ref(out[2 * i[0]]).fetch_sub(a[i] * a[i]);"
                                "std::atomic_ref(out[2 * i[0] + 1]).fetch_add(a[i] * a[i]); })",
                        "#include <atomic>"))
        << "a CPU thread may add to memory of its own";
    EXPECT_TRUE(mayFuse(begin + "std::atomic_ref(out[2 * i[0]]) -= a[i] * a[i];"
                                "std::atomic_ref(out[2 * i[0] + 1]) += a[i] * a[i]; })",
                        "#include <atomic>"));
    EXPECT_TRUE(mayFuse("forall([](foldwise::index<1> i, foldwise::view<pair, 1> out) { "
                        "const float x = i[0]; out[i] = pair{x * x - 1, x * x + 1}; })",
                        pair));
}
