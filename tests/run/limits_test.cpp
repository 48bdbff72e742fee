// tests/run/limits_test.cpp: kernels at the limits compute what the same lambdas compute on the host.
#include "limits.kernels.hpp"

#include <foldwise/runtime.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

namespace {

using ints = std::vector<std::int32_t>;

constexpr std::size_t size = 1000;

/// Each array is its number, counted from 1, times the elements' numbers.
std::vector<ints> arrays(std::size_t count) {
    std::vector<ints> all(count, ints(size));
    for (std::size_t array = 0; array < count; ++array)
        for (std::size_t i = 0; i < size; ++i) all[array][i] = static_cast<std::int32_t>((array + 1) * i);
    return all;
}

/// f(arrays..., more...) with the first `Count` arrays.
template <std::size_t Count, class F, class... More>
auto with(const std::vector<ints>& all, const F& f, More&&... more) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) { return f(all[I]..., std::forward<More>(more)...); }
    (std::make_index_sequence<Count>());
}

/// 1 * 1 + 2 * 2 + ... + 63 * 63
constexpr std::int32_t squares = 63 * 64 * 127 / 6;

}  // namespace

TEST(Limits, SixtyThreeInputsAndAnOutput) {
    const std::vector<ints> x = arrays(63);
    const auto call = [](auto&&... operands) { limits::alternating(operands...); };
    ints out(size), reversed(size), with_value(size);
    with<63>(x, call, out);
    // Strided, so that operands go another way; and with a value in the place of the last array.
    with<63>(x, call, foldwise::host(reversed.data(), {std::int64_t{size}}).slice(0, std::int64_t{size} - 1, -1, -1));
    with<62>(x, call, 1000, with_value);
    for (std::size_t i = 0; i < size; ++i) {
        const auto number = static_cast<std::int32_t>(i);
        ASSERT_EQ(out[i], squares * number);
        ASSERT_EQ(reversed[size - 1 - i], squares * number);
        ASSERT_EQ(with_value[i], (squares - 63 * 63) * number + 63 * 1000);
    }
}

TEST(Limits, FortyFourInputsAndTwentyOutputs) {
    const std::vector<ints> x = arrays(44);
    auto results = with<44>(x, [](auto&&... inputs) { return limits::successors(inputs...); });
    std::apply(
        [&](auto&... result) {
            std::size_t array = 0;
            const auto check = [&](const ints& one) {
                for (std::size_t i = 0; i < size; ++i) {
                    std::int32_t expected = x[array][i] + 1;
                    for (std::size_t more = 20; array == 19 && more < 44; ++more) expected += x[more][i];
                    ASSERT_EQ(one[i], expected) << "output " << array;
                }
                ++array;
            };
            (check(result.to_host()), ...);
        },
        results);
}

TEST(Limits, AReductionOfSixtyThreeInputs) {
    const std::vector<ints> x = arrays(63);
    const std::int64_t expected = std::int64_t{squares} * (size * (size - 1) / 2);
    EXPECT_EQ(with<63>(x, [](auto&&... inputs) { return limits::total(inputs...); }), expected);
    // Along an axis, into an array of one element.
    const auto along = [](auto&&... inputs) { return limits::total(inputs..., foldwise::axis(0)); };
    EXPECT_EQ(with<63>(x, along).to_host(), std::vector<std::int64_t>{expected});
}

TEST(Limits, TasksOfSixtyFourViews) {
    std::vector<ints> x = arrays(64);
    [&]<std::size_t... I>(std::index_sequence<I...>) { limits::shifted(std::int64_t{size}, x[I]...); }
    (std::make_index_sequence<64>());
    const std::vector<ints> before = arrays(64);
    for (std::size_t array = 0; array < x.size(); ++array)
        for (std::size_t i = 0; i < size; ++i)
            ASSERT_EQ(x[array][i], before[array][i] + static_cast<std::int32_t>(array) + 1);
}

TEST(Limits, TheLargestAccumulator) {
    ints x(size);
    std::iota(x.begin(), x.end(), -500);
    std::array<std::uint64_t, 8> expected{};
    for (std::int32_t one : x) {
        std::uint64_t power = 1;
        for (std::uint64_t& sum : expected) sum += power *= static_cast<std::uint64_t>(std::int64_t{one});
    }
    EXPECT_EQ(limits::moments(x), expected);
}

TEST(Limits, IndicesOfFourAxesAndViewsOfEight) {
    const foldwise::shape extents{2, 3, 4, 5};
    ints numbers(2 * 3 * 4 * 5);
    std::vector<std::int64_t> where(numbers.size());
    limits::places(std::int64_t{0}, foldwise::host(where.data(), extents));
    std::size_t element = 0;
    for (int a = 0; a < 2; ++a)
        for (int b = 0; b < 3; ++b)
            for (int c = 0; c < 4; ++c)
                for (int d = 0; d < 5; ++d) ASSERT_EQ(where[element++], ((a * 10 + b) * 10 + c) * 10 + d);

    const foldwise::shape all{3, 3, 3, 3, 2, 2, 2, 2};
    ints x(3 * 3 * 3 * 3 * 16), out(x.size());
    std::iota(x.begin(), x.end(), 0);
    limits::corners(foldwise::shape{3, 3, 3, 3}, foldwise::host(x.data(), all), foldwise::host(out.data(), all));
    for (std::size_t a = 0; a < 3; ++a)
        for (std::size_t b = 0; b < 3; ++b)
            for (std::size_t c = 0; c < 3; ++c)
                for (std::size_t d = 0; d < 3; ++d) {
                    const std::size_t from = ((d * 3 + c) * 3 + b) * 3 + a, to = ((a * 3 + b) * 3 + c) * 3 + d;
                    ASSERT_EQ(out[to * 16 + 10], x[from * 16 + 5]);
                }
}

TEST(Limits, AValueThatFillsTheParameters) {
    const auto values = std::make_unique<limits::table>();
    std::iota(std::begin(values->values), std::end(values->values), 0);
    ints out(std::size(values->values));
    limits::looked_up(static_cast<std::int64_t>(out.size()), out, *values);
    for (std::size_t i = 0; i < out.size(); ++i) ASSERT_EQ(out[i], static_cast<std::int32_t>(out.size() - 1 - i));
}
