// tests/unit/runtime/half_test.cpp: every 16-bit float, and every rounding, against arithmetic in double.
#include <foldwise/bfloat16.hpp>
#include <foldwise/half.hpp>

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

namespace {

/// What distinguishes the two formats.
template <class T> struct format;
template <> struct format<foldwise::half> { static constexpr int fraction_bits = 10, bias = 15, exponent_bits = 5; };
template <> struct format<foldwise::bfloat16> {
    static constexpr int fraction_bits = 7, bias = 127, exponent_bits = 8;
};

/// The value of a bit pattern, by the definition of IEEE 754.
template <class T> double value_of(std::uint16_t bits) {
    using f = format<T>;
    const int sign = bits >> 15 ? -1 : 1, exponent = bits >> f::fraction_bits & ((1 << f::exponent_bits) - 1);
    const int fraction = bits & ((1 << f::fraction_bits) - 1);
    if (exponent == (1 << f::exponent_bits) - 1)
        return fraction ? std::numeric_limits<double>::quiet_NaN() : sign * std::numeric_limits<double>::infinity();
    if (exponent == 0) return sign * std::ldexp(fraction, 1 - f::bias - f::fraction_bits);
    return sign * std::ldexp((1 << f::fraction_bits) + fraction, exponent - f::bias - f::fraction_bits);
}

/// The nearest pattern to a finite value, ties to the even one: found among neighbours, not by shifting bits.
template <class T> std::uint16_t nearest(double value) {
    const auto infinity = static_cast<std::uint16_t>(((1 << format<T>::exponent_bits) - 1) << format<T>::fraction_bits);
    std::uint16_t low = 0, high = infinity;  // magnitudes grow with their patterns
    const double magnitude = std::abs(value);
    while (high - low > 1) {
        const auto middle = static_cast<std::uint16_t>((low + high) / 2);
        (value_of<T>(middle) <= magnitude ? low : high) = middle;
    }
    // Infinity stands where the next number would be.
    const double above = high == infinity ? std::ldexp(1.0, format<T>::bias + 1) : value_of<T>(high);
    const double to_low = magnitude - value_of<T>(low), to_high = above - magnitude;
    const std::uint16_t chosen = to_low < to_high || (to_low == to_high && low % 2 == 0) ? low : high;
    return static_cast<std::uint16_t>(chosen | (std::signbit(value) ? 0x8000 : 0));
}

template <class T> class SixteenBits : public testing::Test {};
using formats = testing::Types<foldwise::half, foldwise::bfloat16>;
TYPED_TEST_SUITE(SixteenBits, formats);

TYPED_TEST(SixteenBits, AllPatternsWidenExactlyAndComeBack) {
    for (std::uint32_t pattern = 0; pattern <= 0xffff; ++pattern) {
        const auto bits = static_cast<std::uint16_t>(pattern);
        const float wide = TypeParam::from_bits(bits);
        const double want = value_of<TypeParam>(bits);
        if (std::isnan(want)) {
            ASSERT_TRUE(std::isnan(wide)) << pattern;
            ASSERT_TRUE(std::isnan(static_cast<float>(TypeParam(wide)))) << pattern;
        } else {
            ASSERT_EQ(wide, want) << pattern;
            ASSERT_EQ(std::signbit(wide), std::signbit(want)) << pattern;
            ASSERT_EQ(TypeParam(wide).bits(), bits) << pattern;
        }
    }
}

TYPED_TEST(SixteenBits, RoundsToNearestTiesToEven) {
    std::mt19937 rng(1);
    for (std::uint32_t pattern = 0; pattern < 0xffff; ++pattern) {
        const double a = value_of<TypeParam>(static_cast<std::uint16_t>(pattern));
        const double b = value_of<TypeParam>(static_cast<std::uint16_t>(pattern + 1));
        if (!std::isfinite(a) || !std::isfinite(b)) continue;
        const auto middle = static_cast<float>((a + b) / 2);  // exact in float
        for (float value :
             {middle, std::nextafter(middle, static_cast<float>(a)), std::nextafter(middle, static_cast<float>(b))})
            ASSERT_EQ(TypeParam(value).bits(), nearest<TypeParam>(value)) << value << " above " << pattern;
    }
    for (int i = 0; i < 1'000'000; ++i) {
        const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(rng()));
        if (!std::isfinite(value)) continue;
        ASSERT_EQ(TypeParam(value).bits(), nearest<TypeParam>(value)) << value;
    }
}

TYPED_TEST(SixteenBits, SpecialValues) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    EXPECT_EQ(static_cast<float>(TypeParam(infinity)), infinity);
    EXPECT_EQ(static_cast<float>(TypeParam(-infinity)), -infinity);
    EXPECT_TRUE(std::isnan(static_cast<float>(TypeParam(std::numeric_limits<float>::quiet_NaN()))));
    EXPECT_TRUE(std::isnan(static_cast<float>(TypeParam(std::numeric_limits<float>::signaling_NaN()))));
    EXPECT_EQ(static_cast<float>(TypeParam(std::numeric_limits<float>::max())), infinity);
    EXPECT_EQ(TypeParam(std::numeric_limits<float>::denorm_min()).bits(), 0);
    EXPECT_TRUE(std::signbit(static_cast<float>(TypeParam(-0.0f))));
}

static_assert(static_cast<float>(foldwise::half(1.5f)) == 1.5f, "both formats compute at compile time");
static_assert(static_cast<float>(foldwise::bfloat16(-2.0f)) == -2.0f);

}  // namespace
