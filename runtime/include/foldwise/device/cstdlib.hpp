// foldwise/device/cstdlib.hpp: <cstdlib> with div, ldiv and lldiv, which CUDA lacks in device code.
#pragma once

#include <cstdlib>

#if defined(__CUDACC__) && !defined(FOLDWISE_SIMULATOR)

namespace foldwise::device_code::integers {

__device__ inline div_t foldwise_div(int x, int y) { return {x / y, x % y}; }
__device__ inline ldiv_t foldwise_div(long x, long y) { return {x / y, x % y}; }
__device__ inline lldiv_t foldwise_div(long long x, long long y) { return {x / y, x % y}; }
__device__ inline ldiv_t foldwise_ldiv(long x, long y) { return {x / y, x % y}; }
__device__ inline lldiv_t foldwise_lldiv(long long x, long long y) { return {x / y, x % y}; }

}  // namespace foldwise::device_code::integers

namespace std {
using namespace foldwise::device_code::integers;
}
using namespace foldwise::device_code::integers;

// nvcc includes <cstdlib> before anything else, so these can replace its functions only under other names.
#define div foldwise_div
#define ldiv foldwise_ldiv
#define lldiv foldwise_lldiv

#endif
