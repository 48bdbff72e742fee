// bench/scatter_peers.hpp: histograms and sums by place, by CUB and by hand. Device pointers; asynchronous on the
// stream.
#pragma once

#include "scratch.hpp"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace bench {

/// Of places from 0 to bins - 1; and the bytes of storage that this takes.
template <class Place> std::size_t cub_histogram_bytes(std::int64_t n, std::int64_t bins);
template <class Place>
void cub_histogram(const Place* places, std::uint32_t* out, std::int64_t n, std::int64_t bins, const scratch& scratch,
                   cudaStream_t stream);

/// With one atomic operation for each element.
template <class Place>
void histogram_by_hand(const Place* places, std::uint32_t* out, std::int64_t n, std::int64_t bins, cudaStream_t stream);
void add_by_hand(const std::int32_t* places, const float* x, float* out, std::int64_t n, cudaStream_t stream);

}  // namespace bench
