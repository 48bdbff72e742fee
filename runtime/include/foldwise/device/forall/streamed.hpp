// foldwise/device/forall/streamed.hpp: accesses to memory that a kernel needs only once.
#pragma once

#include <foldwise/device/platform.hpp>

#include <cstddef>
#include <cstring>
#include <type_traits>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

/// The number that an instruction loads or stores for elements of so many bytes; void if there is none.
template <std::size_t Bytes> struct number_of_bytes { using type = void; };
template <> struct number_of_bytes<1> { using type = unsigned char; };
template <> struct number_of_bytes<2> { using type = unsigned short; };
template <> struct number_of_bytes<4> { using type = unsigned int; };
template <> struct number_of_bytes<8> { using type = unsigned long long; };
template <class T>
using word_of =
    typename number_of_bytes<sizeof(T) == alignof(T) && std::is_trivially_copyable_v<T> ? sizeof(T) : 0>::type;

/// Loads an element that nobody writes meanwhile and that no thread of the multiprocessor loads again: nothing remains
/// in the L1 cache. What lies within 256 bytes is fetched to L2.
template <class T> __device__ inline T load_once(const T& from) {
#ifndef FOLDWISE_SIMULATOR
    using word = word_of<T>;
    if constexpr (!std::is_void_v<word>) {
        word bits;
        if constexpr (sizeof(T) == 1) {
            unsigned short wide;
            asm volatile("ld.global.nc.L1::no_allocate.L2::256B.u8 %0, [%1];" : "=h"(wide) : "l"(&from));
            bits = static_cast<word>(wide);
        } else if constexpr (sizeof(T) == 2) {
            asm volatile("ld.global.nc.L1::no_allocate.L2::256B.u16 %0, [%1];" : "=h"(bits) : "l"(&from));
        } else if constexpr (sizeof(T) == 4) {
            asm volatile("ld.global.nc.L1::no_allocate.L2::256B.u32 %0, [%1];" : "=r"(bits) : "l"(&from));
        } else {
            asm volatile("ld.global.nc.L1::no_allocate.L2::256B.u64 %0, [%1];" : "=l"(bits) : "l"(&from));
        }
        T value;
        memcpy(static_cast<void*>(&value), &bits, sizeof value);
        return value;
    } else
#endif
        return from;
}

/// Stores an element that nobody loads soon: it is the first to leave the caches.
template <class T> __device__ inline void store_streamed(T& to, const T& value) {
#ifndef FOLDWISE_SIMULATOR
    using word = word_of<T>;
    if constexpr (!std::is_void_v<word>) {
        word bits;
        memcpy(&bits, &value, sizeof value);
        __stcs(reinterpret_cast<word*>(&to), bits);
    } else
#endif
        to = value;
}

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
