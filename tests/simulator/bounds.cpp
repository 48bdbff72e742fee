// Accesses out of bounds: AddressSanitizer and UndefinedBehaviorSanitizer find them, the simulator says whose they are.
// REQUIRES: address
// RUN: %build -fsanitize=address,undefined
// RUN: not %t dynamic 2>&1 | FileCheck %s --check-prefix=DYNAMIC
// RUN: not %t device 2>&1 | FileCheck %s --check-prefix=DEVICE
// RUN: %t array 2>&1 | FileCheck %s --check-prefix=ARRAY
// RUN: %t passed 2>&1 | FileCheck %s --check-prefix=PASSED
// RUN: %t nothing 2>&1 | count 0
#define FOLDWISE_SIMULATOR 1
#include <foldwise/device/launch.hpp>

#include <string>
#include <vector>

namespace device = foldwise::device_code;

__global__ void in_dynamic_shared_memory(unsigned int shift) {
    // DYNAMIC: simulator: in thread (63,0,0) of block (0,0,0)
    // DYNAMIC: heap-buffer-overflow
    // DYNAMIC: WRITE of size 4
    // DYNAMIC-NEXT: #0 {{.*}} in in_dynamic_shared_memory{{.*}}bounds.cpp:[[# @LINE + 1]]
    device::dynamic_shared<float>()[threadIdx.x + shift] = 1;
    __syncthreads();
}

__global__ void in_device_memory(const float* in, float* out, unsigned int shift) {
    __syncthreads();
    // DEVICE: simulator: in thread (31,1,0) of block (1,0,0)
    // DEVICE: heap-buffer-overflow
    // DEVICE: READ of size 4
    // DEVICE-NEXT: #0 {{.*}} in in_device_memory{{.*}}bounds.cpp:[[# @LINE + 2]]
    const unsigned int i = blockIdx.x * 64 + threadIdx.y * 32 + threadIdx.x;
    out[i] = in[i + shift];
}

template <class T> __global__ void in_a_shared_array(T* out, unsigned int shift) {
    __shared__ T warps[4];
    // ARRAY: simulator: in thread (96,0,0) of block (0,0,0)
    // ARRAY-NEXT: bounds.cpp:[[# @LINE + 1]]:{{.*}} index 4 out of bounds for type 'float [4]'
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32 + shift] = 1;
    __syncthreads();
    out[threadIdx.x] = warps[threadIdx.x / 32];
}

template <class T> __device__ void put(T* where, unsigned int at, T value) { where[at] = value; }

template <class T> __global__ void through_a_pointer(T* out, unsigned int shift) {
    __shared__ T warps[4];
    // PASSED: simulator: in thread (96,0,0) of block (0,0,0)
    // PASSED-NEXT: bounds.cpp:[[# @LINE - 5]]:{{.*}} insufficient space for an object of type 'float'
    if (threadIdx.x % 32 == 0) put(warps, threadIdx.x / 32 + shift, T{1});
    __syncthreads();
    out[threadIdx.x] = warps[threadIdx.x / 32];
}

int main(int, char** arguments) {
    const std::string wrong = arguments[1];
    const std::vector<float> in(128);
    std::vector<float> out(128);
    const auto shift = [&](const char* here) { return wrong == here ? 1U : 0U; };
    foldwise::simulation::launch_with_barriers(in_dynamic_shared_memory, 1, 64, 64 * sizeof(float), nullptr,
                                               shift("dynamic"));
    foldwise::simulation::launch_with_barriers(in_device_memory, 2, {32, 2}, 0, nullptr, in.data(), out.data(),
                                               shift("device"));
    foldwise::simulation::launch_with_barriers(in_a_shared_array<float>, 1, 128, 0, nullptr, out.data(),
                                               shift("array"));
    foldwise::simulation::launch_with_barriers(through_a_pointer<float>, 1, 128, 0, nullptr, out.data(),
                                               shift("passed"));
}
