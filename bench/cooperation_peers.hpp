// bench/cooperation_peers.hpp: transposes, matrix products, stencils, and many rows or small matrices, by hand. Device
// pointers; asynchronous on the stream.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace bench {

/// Through a padded tile in shared memory, of 32 by 32 or of 64 by 64 elements, in blocks of 32 by 8 threads.
void transpose_by_hand(const float* x, float* turned, int rows, int columns, int tile, cudaStream_t stream);

/// z = x y of square matrices: tiles of 32 by 32 with a thread for each element, or of 128 by 128 with 64 elements for
/// each of 256 threads, which load the next tiles while they multiply. `side` is a multiple of 128.
void product_of_tiles_by_hand(const float* x, const float* y, float* z, int side, cudaStream_t stream);
void product_by_hand(const float* x, const float* y, float* z, int side, cudaStream_t stream);

/// Each thread has vectors of 16 bytes, four behind one another along the first axis, and loads what is around them
/// into registers. Columns are a multiple of a vector, and the extent along the first axis is a multiple of four.
void five_point_by_hand(const double* x, double* out, int rows, int columns, cudaStream_t stream);  ///< nearest
void seven_point_by_hand(const float* x, float* out, int side, cudaStream_t stream);                ///< constant(0)
void thirteen_point_by_hand(const float* x, float* out, int side, cudaStream_t stream);             ///< wrap

/// As many launches; the other array has every other result.
void five_point_steps_by_hand(const double* x, double* other, double* out, int rows, int columns, int steps,
                              cudaStream_t stream);

/// Products of (2,4) by (4,5), of which a block copies 128 to shared memory, with a thread for each result.
void products_by_hand(const double* a, const double* b, double* c, int count, cudaStream_t stream);

/// Of rows of 32, for which eight threads load a vector each.
void norms_by_hand(const float* x, float* norms, int rows, cudaStream_t stream);

/// Of matrices of 16 by 16, whose rows are in the registers of half a warp.
void cholesky_by_hand(const float* a, float* l, int count, cudaStream_t stream);

/// Symmetric matrices of 16 by 16 that are positive definite.
void fill_definite(float* a, int count);

}  // namespace bench
