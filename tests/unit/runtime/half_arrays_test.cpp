// tests/unit/runtime/half_arrays_test.cpp: conversions of many halves give the bits that half's own give.
#include <foldwise/detail/half_arrays.hpp>

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <utility>
#include <vector>

namespace {

using foldwise::half;
namespace detail = foldwise::detail;

constexpr std::uint32_t patterns = 0x10000;

half pattern(std::uint32_t bits) { return half::from_bits(static_cast<std::uint16_t>(bits)); }
std::uint32_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }

TEST(HalfArrays, AllHalvesWidenToTheSameBits) {
    std::vector<half> halves;
    for (std::uint32_t i = 0; i < patterns; ++i) halves.push_back(pattern(i));
    for (const bool by_arithmetic : {false, true}) {
        std::vector<float> wide(patterns);
        if (by_arithmetic)
            detail::widen_by_arithmetic(halves.data(), patterns, wide.data());
        else
            ASSERT_EQ(detail::widen(halves.data(), patterns, wide.data()), wide.data());
        for (std::uint32_t i = 0; i < patterns; ++i) ASSERT_EQ(bits(wide[i]), bits(halves[i])) << i;
    }
}

/// Floats at which roundings differ: halves, the middles between them and their neighbours, NaNs, and any others.
std::vector<float> roundings() {
    std::vector<float> values;
    for (std::uint32_t i = 0; i < patterns; ++i) {
        const float value = pattern(i);
        // One half further on, infinity stands where the next number would be.
        const std::uint32_t step = bits(pattern((i + 1) & 0xffffu)), middle = bits(value) + (step - bits(value)) / 2;
        for (const std::uint32_t one : {bits(value), middle - 1, middle, middle + 1, bits(value) | 1u})
            values.push_back(std::bit_cast<float>(one));
    }
    std::mt19937 rng(1);
    for (int i = 0; i < 1'000'000; ++i) values.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(rng())));
    // Below the smallest half, in which floats lie by value and not by pattern.
    for (std::uint32_t i = 0x32ff0000; i < 0x33810000; i += 7)
        for (const std::uint32_t sign : {0u, 0x80000000u}) values.push_back(std::bit_cast<float>(i | sign));
    return values;
}

TEST(HalfArrays, AllRoundingsAreTheSame) {
    const std::vector<float> values = roundings();
    for (const auto round : {detail::round, detail::round_by_arithmetic}) {
        std::vector<half> halves(values.size());
        round(values.data(), static_cast<std::int64_t>(values.size()), halves.data());
        for (std::size_t i = 0; i < values.size(); ++i)
            ASSERT_EQ(halves[i].bits(), half(values[i]).bits()) << bits(values[i]);
    }
}

TEST(HalfArrays, OfAnyLengthAndNoFurther) {
    for (std::int64_t count = 0; count <= 40; ++count) {
        std::vector<half> halves(static_cast<std::size_t>(count + 1), half(3.0f)), back = halves;
        std::vector<float> wide(static_cast<std::size_t>(count + 1), -1.0f);
        detail::widen(halves.data(), count, wide.data());
        for (std::int64_t i = 0; i < count; ++i) ASSERT_EQ(wide[static_cast<std::size_t>(i)], 3.0f) << count;
        ASSERT_EQ(wide.back(), -1.0f) << count;
        wide.assign(wide.size(), 5.0f);
        detail::round(wide.data(), count, back.data());
        for (std::int64_t i = 0; i < count; ++i)
            ASSERT_EQ(static_cast<float>(back[static_cast<std::size_t>(i)]), 5.0f) << count;
        ASSERT_EQ(static_cast<float>(back.back()), 3.0f) << count;
    }
}

}  // namespace
