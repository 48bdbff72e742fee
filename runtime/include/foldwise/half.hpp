// foldwise/half.hpp: the 16-bit IEEE 754 float for host code and kernels.
#pragma once

#include <foldwise/detail/cxx20.hpp>
#if __cplusplus >= 202002L

#include <foldwise/detail/host_device.hpp>

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
    // nvcc warns of std::bit_cast in programs that are compiled without --expt-relaxed-constexpr, not of the builtin.
    FOLDWISE_HD static constexpr std::uint16_t round(float value) {
#ifdef __CUDA_ARCH__
        if (!__builtin_is_constant_evaluated()) {
            std::uint16_t bits;
            asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
            return bits;
        }
#endif
        // Each case is computed and one is chosen by masks, without a branch, so that compilers make vector code of it.
        const auto all = __builtin_bit_cast(std::uint32_t, value);
        const std::uint32_t sign = all >> 16 & 0x8000u, magnitude = all & 0x7fffffffu;
        const std::uint32_t normal = (magnitude - 0x38000000u + 0xfffu + (magnitude >> 13 & 1u)) >> 13;
        // Below 2^-14 the result is subnormal, in units of 2^-24: those of the last place of floats from 0.5 to 1.
        const std::uint32_t is_subnormal = if_less(magnitude, 0x38800000u);
        const float in_units = __builtin_bit_cast(float, magnitude& is_subnormal) + 0.5f;
        const std::uint32_t subnormal = __builtin_bit_cast(std::uint32_t, in_units) - 0x3f000000u;
        const std::uint32_t finite = choose(is_subnormal, subnormal, normal);
        const std::uint32_t number = choose(if_less(magnitude, 0x477ff000u), finite, 0x7c00u);  // 65520 is infinity
        const std::uint32_t nan = 0x7e00u | (magnitude >> 13 & 0x3ffu);  // with the payload's top bits, and quiet
        return static_cast<std::uint16_t>(sign | choose(if_less(0x7f800000u, magnitude), nan, number));
    }

    /// All bits where a < b, both below 2^31, else none.
    FOLDWISE_HD static constexpr std::uint32_t if_less(std::uint32_t a, std::uint32_t b) {
        return static_cast<std::uint32_t>(static_cast<std::int32_t>(a - b) >> 31);
    }
    FOLDWISE_HD static constexpr std::uint32_t choose(std::uint32_t mask, std::uint32_t yes, std::uint32_t no) {
        return (yes & mask) | (no & ~mask);
    }

    FOLDWISE_HD static constexpr float widen(std::uint16_t bits) {
#ifdef __CUDA_ARCH__
        if (!__builtin_is_constant_evaluated()) {
            float value;
            asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
            return value;
        }
#endif
        // Without a branch, as round().
        const std::uint32_t sign = (bits & 0x8000u) << 16, magnitude = (bits & 0x7fffu) << 13;
        const std::uint32_t is_finite = if_less(magnitude, 0x0f800000u);
        const std::uint32_t normal = magnitude + 0x70000000u - (is_finite & 0x38000000u);
        // A subnormal number is as far above 2^-14 as its fraction says.
        const float subnormal = __builtin_bit_cast(float, magnitude + 0x38800000u) - 0x1p-14f;
        const std::uint32_t is_subnormal = if_less(magnitude, 0x00800000u);
        return __builtin_bit_cast(float,
                                  sign | choose(is_subnormal, __builtin_bit_cast(std::uint32_t, subnormal), normal));
    }

    std::uint16_t bits_;
};

}  // namespace foldwise

#endif  // C++20
