// foldwise/bfloat16.hpp: the 16-bit brain float for host code and kernels.
#pragma once

#include <foldwise/detail/cxx20.hpp>
#if __cplusplus >= 202002L

#include <foldwise/detail/host_device.hpp>

#include <cstdint>

namespace foldwise {

/// The upper half of a float: 1 sign bit, 8 exponent bits and 7 fraction bits. It is a storage type: arithmetic
/// converts it to float, and a float converts back by rounding to nearest, ties to even. In a kernel each conversion is
/// one instruction. The bits are those of CUDA's __nv_bfloat16.
class bfloat16 {
  public:
    bfloat16() = default;
    FOLDWISE_HD constexpr bfloat16(float value) : bits_(round(value)) {}
    FOLDWISE_HD constexpr operator float() const {
        return __builtin_bit_cast(float, static_cast<std::uint32_t>(bits_) << 16);
    }

    FOLDWISE_HD static constexpr bfloat16 from_bits(std::uint16_t bits) {
        bfloat16 b;
        b.bits_ = bits;
        return b;
    }
    FOLDWISE_HD constexpr std::uint16_t bits() const { return bits_; }

  private:
    FOLDWISE_HD static constexpr std::uint16_t round(float value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800  // sm_80 is the first with this instruction
        if (!__builtin_is_constant_evaluated()) {
            std::uint16_t bits;
            asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(value));
            return bits;
        }
#endif
        // Without a branch, so that compilers make vector code of it.
        const auto all = __builtin_bit_cast(std::uint32_t, value);
        const std::uint32_t rounded = (all + 0x7fffu + (all >> 16 & 1u)) >> 16, quiet_nan = all >> 16 | 0x40u;
        return static_cast<std::uint16_t>((all & 0x7fffffffu) > 0x7f800000u ? quiet_nan : rounded);
    }

    std::uint16_t bits_;
};

}  // namespace foldwise

#endif  // C++20
