// bench/random_peers.hpp: arrays filled by a kernel with cuRAND's Philox4x32-10. Device pointers; asynchronous on the
// stream.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace bench {

void curand_uniform(std::uint64_t seed, float* out, std::int64_t n, cudaStream_t stream);
void curand_uniform(std::uint64_t seed, double* out, std::int64_t n, cudaStream_t stream);
void curand_normal(std::uint64_t seed, float* out, std::int64_t n, cudaStream_t stream);
void curand_normal(std::uint64_t seed, double* out, std::int64_t n, cudaStream_t stream);

/// What is known of numbers that look random. Waits.
struct moments {
    double mean, mean_of_squares, least, greatest;
};
template <class T> moments moments_of(const T* x, std::int64_t n);

}  // namespace bench
