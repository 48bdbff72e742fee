// bench/build_cost/sum_cuda.cu: the same by hand: partial sums of blocks, and a block that adds those.
#include <cstdint>

namespace build_cost {

namespace {

constexpr int threads = 256, blocks = 1024;

__global__ void sum_kernel(const float* x, float* out, std::int64_t n) {
    __shared__ float of_warps[threads / 32];
    float sum = 0;
    for (std::int64_t i = std::int64_t{blockIdx.x} * threads + threadIdx.x; i < n;
         i += std::int64_t{gridDim.x} * threads)
        sum += x[i];
    for (int step = 16; step; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
    if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x) return;
    sum = 0;
    for (float one : of_warps) sum += one;
    out[blockIdx.x] = sum;
}

}  // namespace

/// `partial` has room for as many sums as there are blocks.
void sum(const float* x, float* partial, float* out, std::int64_t n, cudaStream_t stream) {
    sum_kernel<<<blocks, threads, 0, stream>>>(x, partial, n);
    sum_kernel<<<1, threads, 0, stream>>>(partial, out, blocks);
}

}  // namespace build_cost
