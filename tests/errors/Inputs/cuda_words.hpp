// tests/errors/Inputs/cuda_words.hpp: defines CUDA's words as CUDA's headers do for a C++ compiler.
#pragma once

#define __device_builtin__
#ifndef __host__
#define __host__
#endif
#ifndef __device__
#define __device__
#endif
#ifndef __global__
#define __global__
#endif
#ifndef __constant__
#define __constant__
#endif
#ifndef __shared__
#define __shared__
#endif

struct __device_builtin__ extents {
    unsigned int x, y;
    __host__ __device__ extents(unsigned int width) : x(width), y(1) {}
};
