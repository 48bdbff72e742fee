// tests/gpu/per_thread.kernels.cpp: kernels that are compiled for threads' own default streams.
#include <foldwise/spec.hpp>

#include <cstdint>

namespace gpu_per_thread {

auto add = foldwise::vectorize([](std::uint32_t x, std::uint32_t y) { return x + y; });
auto sum = foldwise::reduce<std::uint32_t>([](auto a, auto b) { return a + b; }, foldwise::identity(0));
auto scaled =
    foldwise::forall([](foldwise::index<1> i, foldwise::view<const std::uint32_t, 1> in,
                        foldwise::view<std::uint32_t, 1> out, std::uint32_t factor) { out[i] = factor * in[i]; });

}  // namespace gpu_per_thread
