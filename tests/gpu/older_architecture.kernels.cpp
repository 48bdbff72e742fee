// tests/gpu/older_architecture.kernels.cpp: kernels that are compiled for GPUs older than the one that runs them.
#include <foldwise/spec.hpp>

#include <cstdint>

namespace older_architecture {

auto twice = foldwise::vectorize([](std::int32_t x) { return 2 * x; });
auto sum = foldwise::reduce<std::int32_t>([](auto a, auto b) { return a + b; }, foldwise::identity(0));
auto next = foldwise::forall([](foldwise::index<1> i, foldwise::view<const std::int32_t, 1> x,
                                foldwise::view<std::int32_t, 1> out) { out[i] = x[i] + 1; });

}  // namespace older_architecture
