// tests/golden/random/random.kernels.cpp: random numbers, and a reduction that has no inputs at all.
// RUN: %golden
#include <foldwise/spec.hpp>

#include <cstdint>
#include <functional>

namespace draws {

auto uniform = foldwise::vectorize(
    [](foldwise::index<1> i, std::uint64_t seed) { return foldwise::random::at(seed, i).uniform(); });
auto inside = foldwise::reduce<std::int64_t()>(foldwise::map([](foldwise::index<1> i) {
                                                   foldwise::random draw(42, i);
                                                   const float x = draw.uniform(), y = draw.uniform();
                                                   return std::int64_t{x * x + y * y < 1};
                                               }),
                                               std::plus<>{}, foldwise::identity(0));
auto step = foldwise::forall([](foldwise::index<1> i, foldwise::view<foldwise::xoroshiro128p, 1> states,
                                foldwise::view<double, 1> x) { x[i] += states[i].uniform<double>(); });

}  // namespace draws
