// bench/reduce_peers.hpp: the same reductions by CUB. Device pointers; asynchronous on the stream. `out` is on the
// device, too.
#pragma once

#include "scratch.hpp"

#include <cuda_runtime_api.h>

#include <cstdint>

namespace foldwise {
class bfloat16;
}

namespace bench {

struct point;

/// Whole arrays of n elements.
template <class T, class R>
void cub_sum(const T* x, R* out, std::int64_t n, const scratch& scratch, cudaStream_t stream);
void cub_max(const float* x, float* out, std::int64_t n, const scratch& scratch, cudaStream_t stream);
void cub_any(const bool* x, bool* out, std::int64_t n, const scratch& scratch, cudaStream_t stream);
void cub_dot(const float* x, const float* y, float* out, std::int64_t n, const scratch& scratch, cudaStream_t stream);
void cub_argmax(const float* x, float* value, std::int64_t* at, std::int64_t n, const scratch& scratch,
                cudaStream_t stream);
void cub_variance(const float* x, double* out, std::int64_t n, const scratch& scratch, cudaStream_t stream);

/// An array of outer by middle by inner elements along its middle axis; the results are outer by inner.
template <class T, class R>
void cub_sum_middle(const T* x, R* out, std::int64_t outer, std::int64_t middle, std::int64_t inner,
                    const scratch& scratch, cudaStream_t stream);
void cub_max_middle(const float* x, float* out, std::int64_t outer, std::int64_t middle, std::int64_t inner,
                    const scratch& scratch, cudaStream_t stream);

/// The same array along the other two; `middle` results.
void cub_sum_around(const float* x, float* out, std::int64_t outer, std::int64_t middle, std::int64_t inner,
                    const scratch& scratch, cudaStream_t stream);

}  // namespace bench
