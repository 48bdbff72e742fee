// bench/segments_peers.hpp: sums of segments and products of sparse matrices by CUB and by hand. Device pointers;
// asynchronous on the stream. Segment i has the elements from offsets[i] to below offsets[i + 1].
#pragma once

#include "scratch.hpp"

#include <cuda_runtime_api.h>

#include <cstdint>

namespace bench {

void cub_segment_sum(const float* x, const std::int32_t* offsets, float* out, std::int64_t segments,
                     const scratch& scratch, cudaStream_t stream);

/// A sparse matrix, row after row, and a vector.
struct csr_operands {
    const float* values;
    const std::int32_t *columns, *offsets;
    const float* x;
};
/// A warp for each row.
void csr_by_hand(const csr_operands& of, float* out, std::int64_t rows, cudaStream_t stream);
void cub_csr(const csr_operands& of, float* out, std::int64_t rows, const scratch& scratch, cudaStream_t stream);

}  // namespace bench
