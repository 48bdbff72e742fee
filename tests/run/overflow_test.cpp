// tests/run/overflow_test.cpp: reductions of integers combine in another order than a loop, and where the loop does not
// overflow, they must not either. Compiled with the sanitizer for signed overflow, which ends the program.
#include "overflow.kernels.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

namespace {

constexpr std::size_t sizes[] = {2, 8, 100, 1000, 20'000};

/// The least and the largest number in turn: a loop's sum stays between them, and those of every second element do not.
template <class T> std::vector<T> in_turn(std::size_t count) {
    std::vector<T> x(count);
    for (std::size_t i = 0; i < count; ++i)
        x[i] = static_cast<T>(i % 2 ? -std::numeric_limits<T>::max() : std::numeric_limits<T>::max());
    return x;
}

template <class T, class Sum> void sums_to_zero(Sum sum) {
    for (const std::size_t count : sizes) {
        const std::vector<T> x = in_turn<T>(count);
        EXPECT_EQ(sum(x), 0) << count;
        EXPECT_EQ(sum(x, foldwise::initial(T{1})), 1) << count;
    }
    // Along either axis, with an odd number of rows and columns of its own.
    const std::vector<T> x = in_turn<T>(301 * 301);
    const foldwise::view<const T> square(x.data(), foldwise::shape{301, 301}, {});
    for (const int axis : {0, 1}) {
        const std::vector<T> results = sum(square, foldwise::axis(axis)).to_host();
        for (std::size_t i = 0; i < results.size(); ++i) ASSERT_EQ(results[i], x[i]) << axis << ' ' << i;
    }
}

TEST(Overflow, SumsOfEachType) {
    const auto sum = [](const auto&... x) { return overflow::sum(x...); };
    sums_to_zero<std::int8_t>(sum);
    sums_to_zero<std::int16_t>(sum);
    sums_to_zero<std::int32_t>(sum);
    sums_to_zero<std::int64_t>(sum);
    sums_to_zero<long long>(sum);
}

/// A zero first, so that a loop's product stays zero, and the largest number from there on.
template <class T> void products_are_zero() {
    for (const std::size_t count : sizes) {
        std::vector<T> x(count, std::numeric_limits<T>::max());
        x[0] = 0;
        EXPECT_EQ(overflow::product(x), 0) << count;
    }
}

TEST(Overflow, ProductsOfEachType) {
    products_are_zero<std::int8_t>();
    products_are_zero<std::int16_t>();
    products_are_zero<std::uint16_t>();
    products_are_zero<std::int32_t>();
    products_are_zero<std::int64_t>();
    products_are_zero<long long>();
}

TEST(Overflow, CombinesOfOtherForms) {
    for (const std::size_t count : sizes) {
        const std::vector<std::int32_t> x = in_turn<std::int32_t>(count);
        EXPECT_EQ(overflow::plus(x), 0) << count;
        EXPECT_EQ(overflow::wide(x), 0) << count;
        EXPECT_EQ(overflow::alike(in_turn<std::int64_t>(count)), 0) << count;
        EXPECT_EQ(overflow::of_squares(in_turn<std::int16_t>(count)), 0) << count;
    }
}

}  // namespace
