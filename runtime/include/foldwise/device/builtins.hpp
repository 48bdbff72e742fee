// foldwise/device/builtins.hpp: compiler's functions that nvcc has in host code only, for device code.
//
// Where a constexpr function of the standard library calls one of them (std::countr_zero, std::gcd), nvcc compiles the
// call to nothing, without a word. So this comes before the library's headers, and they call these instead. Headers
// that nvcc itself includes before anything else came earlier; what of them is concerned is mended at the end.
#pragma once

#if defined(__CUDACC__) && !defined(FOLDWISE_SIMULATOR)

#include <cstddef>
#include <limits>
#include <type_traits>

namespace foldwise::device_code::builtins {

constexpr int popcount(unsigned int x) { return __builtin_popcount(x); }
constexpr int popcount(unsigned long long x) { return __builtin_popcountll(x); }

/// The number of zeros below the lowest one; x is not 0.
template <class T> constexpr int trailing_zeros(T x) { return popcount(static_cast<T>((x & (T{0} - x)) - 1)); }

template <class T> constexpr T byte_swapped(T x) {
    T swapped = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i) {
        swapped = static_cast<T>(swapped << 8 | (x & 0xff));
        x = static_cast<T>(x >> 8);
    }
    return swapped;
}

/// Sums and products of 64-bit integers are exact in this type.
__extension__ typedef __int128 wide;

template <class T> constexpr bool narrow(wide exact, T* result) {
    *result = static_cast<T>(exact);
    return static_cast<wide>(*result) != exact;
}
template <class A, class B, class T> constexpr bool add_overflow(A a, B b, T* sum) {
    return narrow(static_cast<wide>(a) + static_cast<wide>(b), sum);
}
template <class A, class B, class T> constexpr bool sub_overflow(A a, B b, T* difference) {
    return narrow(static_cast<wide>(a) - static_cast<wide>(b), difference);
}
template <class A, class B, class T> constexpr bool mul_overflow(A a, B b, T* product) {
    const wide exact = static_cast<wide>(a) * static_cast<wide>(b);
    // Of two large unsigned factors the product may be negative here; it fits no 64 bits then.
    return narrow(exact, product) || (a > 0 && b > 0 && exact < 0);
}

template <class T> constexpr bool is_unordered(T x, T y) { return x != x || y != y; }
template <class T> constexpr bool is_normal(T x) {
    const T size = x < 0 ? -x : x;
    return size >= std::numeric_limits<T>::min() && size <= std::numeric_limits<T>::max();
}
template <class T> constexpr int classify(int nan, int infinite, int normal, int subnormal, int zero, T x) {
    const T size = x < 0 ? -x : x;
    if (x != x) return nan;
    if (size > std::numeric_limits<T>::max()) return infinite;
    if (size >= std::numeric_limits<T>::min()) return normal;
    return size == 0 ? zero : subnormal;
}

}  // namespace foldwise::device_code::builtins

#ifdef __CUDA_ARCH__
#define __builtin_clzl(x) __builtin_clzll(x)
#define __builtin_ctz(x) (::foldwise::device_code::builtins::trailing_zeros<unsigned int>(x))
#define __builtin_ctzl(x) (::foldwise::device_code::builtins::trailing_zeros<unsigned long long>(x))
#define __builtin_ctzll(x) (::foldwise::device_code::builtins::trailing_zeros<unsigned long long>(x))
#define __builtin_ffsl(x) __builtin_ffsll(x)
#define __builtin_parity(x) (__builtin_popcount(x) & 1)
#define __builtin_parityl(x) (__builtin_popcountll(x) & 1)
#define __builtin_parityll(x) (__builtin_popcountll(x) & 1)
#define __builtin_popcountl(x) __builtin_popcountll(x)
#define __builtin_bswap16(x) (::foldwise::device_code::builtins::byte_swapped<unsigned short>(x))
#define __builtin_bswap32(x) (::foldwise::device_code::builtins::byte_swapped<unsigned int>(x))
#define __builtin_bswap64(x) (::foldwise::device_code::builtins::byte_swapped<unsigned long>(x))
#define __builtin_add_overflow(a, b, result) (::foldwise::device_code::builtins::add_overflow(a, b, result))
#define __builtin_sub_overflow(a, b, result) (::foldwise::device_code::builtins::sub_overflow(a, b, result))
#define __builtin_mul_overflow(a, b, result) (::foldwise::device_code::builtins::mul_overflow(a, b, result))
#define __builtin_isgreater(x, y) ((x) > (y))
#define __builtin_isgreaterequal(x, y) ((x) >= (y))
#define __builtin_isless(x, y) ((x) < (y))
#define __builtin_islessequal(x, y) ((x) <= (y))
#define __builtin_islessgreater(x, y) ((x) < (y) || (x) > (y))
#define __builtin_isunordered(x, y) (::foldwise::device_code::builtins::is_unordered(x, y))
#define __builtin_isnormal(x) (::foldwise::device_code::builtins::is_normal(x))
#define __builtin_fpclassify(nan, infinite, normal, subnormal, zero, x)                                                \
    (::foldwise::device_code::builtins::classify(nan, infinite, normal, subnormal, zero, x))
#endif

#ifdef __GLIBCXX__
// Copies and comparisons of whole ranges, which libstdc++ does with memmove and memcmp.
#include <bits/stl_algobase.h>

namespace foldwise::device_code::builtins {

struct copy_forward {
    template <class T> static constexpr T* __copy_m(const T* first, const T* last, T* result) {
        for (; first != last; ++first, ++result) *result = *first;
        return result;
    }
};
struct copy_backward {
    template <class T> static constexpr T* __copy_move_b(const T* first, const T* last, T* result) {
        while (first != last) *--result = *--last;
        return result;
    }
};
template <class T> constexpr int compare(const T* a, const T* b, std::size_t n) {
    for (; n > 0; ++a, ++b, --n)
        if (*a != *b) return *a < *b ? -1 : 1;
    return 0;
}

}  // namespace foldwise::device_code::builtins

namespace std {

template <>
struct __copy_move<false, true, random_access_iterator_tag> : foldwise::device_code::builtins::copy_forward {};
template <>
struct __copy_move<true, true, random_access_iterator_tag> : foldwise::device_code::builtins::copy_forward {};
template <>
struct __copy_move_backward<false, true, random_access_iterator_tag> : foldwise::device_code::builtins::copy_backward {
};
template <>
struct __copy_move_backward<true, true, random_access_iterator_tag> : foldwise::device_code::builtins::copy_backward {};

#define FOLDWISE_COMPARE(T)                                                                                            \
    template <> constexpr int __memcmp(const T* a, const T* b, size_t n) {                                             \
        return foldwise::device_code::builtins::compare(a, b, n);                                                      \
    }
FOLDWISE_COMPARE(bool)
FOLDWISE_COMPARE(char)
FOLDWISE_COMPARE(signed char)
FOLDWISE_COMPARE(unsigned char)
FOLDWISE_COMPARE(short)
FOLDWISE_COMPARE(unsigned short)
FOLDWISE_COMPARE(int)
FOLDWISE_COMPARE(unsigned int)
FOLDWISE_COMPARE(long)
FOLDWISE_COMPARE(unsigned long)
FOLDWISE_COMPARE(long long)
FOLDWISE_COMPARE(unsigned long long)
FOLDWISE_COMPARE(char8_t)
FOLDWISE_COMPARE(char16_t)
FOLDWISE_COMPARE(char32_t)
FOLDWISE_COMPARE(wchar_t)
#undef FOLDWISE_COMPARE

}  // namespace std
#endif

#endif
