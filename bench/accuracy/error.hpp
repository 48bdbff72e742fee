// bench/accuracy/error.hpp: errors in units in the last place.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace accuracy {

/// The largest error that was met, and where.
struct worst_case {
    double error, x, y;
};

/// How far `got` is from `want`, the exact result in a wider type, in units in the last place of T around `want`: 0.5
/// is correct rounding. Infinity counts as the first number beyond T's range. A result that is NaN, or infinite, where
/// the other is not, is infinitely wrong.
template <class T, class Wide> constexpr double error_in_ulp(T got, Wide want) {
    using limits = std::numeric_limits<T>;
    const bool is_nan = got != got;
    if (is_nan || want != want) return is_nan && want != want ? 0 : std::numeric_limits<double>::infinity();
    const Wide beyond = static_cast<Wide>(limits::max()) * (1 + static_cast<Wide>(limits::epsilon()) / 2);
    const auto clamped = [&](Wide x) { return x > beyond ? beyond : x < -beyond ? -beyond : x; };
    const Wide exact = clamped(want), size = exact < 0 ? -exact : exact;
    int exponent = 0;
    if (size != 0) std::frexp(size, &exponent);
    if (size == 0 || exponent < limits::min_exponent) exponent = limits::min_exponent;
    if (exponent > limits::max_exponent) exponent = limits::max_exponent;
    const Wide unit = std::ldexp(Wide{1}, exponent - limits::digits);
    const Wide error = (clamped(static_cast<Wide>(got)) - exact) / unit;
    return static_cast<double>(error < 0 ? -error : error);
}

/// A bijection of 32-bit numbers whose values look random.
constexpr std::uint32_t scattered(std::uint32_t x) {
    x = (x ^ (x >> 16)) * 0x21f0aaadu;
    x = (x ^ (x >> 15)) * 0x735a2d97u;
    return x ^ (x >> 15);
}

}  // namespace accuracy
