// bench/random.kernels.cpp: arrays filled with random numbers.
#include <foldwise/spec.hpp>

#include <cstdint>

namespace bench {

auto uniform_floats = foldwise::vectorize(
    [](foldwise::index<1> i, std::uint64_t seed) { return foldwise::random::at(seed, i).uniform(); });
auto uniform_doubles = foldwise::vectorize(
    [](foldwise::index<1> i, std::uint64_t seed) { return foldwise::random::at(seed, i).uniform<double>(); });
auto normal_floats = foldwise::vectorize(
    [](foldwise::index<1> i, std::uint64_t seed) { return foldwise::random::at(seed, i).normal(); });
auto normal_doubles = foldwise::vectorize(
    [](foldwise::index<1> i, std::uint64_t seed) { return foldwise::random::at(seed, i).normal<double>(); });

}  // namespace bench
