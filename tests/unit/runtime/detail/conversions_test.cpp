// tests/unit/runtime/detail/conversions_test.cpp: which conversions keep values, by type and by value.
#include <foldwise/detail/conversions.hpp>

#include <gtest/gtest.h>

#include <complex>
#include <cstdint>
#include <limits>

using namespace foldwise;
using namespace foldwise::detail;

static_assert(keeps_values<int, double>() && !keeps_values<int, float>() && keeps_values<std::int16_t, float>());
static_assert(keeps_values<std::int64_t, double>() && !keeps_values<std::int64_t, float>());
static_assert(keeps_values<std::uint8_t, std::int16_t>() && !keeps_values<std::uint16_t, std::int16_t>());
static_assert(!keeps_values<std::int8_t, std::uint64_t>() && keeps_values<bool, std::int8_t>());
static_assert(!keeps_values<int, bool>() && !keeps_values<float, int>() && !keeps_values<double, float>());
static_assert(keeps_values<half, float>() && keeps_values<bfloat16, float>() && !keeps_values<half, bfloat16>());
static_assert(!keeps_values<bfloat16, half>() && !keeps_values<float, half>() && keeps_values<std::uint8_t, half>());
static_assert(keeps_values<float, std::complex<float>>() && !keeps_values<double, std::complex<float>>());
static_assert(keeps_values<std::complex<float>, std::complex<double>>());
static_assert(!keeps_values<std::complex<float>, float>() && !keeps_values<long double, double>());

TEST(Conversions, OfIntegersKeepAllBits) {
    EXPECT_TRUE(keeps_value<std::uint8_t>(255) && !keeps_value<std::uint8_t>(256) && !keeps_value<std::uint8_t>(-1));
    EXPECT_TRUE(keeps_value<std::int8_t>(-128) && !keeps_value<std::int8_t>(128u));
    EXPECT_TRUE(keeps_value<std::uint64_t>(1) && !keeps_value<std::uint64_t>(-1) && !keeps_value<std::uint32_t>(-1));
    EXPECT_TRUE(!keeps_value<std::int64_t>(std::numeric_limits<std::uint64_t>::max()));
    EXPECT_TRUE(keeps_value<bool>(1) && keeps_value<bool>(0) && !keeps_value<bool>(2));
}

TEST(Conversions, OfFractionsToIntegersAreRefused) {
    EXPECT_TRUE(keeps_value<int>(3.0) && !keeps_value<int>(3.5) && keeps_value<int>(-2147483648.0));
    EXPECT_TRUE(!keeps_value<int>(2147483648.0) && !keeps_value<int>(std::numeric_limits<float>::quiet_NaN()));
    EXPECT_TRUE(!keeps_value<std::int64_t>(9223372036854775808.0) && keeps_value<std::int64_t>(-9223372036854775808.0));
    EXPECT_TRUE(keeps_value<std::uint64_t>(9223372036854775808.0) && !keeps_value<std::uint64_t>(1.9e19));
    EXPECT_TRUE(!keeps_value<std::uint8_t>(-0.5f) && keeps_value<std::uint8_t>(half(7)) && !keeps_value<bool>(0.5));
}

TEST(Conversions, ToFloatingPointRoundButStayFinite) {
    const double infinity = std::numeric_limits<double>::infinity();
    EXPECT_TRUE(keeps_value<float>(0.1) && keeps_value<float>(16777217) && !keeps_value<float>(1e39));
    EXPECT_TRUE(keeps_value<float>(infinity) && keeps_value<float>(std::numeric_limits<double>::quiet_NaN()));
    EXPECT_TRUE(keeps_value<half>(65504) && !keeps_value<half>(65520) && !keeps_value<bfloat16>(-3.4e38));
    EXPECT_TRUE(keeps_value<std::complex<float>>(2) && !keeps_value<std::complex<float>>(-1e39));
}
