// A right kernel, which no sanitizer has anything to say about: shuffles, static and dynamic shared memory, and the
// handshake by which the last block finishes the work of all.
// RUN: %build
// RUN: %t 2>&1 | FileCheck %s
// RUN: %if address %{ %build.address -fsanitize=address,undefined -fno-sanitize-recover=all %}
// RUN: %if address %{ %t.address 2>&1 | FileCheck %s %}
// RUN: %if thread %{ %build.thread -fsanitize=thread %}
// RUN: %if thread %{ %run-thread 2>&1 | FileCheck %s %}
// CHECK-NOT: {{.}}
// CHECK: 499500 499500 499500
// CHECK-NOT: {{.}}
#define FOLDWISE_SIMULATOR 1
#include <foldwise/device/launch.hpp>

#include <cstdio>
#include <numeric>
#include <vector>

namespace device = foldwise::device_code;

template <class T> __device__ T sum_of_block(T x, T* by_warp) {
    for (unsigned int lanes = 16; lanes > 0; lanes /= 2) x += __shfl_down_sync(0xffffffff, x, lanes);
    if (threadIdx.x % 32 == 0) by_warp[threadIdx.x / 32] = x;
    __syncthreads();
    if (threadIdx.x < 32) {
        x = threadIdx.x < blockDim.x / 32 ? by_warp[threadIdx.x] : T{};
        for (unsigned int lanes = 16; lanes > 0; lanes /= 2)
            x += __shfl_xor_sync(0xffffffff, x, static_cast<int>(lanes));
    }
    __syncthreads();
    return x;
}

template <class T> __global__ void sum(const T* in, unsigned int n, T* parts, unsigned int* done, T* out) {
    __shared__ T by_warp[8];
    __shared__ bool is_last;
    T* const mine = device::dynamic_shared<T>();
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    mine[threadIdx.x] = i < n ? in[i] : T{};
    const T total = sum_of_block(mine[threadIdx.x], by_warp);
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = total;
        __threadfence();
        is_last = atomicInc(done, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!is_last) return;
    const T all = sum_of_block(threadIdx.x < gridDim.x ? parts[threadIdx.x] : T{}, by_warp);
    if (threadIdx.x == 0) *out = all;
}

int main() {
    std::vector<double> in(1000), parts(4);
    std::iota(in.begin(), in.end(), 0.0);
    unsigned int done = 0;
    double out[3];
    for (double& one : out)
        foldwise::simulation::launch_with_barriers(sum<double>, 4, 256, 256 * sizeof(double), nullptr, in.data(), 1000U,
                                                   parts.data(), &done, &one);
    std::printf("%g %g %g\n", out[0], out[1], out[2]);
}
