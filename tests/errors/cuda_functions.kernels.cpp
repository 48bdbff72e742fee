// tests/errors/cuda_functions.kernels.cpp: functions that CUDA's headers declare for the host as well, which is not to
// say that kernels for the CPU have them. Those that make vectors, they have.
// RUN: %refused -isystem %S/Inputs/cuda
#include <foldwise/spec.hpp>

#include <functions.hpp>

struct scaler {
    float k;
    float3 operator()(float3 a) const { return make_float3(k * a.x, k * a.y, k * a.z); }
};
auto scaled = foldwise::vectorize([](float3 x) { return scaler{2}(x); });

// expected-error@+1 {{is CUDA's, and kernels for the CPU do not have it: write foldwise::half, whose elements have the same bits [FW013]}}
auto rounded = foldwise::vectorize([](float x) -> float { return __half(x) + __half(1.0f); });
// expected-error@+1 {{'__expf' is CUDA's, and kernels for the CPU do not have it: write std::exp(x) of <cmath>; FAST_MATH in foldwise_add_kernels approximates it [FW013]}}
auto fast = foldwise::vectorize([](float x) { return __expf(x); });
