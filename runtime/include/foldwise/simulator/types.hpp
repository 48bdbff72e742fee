// foldwise/simulator/types.hpp: CUDA's types and variables, including the index of the running thread.
#pragma once

#include <source_location>

namespace foldwise::simulation {

/// The source location of a call in a kernel.
using place = std::source_location;

struct dim3 {
    unsigned int x, y, z;

    constexpr dim3(unsigned int x_ = 1, unsigned int y_ = 1, unsigned int z_ = 1) : x(x_), y(y_), z(z_) {}

    constexpr unsigned long long count() const { return 1ULL * x * y * z; }
};

// Words in which memory is copied; they may alias what they hold.
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

/// Whether the simulated thread has executed a fence: only then do its atomic operations publish its earlier writes.
inline thread_local bool has_fenced;

/// Returns four of the eight bytes of a (0 to 3) and b (4 to 7), as selected by the lower four hexadecimal digits of
/// `selector`.
inline unsigned int __byte_perm(unsigned int a, unsigned int b, unsigned int selector) {
    const unsigned long long both = static_cast<unsigned long long>(b) << 32 | a;
    unsigned int result = 0;
    for (unsigned int i = 0; i < 4; ++i)
        result |= static_cast<unsigned int>(both >> 8 * (selector >> 4 * i & 7) & 0xff) << 8 * i;
    return result;
}

}  // namespace foldwise::simulation
