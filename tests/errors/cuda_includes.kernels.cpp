// tests/errors/cuda_includes.kernels.cpp: headers of CUDA's libraries, which the tool does not look for.
// RUN: %refused
#include <foldwise/spec.hpp>
// expected-error@+2 {{'cuda/std/cmath' file not found}}
// expected-note@+1 {{kernels need none of CUDA's headers: what the standard library's declare, such as <cmath>, works in them. Where this one is wanted, its folder is an include directory of the target: that of <cuda_runtime.h>, or cccl in it for Thrust, CUB and <cuda/std/...>}}
#include <cuda/std/cmath>

auto f = foldwise::vectorize([](float x) { return x; });
