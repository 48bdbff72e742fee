// foldwise/detail/unit_functions.hpp: the functions that make random numbers of uniform floats. Their arguments are
// never zero, subnormal or infinite, so they have no branches: a GPU computes what neighbouring elements share once,
// and CPUs compute several elements at a time. They are the same operations everywhere.
#pragma once

#include <foldwise/detail/host_device.hpp>
#include <foldwise/detail/real_functions.hpp>

#include <cstdint>

namespace foldwise::detail {

/// Returns the polynomial whose coefficients are given, that of the highest power first.
FOLDWISE_HD constexpr float polynomial(float, float constant) { return constant; }
template <class... More> FOLDWISE_HD constexpr float polynomial(float x, float highest, float next, More... more) {
    return polynomial(x, highest * x + next, more...);
}

/// Returns log(u) for u from 2^-33 to 1, within 1.2 ulp. u is a power of two times 1 + x, where x is from -1/3 to 1/3.
FOLDWISE_HD constexpr float logarithm_of_unit(float u) {
    const auto bits = __builtin_bit_cast(std::uint32_t, u);
    const std::uint32_t power = (bits - 0x3f2aaaabu) & 0xff800000u;  // 2^23 times the exponent
    const float x = __builtin_bit_cast(float, bits - power) - 1;
    const float series = polynomial(x, 0.14026251f, -0.15388559f, 0.13995828f, -0.16415957f, 0.20011167f, -0.2500782f,
                                    0.33333197f, -0.49999937f);
    return static_cast<float>(static_cast<std::int32_t>(power)) * (0.6931472f * 0x1p-23f) + (x * series * x + x);
}

/// Returns the square root of a number that is zero or not small.
FOLDWISE_HD constexpr float positive_root_of(float x) {
#ifdef __CUDA_ARCH__
    // Without the branch that sqrtf() has for subnormal numbers.
    const float least = ::fmaxf(x, 0x1p-100f), inverse = ::rsqrtf(least), root = least * inverse;
    return (x - root * root) * (0.5f * inverse) + root;
#else
    return root_of(x);
#endif
}

/// Returns the sine and the cosine of (word + 1/2) / 2^32 turns, within 2.5 ulp. What is left of the angle beside the
/// nearest quarter turn is exact before it is rounded.
FOLDWISE_HD constexpr sine_and_cosine<float> sine_and_cosine_of_turn(std::uint32_t word) {
    const std::uint32_t quarters = word + 0x20000000u;  // in the upper two bits
    const auto left = static_cast<std::int32_t>(2 * (word - (quarters & 0xc0000000u)) + 1);
    const float x = static_cast<float>(left) * 0x1p-32f, square = x * x;  // in half turns, up to 1/4
    const float sine = x * polynomial(square, -0.5890122f, 2.549761f, -5.167708f, 3.1415927f);
    const float cosine = polynomial(square, 0.23136422f, -1.3350506f, 4.0587077f, -4.934802f, 1.0f);
    const bool is_odd = (quarters & 0x40000000u) != 0;
    const auto with_sign = [](float number, std::uint32_t bits) {
        return __builtin_bit_cast(float, __builtin_bit_cast(std::uint32_t, number) ^ (bits & 0x80000000u));
    };
    return {with_sign(is_odd ? cosine : sine, quarters), with_sign(is_odd ? sine : cosine, quarters + 0x40000000u)};
}

}  // namespace foldwise::detail
