// foldwise/half.hpp: the 16-bit IEEE 754 float for host code and kernels.
#pragma once

#include <foldwise/detail/cxx20.hpp>
#if __cplusplus >= 202002L

#include <foldwise/detail/host_device.hpp>

#include <bit>
#include <cstdint>

namespace foldwise {

/// IEEE 754 binary16: 1 sign bit, 5 exponent bits and 10 fraction bits. It is a storage type: arithmetic converts it to
/// float, and a float converts back by rounding to nearest, ties to even. In a kernel each conversion is one
/// instruction. The bits are those of CUDA's __half.
class half {
  public:
    half() = default;
    FOLDWISE_HD constexpr half(float value) : bits_(round(value)) {}
    FOLDWISE_HD constexpr operator float() const { return widen(bits_); }

    FOLDWISE_HD static constexpr half from_bits(std::uint16_t bits) {
        half h;
        h.bits_ = bits;
        return h;
    }
    FOLDWISE_HD constexpr std::uint16_t bits() const { return bits_; }

  private:
    FOLDWISE_HD static constexpr std::uint16_t round(float value) {
#ifdef __CUDA_ARCH__
        if (!__builtin_is_constant_evaluated()) {
            std::uint16_t bits;
            asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
            return bits;
        }
#endif
        const auto all = std::bit_cast<std::uint32_t>(value);
        const std::uint32_t sign = all >> 16 & 0x8000u, magnitude = all & 0x7fffffffu;
        if (magnitude > 0x7f800000u)  // NaN: keep the payload's top bits, and quiet it
            return static_cast<std::uint16_t>(sign | 0x7e00u | (magnitude >> 13 & 0x3ffu));
        if (magnitude >= 0x477ff000u)  // 65520 and above round to infinity
            return static_cast<std::uint16_t>(sign | 0x7c00u);
        if (magnitude < 0x38800000u) {  // below 2^-14 the result is subnormal, in units of 2^-24
            if (magnitude <= 0x33000000u) return static_cast<std::uint16_t>(sign);  // 2^-25 ties to zero
            const std::uint32_t shift = 126u - (magnitude >> 23), significand = (magnitude & 0x7fffffu) | 0x800000u;
            return static_cast<std::uint16_t>(sign | shift_right(significand, shift));
        }
        return static_cast<std::uint16_t>(sign | shift_right(magnitude - 0x38000000u, 13));
    }

    /// Returns value / 2^shift, rounded to nearest, ties to even.
    FOLDWISE_HD static constexpr std::uint32_t shift_right(std::uint32_t value, std::uint32_t shift) {
        const std::uint32_t kept = value >> shift, rest = value & ((1u << shift) - 1), tie = 1u << (shift - 1);
        return kept + (rest > tie || (rest == tie && (kept & 1u)) ? 1u : 0u);
    }

    FOLDWISE_HD static constexpr float widen(std::uint16_t bits) {
#ifdef __CUDA_ARCH__
        if (!__builtin_is_constant_evaluated()) {
            float value;
            asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
            return value;
        }
#endif
        const std::uint32_t sign = (bits & 0x8000u) << 16, exponent = bits >> 10 & 0x1fu, fraction = bits & 0x3ffu;
        if (exponent == 0x1fu) return std::bit_cast<float>(sign | 0x7f800000u | fraction << 13);
        if (exponent != 0) return std::bit_cast<float>(sign | (exponent + 112u) << 23 | fraction << 13);
        const float subnormal = static_cast<float>(fraction) * 0x1p-24f;  // exact
        return sign ? -subnormal : subnormal;
    }

    std::uint16_t bits_;
};

}  // namespace foldwise

#endif  // C++20
