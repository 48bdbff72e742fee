// bench/segments_peers.cu
#include "segments_peers.hpp"

#include "timing.hpp"

#include <cub/device/device_segmented_reduce.cuh>
#include <cuda/std/functional>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

namespace bench {

namespace {

struct product {
    csr_operands of;
    __device__ float operator()(std::int32_t i) const { return of.values[i] * of.x[of.columns[i]]; }
};

__global__ void multiply_rows(csr_operands of, float* out, std::int64_t rows) {
    const std::int64_t row = (std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x) / 32;
    if (row >= rows) return;
    float sum = 0;
    for (std::int32_t i = of.offsets[row] + static_cast<int>(threadIdx.x % 32); i < of.offsets[row + 1]; i += 32)
        sum += of.values[i] * of.x[of.columns[i]];
    for (unsigned int apart = 16; apart > 0; apart /= 2) sum += __shfl_xor_sync(~0u, sum, apart);
    if (threadIdx.x % 32 == 0) out[row] = sum;
}

}  // namespace

void cub_segment_sum(const float* x, const std::int32_t* offsets, float* out, std::int64_t segments,
                     const scratch& scratch, cudaStream_t stream) {
    std::size_t bytes = scratch.bytes;
    BENCH_CHECK(cub::DeviceSegmentedReduce::Sum(scratch.memory, bytes, x, out, segments, offsets, offsets + 1, stream));
}

void csr_by_hand(const csr_operands& of, float* out, std::int64_t rows, cudaStream_t stream) {
    constexpr int threads = 256;
    multiply_rows<<<static_cast<unsigned int>((32 * rows + threads - 1) / threads), threads, 0, stream>>>(of, out,
                                                                                                          rows);
    BENCH_CHECK(cudaGetLastError());
}

void cub_csr(const csr_operands& of, float* out, std::int64_t rows, const scratch& scratch, cudaStream_t stream) {
    std::size_t bytes = scratch.bytes;
    const auto products = thrust::make_transform_iterator(thrust::counting_iterator<std::int32_t>(0), product{of});
    BENCH_CHECK(cub::DeviceSegmentedReduce::Sum(scratch.memory, bytes, products, out, rows, of.offsets, of.offsets + 1,
                                                stream));
}

}  // namespace bench
