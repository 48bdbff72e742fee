// tests/errors/cuda_headers.kernels.cpp: headers of CUDA's in a spec, in front of <foldwise/spec.hpp> and behind it:
// functions may have CUDA's annotations, and shared memory is an error.
// RUN: %refused
// RUN: %refused -DCUDA_FIRST
#ifdef CUDA_FIRST
#include "Inputs/cuda_words.hpp"
#endif
#include <foldwise/spec.hpp>

#include "Inputs/cuda_words.hpp"

struct scale {
    float factor;
    __host__ __device__ float operator()(float x) const { return factor * x; }
};
auto scaled = foldwise::vectorize([](float x, scale s) { return s(x); });
auto doubled = foldwise::vectorize([] __host__ __device__(float x) { return 2 * x; });

auto shared = foldwise::forall([](foldwise::index<1> i, foldwise::view<float, 1> out) {
    __shared__ float tile[32];  // expected-error {{items share memory in foldwise::blocks}}
    out[i] = tile[0];
});
