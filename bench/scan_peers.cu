// bench/scan_peers.cu
#include "scan_peers.hpp"

#include "timing.hpp"

#include <cub/device/device_scan.cuh>
#include <cuda/std/functional>
#include <thrust/execution_policy.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/scan.h>

namespace bench {

namespace {

/// Gives Thrust what was allocated before.
struct scratch_allocator {
    using value_type = char;
    scratch own;

    char* allocate(std::ptrdiff_t bytes) {
        if (static_cast<std::size_t>(bytes) > own.bytes) std::abort();
        return static_cast<char*>(own.memory);
    }
    void deallocate(char*, std::size_t) {}
};

/// 32-bit numbers, which are faster to divide, where all elements have one.
struct row_of {
    std::uint32_t length;
    __host__ __device__ std::uint32_t operator()(std::uint32_t number) const { return number / length; }
};
/// Where an element is, counted column by column.
struct place_in_column {
    std::uint32_t rows, columns;
    __host__ __device__ std::uint32_t operator()(std::uint32_t number) const {
        const std::uint32_t column = number / rows;
        return (number - column * rows) * columns + column;
    }
};
template <class F> auto numbers(F f) {
    return thrust::make_transform_iterator(thrust::counting_iterator<std::uint32_t>(0), f);
}

__global__ void scan_columns(const float* x, float* y, std::int64_t rows, std::int64_t columns) {
    const std::int64_t column = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (column >= columns) return;
    float sum = 0;
#pragma unroll 8
    for (std::int64_t i = column; i < rows * columns; i += columns) y[i] = sum += x[i];
}

}  // namespace

void cub_running(const float* x, float* y, std::int64_t n, const scratch& scratch, cudaStream_t stream) {
    std::size_t bytes = scratch.bytes;
    BENCH_CHECK(cub::DeviceScan::InclusiveSum(scratch.memory, bytes, x, y, n, stream));
}

void thrust_running(const float* x, float* y, std::int64_t n, const scratch& scratch, cudaStream_t stream) {
    scratch_allocator allocator{scratch};
    thrust::inclusive_scan(thrust::cuda::par_nosync(allocator).on(stream), x, x + n, y);
}

void cub_running_rows(const float* x, float* y, std::int64_t rows, std::int64_t columns, const scratch& scratch,
                      cudaStream_t stream) {
    std::size_t bytes = scratch.bytes;
    BENCH_CHECK(cub::DeviceScan::InclusiveSumByKey(scratch.memory, bytes,
                                                   numbers(row_of{static_cast<std::uint32_t>(columns)}), x, y,
                                                   rows * columns, cuda::std::equal_to<>{}, stream));
}

void cub_running_columns(const float* x, float* y, std::int64_t rows, std::int64_t columns, const scratch& scratch,
                         cudaStream_t stream) {
    std::size_t bytes = scratch.bytes;
    const auto length = static_cast<std::uint32_t>(rows);
    const auto places = numbers(place_in_column{length, static_cast<std::uint32_t>(columns)});
    BENCH_CHECK(cub::DeviceScan::InclusiveSumByKey(
        scratch.memory, bytes, numbers(row_of{length}), thrust::make_permutation_iterator(x, places),
        thrust::make_permutation_iterator(y, places), rows * columns, cuda::std::equal_to<>{}, stream));
}

void running_columns_by_hand(const float* x, float* y, std::int64_t rows, std::int64_t columns, cudaStream_t stream) {
    constexpr int threads = 64;
    const auto blocks = static_cast<unsigned int>((columns + threads - 1) / threads);
    scan_columns<<<blocks, threads, 0, stream>>>(x, y, rows, columns);
    BENCH_CHECK(cudaGetLastError());
}

}  // namespace bench
