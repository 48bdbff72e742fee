// foldwise/detail/loop_hints.hpp: the macros that the generator writes for the user's loop pragmas.
//
// FOLDWISE_UNROLL(n) replaces the user's `#pragma unroll n`, FOLDWISE_UNROLL_FULLY one without a number, and
// FOLDWISE_UNROLL_BY(...) one with an expression, which GCC does not accept in a template. FOLDWISE_CPU_PRAGMA(...) is
// a hint for vectorisation; only the headers of CPU kernels give it a meaning.
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
