// tests/run/numerics_test.cpp: what docs/numerics.md says is the same to the bit: as called on the host, on the CPU and
// on the simulator. On a GPU these kernels are compiled CONTRACT OFF, and it holds there too.
#include "numerics.kernels.hpp"
#include "numerics_formulas.hpp"
#include "std_values.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <cstring>
#include <random>
#include <vector>

namespace {

constexpr std::size_t count = 1003;  // whole vectors, and some elements behind them

/// Numbers of few and of many magnitudes, with some that are zero, subnormal or infinite.
template <class T> std::vector<T> numbers(unsigned seed) {
    std::mt19937 rng(seed);
    std::uniform_real_distribution<double> near(-3, 3), exponent(-40, 40);
    std::vector<T> values;
    for (const T edge : std_values::edges<T>()) values.push_back(edge);
    std::shuffle(values.begin(), values.end(), rng);
    while (values.size() < count)
        values.push_back(static_cast<T>(values.size() % 3 ? near(rng) : near(rng) * std::exp2(exponent(rng))));
    return values;
}

template <class T> void expect_same(const std::vector<T>& got, const std::vector<T>& want, const char* what) {
    ASSERT_EQ(got.size(), want.size());
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < got.size(); ++i) {
        if (std_values::identical(got[i], want[i])) continue;
        if (++wrong <= 3) ADD_FAILURE() << what << ", element " << i << ": got " << got[i] << ", want " << want[i];
    }
    EXPECT_EQ(wrong, 0u) << what << " of " << got.size();
}

/// The numbers that elements are made of.
template <class Number, class Element> std::vector<Number> flat(const std::vector<Element>& elements) {
    std::vector<Number> numbers(elements.size() * (sizeof(Element) / sizeof(Number)));
    std::memcpy(numbers.data(), elements.data(), elements.size() * sizeof(Element));
    return numbers;
}

template <class T, class Kernel, class Exact> void expression(const char* name, Kernel kernel, Exact exact) {
    const std::vector<T> x = numbers<T>(1), y = numbers<T>(2), z = numbers<T>(3);
    std::vector<T> want(count);
    for (std::size_t i = 0; i < count; ++i) want[i] = exact(x[i], y[i], z[i]);
    expect_same(kernel(x, y, z).to_host(), want, name);
}

#define EXPRESSION(name, ...)                                                                                          \
    TEST(Expressions, name) {                                                                                          \
        const auto kernel = [](const auto&... x) { return numerics::name(x...); };                                     \
        const auto exact = []<class T>(T x, T y, [[maybe_unused]] T z) -> T { return __VA_ARGS__; };                   \
        expression<float>(#__VA_ARGS__, kernel, exact);                                                                \
        expression<double>(#__VA_ARGS__, kernel, exact);                                                               \
    }
#include "expressions.def"

TEST(Expressions, FusedWhereTheUserSaysSo) {
    const auto kernel = [](const auto&... x) { return numerics::fused_of(x...); };
    const auto exact = [](auto... x) { return numerics::fused(x...); };
    expression<float>("fma", kernel, exact);
    expression<double>("fma", kernel, exact);
}

TEST(SumsOfProducts, OfQuaternions) {
    const std::vector<float> numbers_of_p = numbers<float>(4), numbers_of_q = numbers<float>(5);
    std::vector<numerics::quat> p(count / 4), q(count / 4), want(count / 4);
    std::memcpy(p.data(), numbers_of_p.data(), p.size() * sizeof p[0]);
    std::memcpy(q.data(), numbers_of_q.data(), q.size() * sizeof q[0]);
    for (std::size_t i = 0; i < p.size(); ++i) want[i] = numerics::hamilton(p[i], q[i]);
    expect_same(flat<float>(numerics::product(p, q).to_host()), flat<float>(want), "product");
}

TEST(SumsOfProducts, OfStructs) {
    const std::vector<double> a = numbers<double>(6), b = numbers<double>(7), c = numbers<double>(8);
    std::vector<numerics::pair> want(count);
    for (std::size_t i = 0; i < count; ++i) want[i] = numerics::spread(a[i], b[i], c[i]);
    expect_same(flat<double>(numerics::spread_of(a, b, c).to_host()), flat<double>(want), "spread_of");
}

TEST(SumsOfProducts, OfLocalArrays) {
    const std::vector<float> a = numbers<float>(9);
    std::vector<float> x(count), y = numbers<float>(10), want(count);
    for (std::size_t i = 0; i < count; ++i) {
        x[i] = std::isfinite(a[i]) && std::abs(a[i]) < 1e6f ? a[i] : 1.5f;
        want[i] = numerics::picked(x[i], y[i]);
    }
    expect_same(numerics::picked_of(x, y).to_host(), want, "picked_of");
}

TEST(SumsOfProducts, OfComplexNumbers) {
    std::mt19937 rng(11);
    std::uniform_real_distribution<float> any(-3, 3);
    std::vector<std::complex<float>> x(count), y(count), want(count);
    for (std::size_t i = 0; i < count; ++i) {
        x[i] = {any(rng), any(rng)};
        y[i] = {any(rng), any(rng)};
        want[i] = x[i] * y[i] + x[i];
    }
    expect_same(flat<float>(numerics::complex_product(x, y).to_host()), flat<float>(want), "complex_product");
}

TEST(SumsOfProducts, OfNeighboursThatATaskWrites) {
    const std::vector<float> a = numbers<float>(12), b = numbers<float>(13);
    std::vector<float> out(2 * count), want(2 * count);
    numerics::interleaved(count, a, b, out);
    for (std::size_t i = 0; i < count; ++i) {
        want[2 * i] = a[i] * b[i] - a[i];
        want[2 * i + 1] = a[i] * b[i] + a[i];
    }
    expect_same(out, want, "interleaved");
}

// Few elements, which are folded in their order whatever the backend.
TEST(SumsOfProducts, OfAccumulators) {
    std::mt19937 rng(14);
    std::uniform_real_distribution<double> any(-2, 2);
    const std::vector<double> a = {any(rng), any(rng)}, b = {any(rng), any(rng)}, c = {any(rng), any(rng)};
    const numerics::pair x = numerics::spread(a[0], b[0], c[0]), y = numerics::spread(a[1], b[1], c[1]);
    const numerics::pair got = numerics::spread_sum(a, b, c);
    const numerics::pair want = {x.low * y.high - y.low, x.low * y.high + y.low};
    EXPECT_EQ(got.low, want.low);
    EXPECT_EQ(got.high, want.high);
}

// But for the sign of zero, which GCC 12 keeps.
TEST(Conversions, ToIntegersAndBack) {
    std::vector<float> x = {-0.5f, -0.0f, 0.5f, -0.999f, 1.5f, -1.5f};
    x.resize(count, -0.25f);
    const std::vector<double> wide(x.begin(), x.end());
    std::vector<float> want(count);
    for (std::size_t i = 0; i < count; ++i) want[i] = x[i] >= 1 ? 1.0f : x[i] <= -1 ? -1.0f : 0.0f;
    EXPECT_EQ(numerics::whole(x).to_host(), want);
    EXPECT_EQ(numerics::whole_double(wide).to_host(), std::vector<double>(want.begin(), want.end()));
}

}  // namespace
