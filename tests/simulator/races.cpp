// A missing barrier, a missing fence: ThreadSanitizer takes simulated threads for threads, and finds them whatever the
// order is in which they run.
// REQUIRES: thread
// RUN: %build.thread -fsanitize=thread
// RUN: not %run-thread barrier 2>&1 | FileCheck %s --check-prefix=BARRIER
// RUN: not %run-thread warp 2>&1 | FileCheck %s --check-prefix=WARP
// RUN: not %run-thread fence 2>&1 | FileCheck %s --check-prefix=FENCE
// RUN: not %run-thread atomic 2>&1 | FileCheck %s --check-prefix=ATOMIC
// RUN: not %run-thread copy 2>&1 | FileCheck %s --check-prefix=COPY
// RUN: %run-thread nothing 2>&1 | count 0
#define FOLDWISE_SIMULATOR 1
#include <foldwise/device/launch.hpp>

#include <cstring>
#include <string>

__global__ void reads_its_neighbours(int* out, bool is_wrong) {
    __shared__ int values[64];
    // BARRIER: data race
    // BARRIER-NEXT: Read of size 4
    // BARRIER-NEXT: #0 reads_its_neighbours{{.*}}races.cpp:[[# @LINE + 7]]
    // BARRIER: Previous write of size 4
    // BARRIER-NEXT: #0 reads_its_neighbours{{.*}}races.cpp:[[# @LINE + 3]]
    // BARRIER: 'thread ({{[0-9]+}},0,0) of block (0,0,0)'
    // BARRIER: simulator: in thread ({{[0-9]+}},0,0) of block (0,0,0)
    values[threadIdx.x] = static_cast<int>(threadIdx.x);
    if (!is_wrong) __syncthreads();
    out[blockIdx.x * 64 + threadIdx.x] = values[threadIdx.x == 0 ? 0 : threadIdx.x - 1];
    __syncthreads();
}

// Shuffles order no memory, __syncwarp does.
__global__ void in_a_warp(int* out, bool is_wrong) {
    __shared__ int value;
    // WARP: data race
    // WARP: #0 in_a_warp{{.*}}races.cpp:[[# @LINE + 7]]
    // WARP: #0 in_a_warp{{.*}}races.cpp:[[# @LINE + 1]]
    if (threadIdx.x == 0) value = 7;
    if (is_wrong)
        __shfl_xor_sync(0xffffffff, 1, 1);
    else
        __syncwarp();
    out[threadIdx.x] = value;
}

// The last block reads what the others left.
__global__ void hand_over(int* parts, unsigned int* done, int* total, bool is_wrong) {
    __shared__ bool is_last;
    __syncthreads();
    if (threadIdx.x == 0) {
        // FENCE: data race
        // FENCE: Read of size 4
        // FENCE-NEXT: #0 hand_over{{.*}}races.cpp:[[# @LINE + 9]]
        // FENCE: Previous write of size 4
        // FENCE-NEXT: #0 hand_over{{.*}}races.cpp:[[# @LINE + 1]]
        parts[blockIdx.x] = 1;
        if (!is_wrong) __threadfence();
        is_last = atomicAdd(done, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (is_last && threadIdx.x == 1)
        for (unsigned int block = 0; block < gridDim.x; ++block) *total += parts[block];
}

__global__ void count(int* total, bool is_wrong) {
    __syncthreads();
    if (threadIdx.x != 0) return;
    // ATOMIC: data race
    // ATOMIC: #0 count{{.*}}races.cpp:[[# @LINE + 2]]
    if (is_wrong)
        ++*total;
    else
        atomicAdd(total, 1);
}

struct moments {
    double count, mean, squares;
};

__global__ void copies(moments* out, bool is_wrong) {
    alignas(moments) __shared__ unsigned char bytes[2][sizeof(moments)];
    const moments mine{1, static_cast<double>(threadIdx.x), 0};
    // COPY: data race
    // COPY: #0 copies{{.*}}races.cpp:[[# @LINE + 3]]
    // COPY: Previous read
    // COPY: #0 copies{{.*}}races.cpp:[[# @LINE + 3]]
    memcpy(bytes[threadIdx.x], &mine, sizeof mine);
    if (!is_wrong) __syncthreads();
    std::memcpy(out + threadIdx.x, bytes[1 - threadIdx.x], sizeof mine);
}

int main(int, char** arguments) {
    const std::string wrong = arguments[1];
    int out[128], parts[4], total = 0;
    unsigned int done = 0;
    moments all[2];
    foldwise::simulation::launch_with_barriers(reads_its_neighbours, 2, 64, 0, nullptr, out, wrong == "barrier");
    foldwise::simulation::launch_with_barriers(in_a_warp, 1, 32, 0, nullptr, out, wrong == "warp");
    foldwise::simulation::launch_with_barriers(hand_over, 4, 32, 0, nullptr, parts, &done, &total, wrong == "fence");
    foldwise::simulation::launch_with_barriers(count, 4, 32, 0, nullptr, &total, wrong == "atomic");
    foldwise::simulation::launch_with_barriers(copies, 1, 2, 0, nullptr, all, wrong == "copy");
    return total == 8 ? 0 : 1;
}
