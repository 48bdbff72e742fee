// foldwise/cpu/kernel.hpp: the macros with which emitted kernels of all patterns are compiled for the CPU.
#pragma once

#include <foldwise/detail/contraction.hpp>

#include <foldwise/detail/checks.hpp>
#include <foldwise/detail/kernel.hpp>
#include <foldwise/detail/loop_hints.hpp>

#include <cmath>
#include <cstdint>

// A build for any x86-64 has only 16-byte vectors. Therefore each kernel is compiled three times, and the loader
// selects the widest version that the machine supports. This is disabled if the user selects a machine (-march), and
// with sanitizers, which do not run yet when the loader selects.
//
// No other library may see a kernel, so it is static. With Clang it is hidden by -fvisibility=hidden instead: Clang 22
// writes the versions of static functions after all else, without the inline functions that only they call. (GCC 12
// exports the function that selects, whatever its visibility.)
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__OPTIMIZE__) && !defined(__AVX2__) &&                        \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) &&                                                 \
    (defined(__clang__) ? __clang_major__ >= 17 : __GNUC__ >= 12)
#ifdef __clang__
#define FOLDWISE_CPU_KERNEL __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define FOLDWISE_CPU_KERNEL                                                                                            \
    static __attribute__((flatten, target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#endif
#if defined(__clang__) || defined(FOLDWISE_CONTRACT)
#define FOLDWISE_CPU_KERNEL_WITHOUT_FMA FOLDWISE_CPU_KERNEL
#else
// The widest vectors that GCC supports without fused multiply-add (detail/contraction.hpp).
#define FOLDWISE_CPU_KERNEL_WITHOUT_FMA static __attribute__((flatten, target_clones("default", "avx2")))
#endif
#elif defined(__clang__)
#define FOLDWISE_CPU_KERNEL static
#define FOLDWISE_CPU_KERNEL_WITHOUT_FMA static
#else
#define FOLDWISE_CPU_KERNEL static __attribute__((flatten))
#define FOLDWISE_CPU_KERNEL_WITHOUT_FMA static __attribute__((flatten))
#endif

// Into the kernels, so that they are compiled for what those are and keep what they compute in registers: the functions
// themselves, and all that they call, the user's code among it. Kernels have `flatten` for GCC, which otherwise leaves
// a lambda that several of their versions call out of line, where it is compiled for the oldest machine. Clang inlines
// these, and takes no such attribute on functions that are compiled for several architectures.
#define FOLDWISE_CPU_INTO_KERNEL __attribute__((always_inline)) inline
#define FOLDWISE_CPU_FLAT __attribute__((always_inline, flatten))

// Precedes a loop that is to be vectorised. No exception may leave such a loop, so checked builds do not vectorise.
#ifndef FOLDWISE_LOOKS
#define FOLDWISE_CPU_SIMD _Pragma("omp simd")
#define FOLDWISE_CPU_PRAGMA(...) FOLDWISE_PRAGMA(__VA_ARGS__)
#else
#define FOLDWISE_CPU_SIMD
#define FOLDWISE_CPU_PRAGMA(...)
#endif

// VECTOR_MATH: glibc also has vector versions of these functions, in libmvec. Its headers declare them only under
// -ffast-math, which would change what operators compute; here only the functions are declared. Clang gets them from
// -fveclib=libmvec.
#if defined(FOLDWISE_VECTOR_MATH) && defined(__x86_64__) && defined(__GLIBC__) && !defined(__clang__) &&               \
    !defined(__FAST_MATH__)
#define FOLDWISE_HAS_VECTORS_1(name)                                                                                   \
    __attribute__((simd("notinbranch"))) double name(double) noexcept;                                                 \
    __attribute__((simd("notinbranch"))) float name##f(float) noexcept;
#define FOLDWISE_HAS_VECTORS_2(name)                                                                                   \
    __attribute__((simd("notinbranch"))) double name(double, double) noexcept;                                         \
    __attribute__((simd("notinbranch"))) float name##f(float, float) noexcept;
extern "C" {
#if __GLIBC_PREREQ(2, 22)
FOLDWISE_HAS_VECTORS_1(cos)
FOLDWISE_HAS_VECTORS_1(exp)
FOLDWISE_HAS_VECTORS_1(log)
FOLDWISE_HAS_VECTORS_1(sin)
FOLDWISE_HAS_VECTORS_2(pow)
#endif
#if __GLIBC_PREREQ(2, 35)
FOLDWISE_HAS_VECTORS_1(acos)
FOLDWISE_HAS_VECTORS_1(acosh)
FOLDWISE_HAS_VECTORS_1(asin)
FOLDWISE_HAS_VECTORS_1(asinh)
FOLDWISE_HAS_VECTORS_1(atan)
FOLDWISE_HAS_VECTORS_1(atanh)
FOLDWISE_HAS_VECTORS_1(cbrt)
FOLDWISE_HAS_VECTORS_1(cosh)
FOLDWISE_HAS_VECTORS_1(erf)
FOLDWISE_HAS_VECTORS_1(erfc)
FOLDWISE_HAS_VECTORS_1(exp2)
FOLDWISE_HAS_VECTORS_1(expm1)
FOLDWISE_HAS_VECTORS_1(log10)
FOLDWISE_HAS_VECTORS_1(log1p)
FOLDWISE_HAS_VECTORS_1(log2)
FOLDWISE_HAS_VECTORS_1(sinh)
FOLDWISE_HAS_VECTORS_1(tan)
FOLDWISE_HAS_VECTORS_1(tanh)
FOLDWISE_HAS_VECTORS_2(atan2)
FOLDWISE_HAS_VECTORS_2(hypot)
#endif
}
#undef FOLDWISE_HAS_VECTORS_1
#undef FOLDWISE_HAS_VECTORS_2
#endif
