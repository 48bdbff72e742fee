// bench/scan_peers.hpp: running sums by CUB, by Thrust and by hand. Device pointers; asynchronous on the stream.
#pragma once

#include "scratch.hpp"

#include <cuda_runtime_api.h>

#include <cstdint>

namespace bench {

void cub_running(const float* x, float* y, std::int64_t n, const scratch& scratch, cudaStream_t stream);
void thrust_running(const float* x, float* y, std::int64_t n, const scratch& scratch, cudaStream_t stream);

/// Of each row or column by itself. CUB knows them by their number, which is the key.
void cub_running_rows(const float* x, float* y, std::int64_t rows, std::int64_t columns, const scratch& scratch,
                      cudaStream_t stream);
void cub_running_columns(const float* x, float* y, std::int64_t rows, std::int64_t columns, const scratch& scratch,
                         cudaStream_t stream);
/// A thread for each column.
void running_columns_by_hand(const float* x, float* y, std::int64_t rows, std::int64_t columns, cudaStream_t stream);

}  // namespace bench
