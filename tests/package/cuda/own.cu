#include "stats.kernels.hpp"

#include <vector>

#if defined FOR_CXX || !defined FOR_CUDA
#error "a .cu file is CUDA to the target"
#endif

__global__ void own_kernel(float* x) { *x = 1; }

float root_of(float x) {
    std::vector<float> in(1, x), out(1);
    existing::root(in, out);
    return out[0];
}
