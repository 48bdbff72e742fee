// bench/vectorize_peers.hpp: the same work by other means. Device pointers; asynchronous on the stream.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace bench {

enum class elementwise { rel_diff_float, rel_diff_double, rel_diff_bfloat16, add_int8, black_scholes, polar };

/// Arrays of n elements; those that a case does not have are null.
struct contiguous {
    const void* in[5];
    void* out[2];
    std::int64_t n;
};

void run_cub(elementwise what, const contiguous& on, cudaStream_t stream);
void run_thrust(elementwise what, const contiguous& on, cudaStream_t stream);
void run_by_hand(elementwise what, const contiguous& on, cudaStream_t stream);

}  // namespace bench
