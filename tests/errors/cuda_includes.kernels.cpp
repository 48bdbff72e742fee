// tests/errors/cuda_includes.kernels.cpp: headers of CUDA's libraries, which the tool does not look for.
// RUN: %refused
#include <foldwise/spec.hpp>
// expected-error@+2 {{'cuda/std/cmath' file not found}}
// expected-note@+1 {{a spec includes the standard library's headers alone, such as <cmath>, and needs none of CUDA's}}
#include <cuda/std/cmath>

auto f = foldwise::vectorize([](float x) { return x; });
