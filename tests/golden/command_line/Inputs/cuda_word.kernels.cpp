// A function as CUDA's sources have it.
#include <foldwise/spec.hpp>
__device__ float doubled(float x) { return 2 * x; }
auto twice = foldwise::vectorize([](float x) { return doubled(x); });
