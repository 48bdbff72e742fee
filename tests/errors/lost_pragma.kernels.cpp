// tests/errors/lost_pragma.kernels.cpp: pragmas that mean something and do not come along into kernels.
// RUN: %warned
#include <foldwise/spec.hpp>

namespace demo {

#pragma GCC push_options
// expected-warning@+1 {{'#pragma GCC optimize("no-fast-math")' does not come along into kernels [FW055, -Wlost-pragma]}}
#pragma GCC optimize("no-fast-math")
inline float next(float x) { return x + 1; }
#pragma GCC pop_options
inline float before(float x) { return x - 1; }

auto exact = foldwise::vectorize([](float x, float y) {
// expected-warning@+1 {{'#pragma STDC FP_CONTRACT OFF' does not come along into kernels [FW055, -Wlost-pragma]}}
#pragma STDC FP_CONTRACT OFF
    return x * y + x;
});
auto own = foldwise::vectorize([](float x) { return before(x); });
auto both = foldwise::vectorize([](float x) { return next(x) + before(x); });

// What is not reached, and what says nothing about the machine code, is no matter.
inline float unused(float x) {
#pragma STDC FP_CONTRACT OFF
    return x * x + 1;
}
#pragma mark here
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wfloat-equal"
auto loops = foldwise::vectorize([](float x) {
    float sum = 0;
#pragma unroll
    for (int i = 0; i < 4; ++i) sum += x;
    _Pragma("GCC unroll 2") for (int i = 0; i < 4; ++i) sum += x;
// expected-warning@+1 {{'#pragma clang loop vectorize(enable)' does not come along into kernels [FW055, -Wlost-pragma]}}
#pragma clang loop vectorize(enable)
    for (int i = 0; i < 4; ++i) sum += x;
// expected-warning@+1 {{'#pragma omp simd reduction(+:sum)' does not come along into kernels [FW055, -Wlost-pragma]}}
#pragma omp simd reduction(+ : sum)
    for (int i = 0; i < 4; ++i) sum += x;
    return sum == 0;
});
#pragma GCC diagnostic pop

// To the end of the file.
// expected-warning@+1 {{'#pragma clang fp contract(fast)' does not come along into kernels [FW055, -Wlost-pragma]}}
#pragma clang fp contract(fast)
auto fused = foldwise::vectorize([](float x, float y) { return x * y + 1; });

}  // namespace demo
