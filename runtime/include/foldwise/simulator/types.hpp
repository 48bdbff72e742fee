// foldwise/simulator/types.hpp: CUDA's own types and variables, and which thread of a kernel is running.
#pragma once

#include <source_location>

namespace foldwise::simulation {

/// Where in a kernel something is called.
using place = std::source_location;

struct dim3 {
    unsigned int x, y, z;

    constexpr dim3(unsigned int x_ = 1, unsigned int y_ = 1, unsigned int z_ = 1) : x(x_), y(y_), z(z_) {}

    constexpr unsigned long long count() const { return 1ULL * x * y * z; }
};

// Words that memory is moved in: they may alias what they hold.
struct [[gnu::may_alias]] alignas(16) uint4 {
    unsigned int x, y, z, w;
};
struct [[gnu::may_alias]] alignas(8) uint2 {
    unsigned int x, y;
};

inline constexpr int warpSize = 32;

inline thread_local dim3 threadIdx;
inline thread_local dim3 blockIdx;
inline thread_local dim3 blockDim;
inline thread_local dim3 gridDim;

/// Whether the simulated thread has executed a fence: only then do its atomic operations publish what it wrote before.
inline thread_local bool has_fenced;

}  // namespace foldwise::simulation
