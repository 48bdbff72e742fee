// bench/layout_peers.hpp: the same work by CUB. Device pointers; asynchronous on the stream.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace foldwise {
class bfloat16;
}

namespace bench {

struct triple;

/// out[i, j] = x[i, j] * s[j] + t[i]
void cub_scale_shift(const float* x, const float* s, const float* t, float* out, std::int64_t rows,
                     std::int64_t columns, cudaStream_t stream);

/// out = x + y
template <class T> void cub_add(const T* x, const T* y, T* out, std::int64_t n, cudaStream_t stream);

/// out[i, j] = x[i, j] + y[j, i], both n by n
void cub_add_transposed(const float* x, const float* y, float* out, std::int64_t n, cudaStream_t stream);

/// out[i] = x[step * i]
void cub_every(const float* x, float* out, std::int64_t n, std::int64_t step, cudaStream_t stream);

/// out[b, j, i] = x[b, i, j], x of batches by rows by columns
template <class T>
void cub_transpose(const T* x, T* out, std::int64_t batches, std::int64_t rows, std::int64_t columns,
                   cudaStream_t stream);

/// Whether as many bytes are the same, or as many floats within a few units in the last place.
bool same_bytes(const void* a, const void* b, std::int64_t bytes);
bool same_floats(const float* a, const float* b, std::int64_t n);

}  // namespace bench
