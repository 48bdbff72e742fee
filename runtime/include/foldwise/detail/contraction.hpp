// foldwise/detail/contraction.hpp: keeps GCC from fusing multiplications with additions where it is told not to.
//
// From version 12 on its vectoriser makes vfmaddsub of `{a * b - c, d * e + f}`, alternating in neighbouring elements,
// whatever -ffp-contract says. Files with kernels that may have such sums define FOLDWISE_WITHOUT_FMA before they
// include anything. Without -march and its like there are no such instructions; with it, they are taken away here.
#pragma once

#if defined(FOLDWISE_WITHOUT_FMA) && !defined(FOLDWISE_CONTRACT) && defined(__GNUC__) && !defined(__clang__) &&        \
    __GNUC__ >= 12 && (defined(__FMA__) || defined(__FMA4__) || defined(__AVX512F__))
#pragma GCC target("no-fma,no-fma4,no-avx512f")
#endif
