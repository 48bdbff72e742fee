#define FOLDWISE_SIMULATOR 1
#include <foldwise/device/launch.hpp>

#include <cstdio>

__global__ void count(int* out) {
    const int odd = __syncthreads_count(static_cast<int>(threadIdx.x % 2));
    if (threadIdx.x == 0) *out = odd;
}

int main() {
    int odd = 0;
    const int status = foldwise::simulation::launch_with_barriers(count, 1, 7, 0, nullptr, &odd);
    std::printf("%d %d\n", status, odd);
}
