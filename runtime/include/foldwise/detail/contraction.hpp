// foldwise/detail/contraction.hpp: keeps GCC from fusing multiplications and additions where contraction is disabled.
//
// Since version 12, GCC's vectoriser turns `{a * b - c, d * e + f}`, alternating in neighbouring elements, into
// vfmaddsub regardless of -ffp-contract. Files whose kernels may contain such sums define FOLDWISE_WITHOUT_FMA before
// they include anything. Without -march and similar options these instructions are not available; with them, this
// header disables them.
#pragma once

#if defined(FOLDWISE_WITHOUT_FMA) && !defined(FOLDWISE_CONTRACT) && defined(__GNUC__) && !defined(__clang__) &&        \
    __GNUC__ >= 12 && (defined(__FMA__) || defined(__FMA4__) || defined(__AVX512F__))
#pragma GCC target("no-fma,no-fma4,no-avx512f")
#endif
