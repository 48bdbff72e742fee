// tests/gpu/early_trigger.cu: a kernel that lets the next one of its stream start long before it writes its results.
#include <cuda_runtime_api.h>

__global__ void fill_late(int* x, int value) {
#if __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion();
#endif
    const long long begin = clock64();
    while (clock64() - begin < 20'000'000) {
    }
    x[threadIdx.x] = value;
}

void launch_fill_late(int* x, int value, cudaStream_t stream) { fill_late<<<1, 256, 0, stream>>>(x, value); }
