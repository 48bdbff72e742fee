// foldwise/simulator/cuda.hpp: CUDA's words for a host compiler, so that emitted kernels run and can be debugged
// anywhere.
//
// Blocks and threads run one after the other. Names are CUDA's own; where a program is also built for CUDA they never
// meet cuda_runtime.h in one file.
#pragma once

#include <cstdint>

struct CUstream_st;

#define __global__
#define __host__
#define __device__
#define __launch_bounds__(...)

namespace foldwise::simulation {

struct dim3 {
    unsigned int x = 1, y = 1, z = 1;
};

// Words that memory is moved in: they may alias what they hold.
struct [[gnu::may_alias]] alignas(16) uint4 {
    unsigned int x, y, z, w;
};
struct [[gnu::may_alias]] alignas(8) uint2 {
    unsigned int x, y;
};

inline thread_local dim3 threadIdx;
inline thread_local dim3 blockIdx;
inline thread_local dim3 blockDim;
inline thread_local dim3 gridDim;

/// Runs a kernel to its end on the calling thread; always 0, cudaSuccess.
template <class... Parameters, class... Arguments>
int launch(void (*kernel)(Parameters...), unsigned int blocks, unsigned int threads, CUstream_st*,
           Arguments... arguments) {
    gridDim = {blocks, 1, 1};
    blockDim = {threads, 1, 1};
    for (unsigned int block = 0; block < blocks; ++block) {
        blockIdx = {block, 0, 0};
        for (unsigned int thread = 0; thread < threads; ++thread) {
            threadIdx = {thread, 0, 0};
            kernel(arguments...);
        }
    }
    return 0;
}

}  // namespace foldwise::simulation

using foldwise::simulation::blockDim;
using foldwise::simulation::blockIdx;
using foldwise::simulation::dim3;
using foldwise::simulation::gridDim;
using foldwise::simulation::threadIdx;
using foldwise::simulation::uint2;
using foldwise::simulation::uint4;
