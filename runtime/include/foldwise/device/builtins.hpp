// foldwise/device/builtins.hpp: compiler builtins that nvcc supports only in host code, for device code.
//
// If a constexpr function of the standard library calls one of them (std::countr_zero, std::gcd), nvcc silently
// compiles the call to nothing. Therefore this header is included before the library's and redirects the builtins to
// the functions below. Headers that nvcc itself includes first are not affected; the end of this file corrects the
// functions in question.
#pragma once

#if defined(__CUDACC__) && !defined(FOLDWISE_SIMULATOR)

#include <cstddef>
#include <limits>
#include <type_traits>

namespace foldwise::device_code::builtins {

constexpr int popcount(unsigned int x) { return __builtin_popcount(x); }
constexpr int popcount(unsigned long long x) { return __builtin_popcountll(x); }

/// Returns the number of zeros below the lowest one; x must not be 0.
template <class T> constexpr int trailing_zeros(T x) { return popcount(static_cast<T>((x & (T{0} - x)) - 1)); }

template <class T> constexpr T byte_swapped(T x) {
    T swapped = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i) {
        swapped = static_cast<T>(swapped << 8 | (x & 0xff));
        x = static_cast<T>(x >> 8);
    }
    return swapped;
}

/// Sums and products of 64-bit integers fit exactly in this type, except that products of unsigned ones may become
/// negative.
__extension__ typedef __int128 wide;

/// Stores the result modulo 2^bits and returns whether it overflowed.
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
    // The product of two large unsigned factors may be negative here; it does not fit in 64 bits then.
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

/// Returns a byte of memory. Those of characters are read by value, which constant expressions allow.
template <class T> constexpr unsigned char byte_at(const T* bytes, std::size_t i) {
    if constexpr (sizeof(T) == 1)
        return static_cast<unsigned char>(bytes[i]);
    else
        return reinterpret_cast<const unsigned char*>(bytes)[i];
}
inline __host__ __device__ unsigned char byte_at(const void* bytes, std::size_t i) {
    return static_cast<const unsigned char*>(bytes)[i];
}

template <class A, class B> constexpr int compare_bytes(const A* a, const B* b, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i)
        if (byte_at(a, i) != byte_at(b, i)) return byte_at(a, i) < byte_at(b, i) ? -1 : 1;
    return 0;
}
template <class T> constexpr void* find_byte(const T* bytes, int value, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i)
        if (byte_at(bytes, i) == static_cast<unsigned char>(value))
            return const_cast<void*>(static_cast<const void*>(reinterpret_cast<const unsigned char*>(bytes) + i));
    return nullptr;
}
constexpr std::size_t length(const char* text) {
    std::size_t n = 0;
    while (text[n] != '\0') ++n;
    return n;
}
constexpr int compare_text(const char* a, const char* b, std::size_t most) {
    for (std::size_t i = 0; i < most; ++i) {
        if (a[i] != b[i]) return static_cast<unsigned char>(a[i]) < static_cast<unsigned char>(b[i]) ? -1 : 1;
        if (a[i] == '\0') return 0;
    }
    return 0;
}
/// Copies bytes. Overlapping ranges are copied from the end at which nothing is read any more.
inline __host__ __device__ void* move_bytes(void* to, const void* from, std::size_t n) {
    auto* target = static_cast<unsigned char*>(to);
    const auto* source = static_cast<const unsigned char*>(from);
    if (target < source) {
        for (std::size_t i = 0; i < n; ++i) target[i] = source[i];
    } else {
        for (std::size_t i = n; i > 0; --i) target[i - 1] = source[i - 1];
    }
    return to;
}

}  // namespace foldwise::device_code::builtins

#ifdef __CUDA_ARCH__
#define __builtin_memchr(bytes, value, n) (::foldwise::device_code::builtins::find_byte(bytes, value, n))
#define __builtin_memcmp(a, b, n) (::foldwise::device_code::builtins::compare_bytes(a, b, n))
#define __builtin_memmove(to, from, n) (::foldwise::device_code::builtins::move_bytes(to, from, n))
#define __builtin_strcmp(a, b) (::foldwise::device_code::builtins::compare_text(a, b, static_cast<std::size_t>(-1)))
#define __builtin_strlen(text) (::foldwise::device_code::builtins::length(text))
#define __builtin_strncmp(a, b, n) (::foldwise::device_code::builtins::compare_text(a, b, n))
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
// Copies and comparisons of whole ranges, which libstdc++ implements with memmove and memcmp.
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

// Where the library throws, as std::string_view::substr does beyond the end, a kernel ends with an error.
#ifdef __CUDA_ARCH__
#define __throw_out_of_range_fmt(...) __trap()
#endif
#endif

#endif
