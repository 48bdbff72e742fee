// bench/scatter_peers.cu
#include "scatter_peers.hpp"

#include "timing.hpp"

#include <cub/device/device_histogram.cuh>

namespace bench {

namespace {

constexpr unsigned int threads = 256;

unsigned int blocks_of(std::int64_t n) { return static_cast<unsigned int>((n + threads - 1) / threads); }

template <class Place> __global__ void count_places(const Place* places, std::uint32_t* out, std::int64_t n) {
    const std::int64_t i = std::int64_t{blockIdx.x} * threads + threadIdx.x;
    if (i < n) atomicAdd(out + places[i], 1u);
}

__global__ void add_at_places(const std::int32_t* places, const float* x, float* out, std::int64_t n) {
    const std::int64_t i = std::int64_t{blockIdx.x} * threads + threadIdx.x;
    if (i < n) atomicAdd(out + places[i], x[i]);
}

template <class Place>
void count_by_cub(void* memory, std::size_t& bytes, const Place* places, std::uint32_t* out, std::int64_t n,
                  std::int64_t bins, cudaStream_t stream) {
    const auto end = static_cast<std::int32_t>(bins);
    BENCH_CHECK(
        cub::DeviceHistogram::HistogramEven(memory, bytes, places, out, end + 1, std::int32_t{0}, end, n, stream));
}

}  // namespace

template <class Place> std::size_t cub_histogram_bytes(std::int64_t n, std::int64_t bins) {
    std::size_t bytes = 0;
    count_by_cub(nullptr, bytes, static_cast<const Place*>(nullptr), nullptr, n, bins, nullptr);
    return bytes;
}

template <class Place>
void cub_histogram(const Place* places, std::uint32_t* out, std::int64_t n, std::int64_t bins, const scratch& scratch,
                   cudaStream_t stream) {
    std::size_t bytes = scratch.bytes;
    count_by_cub(scratch.memory, bytes, places, out, n, bins, stream);
}

template <class Place>
void histogram_by_hand(const Place* places, std::uint32_t* out, std::int64_t n, std::int64_t bins,
                       cudaStream_t stream) {
    BENCH_CHECK(cudaMemsetAsync(out, 0, 4 * static_cast<std::size_t>(bins), stream));
    count_places<<<blocks_of(n), threads, 0, stream>>>(places, out, n);
    BENCH_CHECK(cudaGetLastError());
}

#define BENCH_HISTOGRAMS(Place)                                                                                        \
    template std::size_t cub_histogram_bytes<Place>(std::int64_t, std::int64_t);                                       \
    template void cub_histogram(const Place*, std::uint32_t*, std::int64_t, std::int64_t, const scratch&,              \
                                cudaStream_t);                                                                         \
    template void histogram_by_hand(const Place*, std::uint32_t*, std::int64_t, std::int64_t, cudaStream_t);
BENCH_HISTOGRAMS(std::uint8_t)
BENCH_HISTOGRAMS(std::int32_t)

void add_by_hand(const std::int32_t* places, const float* x, float* out, std::int64_t n, cudaStream_t stream) {
    add_at_places<<<blocks_of(n), threads, 0, stream>>>(places, x, out, n);
    BENCH_CHECK(cudaGetLastError());
}

}  // namespace bench
