// foldwise/device/forall/load_once.hpp: loads of what a kernel needs only once.
#pragma once

#include <foldwise/device/platform.hpp>

#include <type_traits>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

/// Loads an element that nobody writes meanwhile and that no thread of the multiprocessor loads again: nothing remains
/// in the L1 cache. What lies within 256 bytes is fetched to L2.
template <class T> __device__ inline T load_once(const T& from) {
#ifndef FOLDWISE_SIMULATOR
    if constexpr (std::is_trivially_copyable_v<T> && sizeof(T) == alignof(T)) {
        // Volatile, so that they stay behind the wait for the kernel before.
        if constexpr (sizeof(T) == 1) {
            unsigned short bits;
            asm volatile("ld.global.nc.L1::no_allocate.L2::256B.u8 %0, [%1];" : "=h"(bits) : "l"(&from));
            return __builtin_bit_cast(T, static_cast<unsigned char>(bits));
        } else if constexpr (sizeof(T) == 2) {
            unsigned short bits;
            asm volatile("ld.global.nc.L1::no_allocate.L2::256B.u16 %0, [%1];" : "=h"(bits) : "l"(&from));
            return __builtin_bit_cast(T, bits);
        } else if constexpr (sizeof(T) == 4) {
            unsigned int bits;
            asm volatile("ld.global.nc.L1::no_allocate.L2::256B.u32 %0, [%1];" : "=r"(bits) : "l"(&from));
            return __builtin_bit_cast(T, bits);
        } else if constexpr (sizeof(T) == 8) {
            unsigned long long bits;
            asm volatile("ld.global.nc.L1::no_allocate.L2::256B.u64 %0, [%1];" : "=l"(bits) : "l"(&from));
            return __builtin_bit_cast(T, bits);
        } else {
            return from;
        }
    } else
#endif
        return from;
}

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
