// bench/host_peers.cu
#include "host_peers.hpp"

#include "timing.hpp"

#include <cub/device/device_reduce.cuh>

namespace bench {

namespace {

constexpr int threads = 256;

__global__ void rel_diff_of(const float* x, const float* y, float* out, std::int64_t n) {
    const std::int64_t i = std::int64_t{blockIdx.x} * threads + threadIdx.x;
    if (i < n) out[i] = 2 * (x[i] - y[i]) / (x[i] + y[i]);
}

__global__ void twice_of(const float* x, float* y, std::int64_t n) {
    const std::int64_t i = std::int64_t{blockIdx.x} * threads + threadIdx.x;
    if (i < n) y[i] = 2 * x[i];
}

unsigned int blocks_for(std::int64_t n) { return static_cast<unsigned int>((n + threads - 1) / threads); }

void copy_in(float* device, const float* host, std::int64_t n) {
    BENCH_CHECK(cudaMemcpy(device, host, static_cast<std::size_t>(n) * sizeof(float), cudaMemcpyHostToDevice));
}
void copy_out(float* host, const float* device, std::int64_t n) {
    BENCH_CHECK(cudaMemcpy(host, device, static_cast<std::size_t>(n) * sizeof(float), cudaMemcpyDeviceToHost));
}

}  // namespace

plain_cuda::plain_cuda(std::int64_t n) : n_(n) {
    BENCH_CHECK(cudaMalloc(&x_, static_cast<std::size_t>(n) * sizeof(float)));
    BENCH_CHECK(cudaMalloc(&y_, static_cast<std::size_t>(n) * sizeof(float)));
    BENCH_CHECK(cub::DeviceReduce::Sum(nullptr, scratch_bytes_, x_, y_, n));
    BENCH_CHECK(cudaMalloc(&scratch_, scratch_bytes_));
}

plain_cuda::~plain_cuda() {
    cudaFree(x_);
    cudaFree(y_);
    cudaFree(scratch_);
}

void plain_cuda::rel_diff(const float* x, const float* y, float* out) {
    copy_in(x_, x, n_);
    copy_in(y_, y, n_);
    rel_diff_of<<<blocks_for(n_), threads>>>(x_, y_, x_, n_);
    copy_out(out, x_, n_);
}

float plain_cuda::sum(const float* x) {
    copy_in(x_, x, n_);
    BENCH_CHECK(cub::DeviceReduce::Sum(scratch_, scratch_bytes_, x_, y_, n_));
    float result;
    copy_out(&result, y_, 1);
    return result;
}

void plain_cuda::twice(const float* x, float* y) {
    copy_in(x_, x, n_);
    twice_of<<<blocks_for(n_), threads>>>(x_, y_, n_);
    copy_out(y, y_, n_);
}

}  // namespace bench
