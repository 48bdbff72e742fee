// bench/peers.hpp: the same work by other means. Device pointers; asynchronous on the stream.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace bench {

/// out = 2 (x - y) / (x + y) by cub::DeviceTransform.
void cub_rel_diff(const float* x, const float* y, float* out, std::int64_t n, cudaStream_t stream);
void cub_rel_diff(const double* x, const double* y, double* out, std::int64_t n, cudaStream_t stream);

}  // namespace bench
