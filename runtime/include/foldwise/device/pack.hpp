// foldwise/device/pack.hpp: neighbouring elements that are loaded and stored together.
#pragma once

#include <foldwise/device/platform.hpp>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

/// The largest power of two, at most 16, that divides a number of bytes: the widest access that fits.
constexpr int access_bytes(int bytes) {
    int access = 16;
    while (bytes % access != 0) access /= 2;
    return access;
}

/// The alignment of N elements that are accessed together; of over-aligned elements, their own.
template <class T, int N> constexpr int alignment_of_pack() {
    const int access = access_bytes(N * static_cast<int>(sizeof(T))), own = static_cast<int>(alignof(T));
    return access > own ? access : own;
}

/// N elements in registers, at first without values. It is copied from and to memory whole, and as a union: of the ways
/// to write it, the only one that makes nvcc access 16 bytes at a time for every type, structs with padding among them.
template <class T, int N> struct [[gnu::may_alias]] alignas(alignment_of_pack<T, N>()) pack {
    union {
        T elements[N];
    };

    __device__ pack() {}
    __device__ const T& operator[](int k) const { return elements[k]; }
    __device__ T& operator[](int k) { return elements[k]; }
};

/// N elements from an address that is aligned to access_bytes(N * sizeof(T)).
template <int N, class T> __device__ inline pack<T, N> load(const T* from) {
    return *reinterpret_cast<const pack<T, N>*>(from);
}

/// N elements to an address that is aligned to access_bytes(N * sizeof(T)).
template <int N, class T> __device__ inline void store(T* to, const pack<T, N>& stored) {
    *reinterpret_cast<pack<T, N>*>(to) = stored;
}

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
