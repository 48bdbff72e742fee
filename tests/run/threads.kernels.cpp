// tests/run/threads.kernels.cpp: what many threads call at once.
#include <foldwise/spec.hpp>

#include <cstdint>
#include <tuple>

namespace threads {

auto add = foldwise::vectorize<std::uint32_t(std::uint32_t, std::uint32_t), double(double, double)>(
    [](auto x, auto y) { return x + y; });
auto sum_difference = foldwise::vectorize([](std::uint32_t x, std::uint32_t y) { return std::tuple{x + y, x - y}; });
auto places = foldwise::vectorize([](foldwise::index<2> at, std::int64_t x) { return at[0] * 1000 + at[1] + x; });

}  // namespace threads
