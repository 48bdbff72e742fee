// tests/unit/runtime/spec/view_test.cpp: views of fixed rank, as kernels have them, used on the host.
#include <foldwise/spec/view.hpp>

#include <foldwise/spec/forall.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <numeric>
#include <span>
#include <type_traits>
#include <vector>

namespace {

using foldwise::index;  // the C library has a function of this name, too
using foldwise::view;

static_assert(std::is_convertible_v<view<float, 2>, view<const float, 2>>);
static_assert(!std::is_convertible_v<view<const float, 2>, view<float, 2>>);
static_assert(!std::is_convertible_v<view<float, 2>, view<const double, 2>>);
static_assert(!std::is_convertible_v<view<float, 2>, view<const float, 1>>);
static_assert(std::is_convertible_v<std::vector<float>&, view<float, 1>>);
static_assert(!std::is_convertible_v<std::vector<float>&, view<float, 2>>);
static_assert(!std::is_convertible_v<const std::vector<float>&, view<float, 1>>);
static_assert(std::is_convertible_v<const std::vector<float>&, view<const float, 1>>);
static_assert(std::is_trivially_copyable_v<view<float, 3>>);

float sum(view<const float, 1> x) {
    float total = 0;
    for (std::int64_t i = 0; i < x.extent(0); ++i) total += x[i];
    return total;
}

TEST(KernelView, OfContainers) {
    std::vector<float> numbers{1, 2, 3, 4, 5, 6};
    std::array<float, 2> two{1, 2};
    EXPECT_EQ(sum(numbers), 21);
    EXPECT_EQ(sum(two), 3);
    const view<float, 2> table(numbers.data(), {2, 3});
    EXPECT_EQ(table(1, 0), 4);
    EXPECT_EQ(table.extent(1), 3);
    EXPECT_EQ(table.stride(0), 3);
    table(1, 2) = 60;
    EXPECT_EQ(numbers[5], 60);
}

TEST(KernelView, OfConstElements) {
    std::vector<float> numbers{1, 2, 3};
    const view<float, 1> x(numbers);
    EXPECT_EQ(sum(x), 6);
    const view<const float, 1> read = x;
    EXPECT_EQ(read.data(), x.data());
    view<float, 1> other = x;  // a copy of the view, not a view of the view
    EXPECT_EQ(other.extent(0), 3);
}

TEST(KernelView, Slices) {
    std::vector<int> numbers(12);
    std::iota(numbers.begin(), numbers.end(), 0);
    const view<int, 2> table(numbers.data(), {3, 4});
    const view<int, 2> part = table.slice(0, 2, -1, -2).slice(1, 1, 4, 2);  // rows 2 and 0, columns 1 and 3
    EXPECT_EQ(part.extent(0), 2);
    EXPECT_EQ(part.extent(1), 2);
    EXPECT_EQ(part(0, 0), 9);
    EXPECT_EQ(part(1, 1), 3);
    EXPECT_EQ(table.slice(1, 1, 4, 2).extent(1), 2);
    EXPECT_EQ(table.slice(1, 1, 1).size(), 0);
    EXPECT_EQ(table.slice(0, 3, 3).size(), 0);
    EXPECT_EQ(table.slice(0, 0, 3, 2)(1, 3), 11);
}

TEST(KernelView, ALambdaOnTheHost) {
    const auto count =
        foldwise::forall([](index<1> i, view<const std::uint8_t, 1> bytes, view<int, 1> bins) { bins[bytes[i]] += 1; });
    const std::vector<std::uint8_t> bytes{1, 2, 1};
    std::vector<int> bins(3);
    for (std::int64_t i = 0; i < 3; ++i) count(index<1>(i), bytes, bins);
    EXPECT_EQ(bins, (std::vector<int>{0, 2, 1}));
}

}  // namespace
