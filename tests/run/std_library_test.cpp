// tests/run/std_library_test.cpp: the standard library in kernels against the same code on the host.
#include "std_library.kernels.hpp"
#include "std_values.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <limits>
#include <numbers>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

namespace {

/// Small numbers, powers of two and their neighbours, and random bits.
template <class T> std::vector<T> integers(unsigned seed = 1) {
    std::vector<T> values = {0, 1, 2, 3, 5, 6, 7, std::numeric_limits<T>::max(), std::numeric_limits<T>::min()};
    for (int bit = 2; bit < std::numeric_limits<T>::digits; ++bit)
        for (const int by : {-1, 0, 1}) values.push_back(static_cast<T>((T{1} << bit) + static_cast<T>(by)));
    std::mt19937_64 rng(seed);
    for (int i = 0; i < 200; ++i) values.push_back(static_cast<T>(rng() >> (rng() % 64)));
    return values;
}

/// Random numbers of a range.
template <class T> std::vector<T> between(T low, T high, unsigned seed) {
    std::mt19937 rng(seed);
    std::vector<T> values(400);
    for (T& value : values)
        value = static_cast<T>(low + static_cast<T>(rng() % static_cast<std::uint32_t>(high - low + 1)));
    return values;
}

template <class Kernel, class Reference, class First, class... In>
void same(Kernel kernel, Reference reference, const std::vector<First>& first, const std::vector<In>&... in) {
    const auto got = kernel(first, in...).to_host();
    for (std::size_t i = 0; i < first.size(); ++i)
        ASSERT_EQ(got[i], static_cast<std::decay_t<decltype(got[i])>>(reference(first[i], in[i]...)))
            << "at " << i << ", of " << +first[i];
}

#define KERNEL(name) [](const auto&... x) { return std_library::name(x...); }

#define BITS(name)                                                                                                     \
    TEST(bits, name) {                                                                                                 \
        const auto reference = [](auto x) { return std::name(x); };                                                    \
        same(KERNEL(name), reference, integers<std::uint8_t>());                                                       \
        same(KERNEL(name), reference, integers<std::uint16_t>());                                                      \
        same(KERNEL(name), reference, integers<std::uint32_t>());                                                      \
        same(KERNEL(name), reference, integers<std::uint64_t>());                                                      \
    }
BITS(countl_zero)
BITS(countl_one)
BITS(countr_zero)
BITS(countr_one)
BITS(popcount)
BITS(has_single_bit)
BITS(bit_width)
BITS(bit_floor)

TEST(bits, bit_ceil) {
    const auto reference = [](auto x) { return std::bit_ceil(x >> 1); };
    same(KERNEL(bit_ceil), reference, integers<std::uint32_t>());
    same(KERNEL(bit_ceil), reference, integers<std::uint64_t>());
}

TEST(bits, rotate) {
    const auto reference = [](auto x, std::int32_t n) { return std::rotl(x, n) ^ std::rotr(x, 2 * n); };
    for (const std::int32_t n : {-70, -9, -1, 0, 1, 8, 33, 64, 130}) {
        same(KERNEL(rotate), reference, integers<std::uint8_t>(), std::vector(integers<std::uint8_t>().size(), n));
        same(KERNEL(rotate), reference, integers<std::uint64_t>(), std::vector(integers<std::uint64_t>().size(), n));
    }
}

TEST(bits, bit_cast) {
    const auto reference = [](float x, double y) {
        return std::bit_cast<std::uint32_t>(x) ^ std::bit_cast<std::array<std::uint32_t, 2>>(y)[1];
    };
    same(KERNEL(bit_cast), reference, std::vector{0.0f, -1.5f, 3e10f}, std::vector{1.0, -2.5, 1e100});
}

TEST(bits, CompilersFunctions) {
    const auto reference = [](std::uint32_t x, std::uint64_t y, std::int32_t a) {
        std::int32_t sum = 0;
        const bool over = __builtin_add_overflow(a, a, &sum);
        return __builtin_ctz(x | 256) + __builtin_ctzll(y | 4096) + __builtin_popcountl(y) + __builtin_parity(x) +
               __builtin_ffs(a) + static_cast<int>(__builtin_bswap32(x) % 1000) + (over ? 7 : sum % 5);
    };
    const std::vector<std::uint32_t> x = integers<std::uint32_t>();
    std::vector<std::uint64_t> y = integers<std::uint64_t>();
    std::vector<std::int32_t> a = integers<std::int32_t>();
    y.resize(x.size());
    a.resize(x.size());
    same(KERNEL(compilers), reference, x, y, a);
}

TEST(numeric, gcd) {
    const auto reference = [](auto x, auto y) { return std::gcd(x, y); };
    same(KERNEL(gcd), reference, between<std::int32_t>(-5000, 5000, 1), between<std::int32_t>(-100, 100, 2));
    same(KERNEL(gcd), reference, between<std::int64_t>(0, 1 << 30, 1), between<std::int64_t>(0, 1 << 20, 2));
}

TEST(numeric, lcm) {
    const auto reference = [](auto x, auto y) { return std::lcm(x, y); };
    same(KERNEL(lcm), reference, between<std::int64_t>(-90000, 90000, 1), between<std::int64_t>(-300, 300, 2));
}

TEST(numeric, midpoint) {
    const auto reference = [](auto x, auto y) { return std::midpoint(x, y); };
    std::vector<std::int32_t> x = integers<std::int32_t>();
    same(KERNEL(midpoint), reference, x, std::vector(x.rbegin(), x.rend()));
    same(KERNEL(midpoint), reference, std::vector{1.0f, -3e38f, 1e-44f}, std::vector{4.0f, -2e38f, 0.0f});
}

TEST(algorithms, MinMaxClamp) {
    const auto reference = [](auto x, auto y, auto z) {
        const auto [least, most] = std::minmax({x, y, z});
        return std::min(x, y) + std::max({x, y, z}) * 2 + std::clamp(x, least, most) * 3 + std::max(y, z) * 5;
    };
    const std::vector<std::int32_t> x = between(-9, 9, 1), y = between(-9, 9, 2), z = between(-9, 9, 3);
    same(KERNEL(extremes), reference, x, y, z);
    const auto as_floats = [](const std::vector<std::int32_t>& v) { return std::vector<float>(v.begin(), v.end()); };
    same(KERNEL(extremes), reference, as_floats(x), as_floats(y), as_floats(z));
}

TEST(algorithms, SwapExchange) {
    const auto reference = [](std::int32_t x, std::int32_t y) {
        return y - y / 2 + (std::cmp_less(y / 2, static_cast<std::uint32_t>(x)) ? 100 : 0) + x;
    };
    same(KERNEL(swapped), reference, between(-50, 50, 1), between(-50, 50, 2));
}

TEST(numeric, div) {
    const auto reference = [](auto x, auto y) { return x / y * 1000 + x % y + std::abs(x); };
    same(KERNEL(divided), reference, between<std::int32_t>(-500, 500, 1), between<std::int32_t>(1, 20, 2));
    same(KERNEL(divided), reference, between<std::int64_t>(-500, 500, 1), between<std::int64_t>(-20, -1, 2));
}

template <std::size_t N> std::array<std::int32_t, N> digits(std::int32_t x) {
    std::array<std::int32_t, N> result{};
    for (std::int32_t& digit : result) digit = std::exchange(x, x / 10) % 10;
    return result;
}

TEST(arrays, SortAndNth) {
    const auto reference = [](std::int32_t x, std::int32_t n) {
        auto a = digits<9>(x);
        std::sort(a.begin(), a.end());
        return a[static_cast<std::size_t>(n)];
    };
    const std::vector<std::int32_t> x = between(0, 999'999'999, 1), n = between(0, 8, 2);
    same(KERNEL(sorted), reference, x, n);
    same(KERNEL(nth), reference, x, n);
}

TEST(arrays, SortOfMoreThanSixteen) {
    const auto reference = [](std::int32_t x, std::int32_t n) {
        std::array<std::int32_t, 24> a{};
        for (std::int32_t& value : a) value = x = static_cast<std::int32_t>((x * std::int64_t{48271}) % 2147483647);
        std::sort(a.rbegin(), a.rend());
        return a[static_cast<std::size_t>(n)];
    };
    same(KERNEL(sorted_many), reference, between(1, 1 << 30, 1), between(0, 23, 2));
}

TEST(arrays, Folds) {
    const auto reference = [](std::int32_t x) {
        std::int32_t result = 0;
        for (const std::int32_t digit : digits<7>(x)) result += 2 * digit + digit * digit + digit * digit * digit;
        return result;
    };
    same(KERNEL(folded), reference, between(0, 9'999'999, 1));
}

TEST(arrays, Copies) {
    const auto reference = [](std::int32_t x) {
        const auto a = digits<6>(x);
        std::array<std::int32_t, 8> b{};
        std::copy(a.begin(), a.end(), b.begin() + 1);
        std::copy_backward(b.begin(), b.begin() + 4, b.begin() + 6);
        std::reverse(b.begin(), b.end());
        std::rotate(b.begin(), b.begin() + 3, b.end());
        return std::accumulate(b.begin(), b.end(), 0,
                               [](std::int32_t sum, std::int32_t digit) { return sum * 10 + digit; });
    };
    same(KERNEL(copied), reference, between(0, 999'999, 1));
}

TEST(arrays, Searches) {
    const auto reference = [](std::int32_t x, std::int32_t y) {
        auto a = digits<8>(x);
        const auto found = std::find(a.begin(), a.end(), y) - a.begin();
        const auto least = std::min_element(a.begin(), a.end()) - a.begin();
        const auto many = std::count_if(a.begin(), a.end(), [y](std::int32_t digit) { return digit < y; });
        const auto bound = static_cast<std::ptrdiff_t>(a.size()) - std::count(a.begin(), a.end(), y);
        std::remove(a.begin(), a.end(), y);
        const bool any = std::find(a.begin(), a.end(), 3) != a.end();
        return found * 1000 + least * 100 + many * 10 + bound + any * 10000;
    };
    same(KERNEL(searched), reference, between(0, 99'999'999, 1), between(0, 9, 2));
}

TEST(arrays, FillIotaPartialSum) {
    same(
        KERNEL(filled), [](std::int32_t x) { return x + (5 * x + 6) * 2 + 5; }, between(-1000, 1000, 1));
}

TEST(arrays, Comparisons) {
    const auto reference = [](std::int32_t x, std::int32_t y) {
        const auto a = digits<3>(x), b = digits<3>(y);
        return (a == b) + 2 * (a < b) + 4 * (a != b) + 8 * (a >= b) + 16 * (a == b);
    };
    same(KERNEL(compared), reference, between(0, 3, 1), between(0, 3, 2));
    same(KERNEL(compared), reference, between(0, 999, 1), between(0, 999, 2));
    const auto bytes = [](std::uint8_t x, std::uint8_t y) { return x == y ? 3 : 4; };
    same(KERNEL(compared_bytes), bytes, between<std::uint8_t>(0, 3, 1), between<std::uint8_t>(0, 3, 2));
}

TEST(types, Tuples) {
    const auto reference = [](float x, std::int32_t y) {
        // t is (x + 1, y); a, which is a float, becomes 2x, and b, an integer, 3.
        return (x + 1) + static_cast<float>(y) + x * 2 + 3 + (y < 1 || (y == 1 && 1 < y)) +
               (std::pair(x, y) == std::pair(1.0f, 1));
    };
    same(KERNEL(tuples), reference, std::vector{0.5f, 1.0f, 1.0f, -3.0f}, std::vector{1, 1, 0, 7});
}

TEST(types, Optionals) {
    const auto reference = [](float x, float y) {
        const float quotient = y != 0 ? x / y : -1, other = x < 0 ? -2 : x + 1;
        const bool both_empty = y == 0 && x < 0, equal = y != 0 && x >= 0 && quotient == other;
        return quotient + other + static_cast<float>(both_empty || equal) + static_cast<float>(y != 0);
    };
    same(KERNEL(optionals), reference, std::vector{1.0f, -1.0f, 0.0f, -4.0f, 1.0f},
         std::vector{2.0f, 0.0f, 0.0f, 2.0f, 0.5f});
}

TEST(types, FunctionObjects) {
    const auto reference = [](std::int32_t x, std::int32_t y) {
        ++y;
        return (x + y) + (x - y) + x * 2 - y + (x ^ y) + x + !(x < y);
    };
    same(KERNEL(functions), reference, between(-100, 100, 1), between(-100, 100, 2));
}

TEST(types, ThreeWayComparison) {
    const auto reference = [](auto x, auto y) { return x < y ? 1 : x > y ? 2 : 3; };
    same(KERNEL(compared_three_ways), reference, std::vector{1, 2, 3}, std::vector{2, 1, 3});
}

TEST(types, LimitsAndNumbers) {
    const std::vector<float> got = std_library::limits(std::vector{0.0f, 1.0f, 3e38f}).to_host();
    EXPECT_EQ(got[0], 24);
    EXPECT_NEAR(got[1], 24 + std::numbers::pi, 4e-6);
    EXPECT_EQ(got[2], std::numeric_limits<float>::infinity());
    EXPECT_NEAR(std_library::limits(std::vector{1.0}).to_host().at(0), 53 + std::numbers::pi, 1e-14);
}

TEST(types, Traits) {
    EXPECT_EQ(std_library::traits(std::vector{2.5f, -3.5f}).to_host(), (std::vector<std::int32_t>{2, -3}));
    EXPECT_EQ(std_library::traits(std::vector<std::int64_t>{5, -1}).to_host(), (std::vector<std::int32_t>{0, 15}));
}

TEST(atomics, Arithmetic) {
    const auto reference = [](auto x, auto y) {
        using T = decltype(x);
        T value = static_cast<T>(x + y);
        T sum = static_cast<T>(x + value);
        value = static_cast<T>(value - 1);
        sum = static_cast<T>(sum + value);
        value = static_cast<T>(x + 2);
        if (value != y) sum = static_cast<T>(sum + value);
        value = static_cast<T>(value * 2 + 4);
        return static_cast<T>(sum + value);
    };
    const auto as = [](auto type, unsigned seed) {
        const std::vector<std::int32_t> values = between(1, 1000, seed);
        return std::vector<decltype(type)>(values.begin(), values.end());
    };
    same(KERNEL(atomic), reference, as(std::int32_t{}, 1), as(std::int32_t{}, 2));
    same(KERNEL(atomic), reference, as(std::uint32_t{}, 1), as(std::uint32_t{}, 2));
    same(KERNEL(atomic), reference, as(std::int64_t{}, 1), as(std::int64_t{}, 2));
    same(KERNEL(atomic), reference, as(std::uint64_t{}, 1), as(std::uint64_t{}, 2));
    same(KERNEL(atomic), reference, as(float{}, 1), as(float{}, 2));
    same(KERNEL(atomic), reference, as(double{}, 1), as(double{}, 2));
}

TEST(atomics, Bits) {
    const auto reference = [](auto x, auto y) {
        const auto a = x, b = x & y, c = b | 6;
        auto value = c ^ y;
        value = ((value | 9) ^ y) & 1023;
        return a ^ b ^ c ^ value ^ value ^ value;
    };
    same(KERNEL(atomic_bits), reference, between<std::int32_t>(0, 5000, 1), between<std::int32_t>(0, 5000, 2));
    same(KERNEL(atomic_bits), reference, between<std::uint64_t>(0, 5000, 1), between<std::uint64_t>(0, 5000, 2));
}

TEST(atomics, Pointers) {
    const auto reference = [](std::int32_t x, std::int32_t y) { return (x - y) * 10 + y; };
    same(KERNEL(atomic_pointer), reference, between(-100, 100, 1), between(-100, 100, 2));
}

}  // namespace
