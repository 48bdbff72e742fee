// foldwise/detail/loop_hints.hpp: what the generator writes for the pragmas that stand before loops of the user's.
//
// FOLDWISE_UNROLL(n) stands for the user's `#pragma unroll n`, FOLDWISE_UNROLL_FULLY for one without a number, and
// FOLDWISE_UNROLL_BY(...) for one with an expression, which GCC does not take of a template.
// FOLDWISE_CPU_PRAGMA(...) is a hint for vector code: only the CPU's kernels, whose header defines it, have a use for
// it.
#pragma once

#define FOLDWISE_PRAGMA(...) _Pragma(#__VA_ARGS__)
#if defined(__CUDACC__) || defined(__clang__)
#define FOLDWISE_UNROLL(count) FOLDWISE_PRAGMA(unroll count)
#define FOLDWISE_UNROLL_BY(...) FOLDWISE_PRAGMA(unroll(__VA_ARGS__))
#define FOLDWISE_UNROLL_FULLY FOLDWISE_PRAGMA(unroll)
#else
#define FOLDWISE_UNROLL(count) FOLDWISE_PRAGMA(GCC unroll count)
#define FOLDWISE_UNROLL_BY(...)
#define FOLDWISE_UNROLL_FULLY FOLDWISE_PRAGMA(GCC unroll 65534)
#endif
