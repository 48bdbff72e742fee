// Reads of shared memory that nothing wrote in this block: the simulator finds them in programs that GCC compiles with
// -fsanitize=thread.
// REQUIRES: thread, GNU
// RUN: %build.thread -fsanitize=thread
// RUN: %run-thread 2>&1 | FileCheck %s
#define FOLDWISE_SIMULATOR 1
#include <foldwise/device/launch.hpp>
#include <foldwise/error.hpp>

#include <cstdio>
#include <cstring>

namespace device = foldwise::device_code;

/// What one block has written is nothing to the next.
template <class T> __global__ void in_a_variable(T* out) {
    __shared__ T values[32];
    if (threadIdx.x % 32 != 5 || blockIdx.x == 0) values[threadIdx.x] = 1;
    __syncthreads();
    // CHECK: simulator: read of shared memory that nothing wrote: 2 bytes by thread (6,0,0) of block (1,0,0)
    // CHECK-SAME: unwritten.cpp:[[# @LINE + 1]]{{.*}} in {{.*}}in_a_variable<short>
    out[blockIdx.x * 32 + threadIdx.x] = values[(threadIdx.x + 31) % 32];
}

__global__ void in_dynamic_memory(double* out) {
    double* const values = device::dynamic_shared<double>();
    if (threadIdx.x >= 2) values[threadIdx.x] = 1;
    __syncthreads();
    // CHECK-NEXT: simulator: read of shared memory that nothing wrote: 8 bytes by thread (0,0,0) of block (0,0,0)
    // CHECK-SAME: unwritten.cpp:[[# @LINE + 2]]
    // CHECK-NEXT: read of shared memory that nothing wrote: 8 bytes by thread (1,0,0) of block (0,0,0)
    out[threadIdx.x] = values[threadIdx.x];
}

__global__ void in_an_atomic_operation(int* out) {
    __shared__ unsigned int counter;
    // CHECK-NEXT: simulator: read of shared memory that nothing wrote: 4 bytes by thread (0,0,0) of block (0,0,0)
    // CHECK-SAME: unwritten.cpp:[[# @LINE + 1]]
    atomicAdd(&counter, 1);
    __syncthreads();
    out[threadIdx.x] = static_cast<int>(counter);
}

__global__ void all_written(float* out) {
    __shared__ unsigned int counter;
    __shared__ float values[3][8];
    float* const more = device::dynamic_shared<float>();
    const float mine[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    if (threadIdx.x == 0) memcpy(values[0], mine, sizeof mine);
    if (threadIdx.x == 1) std::memmove(values[1], mine, sizeof mine);
    if (threadIdx.x == 2) memset(values[2], 0, sizeof mine);
    if (threadIdx.x == 3) counter = 0;
    atomicExch(more + threadIdx.x, 2.0f);
    __syncthreads();
    atomicInc(&counter, 8);
    for (const auto& row : values) out[blockIdx.x * 8 + threadIdx.x] = row[threadIdx.x] + more[threadIdx.x];
}

template <class T> static void launch(void (*kernel)(T*), unsigned int blocks, unsigned int threads) {
    T out[96];
    try {
        foldwise::simulation::launch_with_barriers(kernel, blocks, threads, 32 * sizeof(T), nullptr, out);
        std::puts("nothing is wrong");
    } catch (const foldwise::device_error& e) {
        std::puts(e.what());
    }
}

int main() {
    launch(in_a_variable<short>, 3, 32);
    launch(in_dynamic_memory, 1, 4);
    launch(in_an_atomic_operation, 1, 32);
    // CHECK-NEXT: nothing is wrong
    launch(all_written, 2, 8);
}
