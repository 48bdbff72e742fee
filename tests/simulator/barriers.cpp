// Barriers that not all threads come to. The simulator reports them in any build; the next launch is none the worse.
// RUN: %build
// RUN: %t | FileCheck %s
#define FOLDWISE_SIMULATOR 1
#include <foldwise/device/launch.hpp>
#include <foldwise/error.hpp>

#include <cstdio>

__global__ void ended(int n) {
    if (static_cast<int>(threadIdx.x) >= n) return;
    // CHECK: simulator: divergent barrier in block (0,0,0)
    // CHECK-NEXT: (0,0,0) to (99,0,0) in __syncthreads at {{.*}}barriers.cpp:[[# @LINE + 2]]
    // CHECK-NEXT: (100,0,0) to (127,0,0) ended
    __syncthreads();
}

__global__ void elsewhere() {
    // CHECK-NEXT: simulator: divergent barrier in block (0,0,1)
    // CHECK-NEXT: (0,0,0) to (1,1,0) in __syncthreads at {{.*}}barriers.cpp:[[# @LINE + 4]]
    // CHECK-NEXT: (0,0,1) to (1,1,1) in __syncthreads_count at {{.*}}barriers.cpp:[[# @LINE + 5]]
    if (blockIdx.z == 0) return;
    if (threadIdx.z == 0)
        __syncthreads();
    else
        __syncthreads_count(1);
}

__global__ void users_line() {
    // CHECK-NEXT: simulator: divergent barrier in block (0,0,0)
    // CHECK-NEXT: (0,0,0) in __syncwarp of lanes 0x00000003 at user.kernels.cpp:12
    // CHECK-NEXT: (1,0,0) in __shfl_down_sync of lanes 0x00000003 at user.kernels.cpp:14
    // clang-format off
    if (threadIdx.x == 0)
#line 12 "user.kernels.cpp"
        __syncwarp(3);
    else
        __shfl_down_sync(3, 1.0f, 1);
    // clang-format on
}

__global__ void together(int* sum) {
    const int votes = __syncthreads_count(threadIdx.x % 3 == 0);
    if (threadIdx.x == 0) atomicAdd(sum, votes);
}

template <class... Arguments>
static void launch(void (*kernel)(Arguments...), dim3 grid, dim3 block, Arguments... arguments) {
    try {
        foldwise::simulation::launch_with_barriers(kernel, grid, block, 0, nullptr, arguments...);
    } catch (const foldwise::device_error& e) {
        std::puts(e.what());
    }
}

int main() {
    launch(ended, 3, 128, 100);
    launch(elsewhere, {1, 1, 2}, {2, 2, 2});
    launch(users_line, 1, 2);
    int sum = 0;
    launch(together, 10, 96, &sum);
    // CHECK-NEXT: 320
    std::printf("%d\n", sum);
}
