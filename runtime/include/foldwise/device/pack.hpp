// foldwise/device/pack.hpp: neighbouring elements that are loaded and stored together.
#pragma once

#include <foldwise/device/platform.hpp>

#include <cstring>

namespace foldwise::device {
inline namespace FOLDWISE_BACKEND {

/// N elements in registers.
template <class T, int N> struct pack {
    T elements[N];

    __device__ const T& operator[](int k) const { return elements[k]; }
    __device__ T& operator[](int k) { return elements[k]; }
};

/// The largest power of two, at most 16, that divides a number of bytes: the widest access that fits.
constexpr int access_bytes(int bytes) {
    int access = 16;
    while (bytes % access != 0) access /= 2;
    return access;
}

template <int Bytes> struct word_of;
template <> struct word_of<16> {
    using type = uint4;
};
template <> struct word_of<8> {
    using type = uint2;
};
template <> struct word_of<4> {
    using type [[gnu::may_alias]] = unsigned int;
};
template <> struct word_of<2> {
    using type [[gnu::may_alias]] = unsigned short;
};
template <> struct word_of<1> {
    using type = unsigned char;
};

/// The word in which a pack is moved, and how many of them there are.
template <class T, int N> struct words_of {
    static constexpr int bytes = N * static_cast<int>(sizeof(T));
    using type = typename word_of<access_bytes(bytes)>::type;
    static constexpr int count = bytes / static_cast<int>(sizeof(type));
};

/// N elements from an address that is aligned to access_bytes(N * sizeof(T)).
template <int N, class T> __device__ inline pack<T, N> load(const T* from) {
    using words = words_of<T, N>;
    typename words::type moved[words::count];
    for (int w = 0; w < words::count; ++w) moved[w] = reinterpret_cast<const typename words::type*>(from)[w];
    pack<T, N> loaded;
    memcpy(&loaded, moved, sizeof loaded);
    return loaded;
}

/// N elements to an address that is aligned to access_bytes(N * sizeof(T)).
template <int N, class T> __device__ inline void store(T* to, const pack<T, N>& stored) {
    using words = words_of<T, N>;
    typename words::type moved[words::count];
    memcpy(moved, &stored, sizeof stored);
    for (int w = 0; w < words::count; ++w) reinterpret_cast<typename words::type*>(to)[w] = moved[w];
}

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device
