// tests/gpu/calls.kernels.cpp: kernels that are called with operands of every layout.
#include <foldwise/spec.hpp>

#include <cstdint>
#include <tuple>

namespace gpu {

auto add = foldwise::vectorize([](std::uint32_t x, std::uint32_t y) { return x + y; });
auto scale_shift = foldwise::vectorize<float(float, float, float), std::int8_t(std::int8_t, std::int8_t, std::int8_t)>(
    [](auto x, auto s, auto t) { return static_cast<decltype(x)>(x * s + t); });
auto sum_difference = foldwise::vectorize([](float x, float y) { return std::tuple{x + y, x - y}; });
auto places = foldwise::vectorize([](foldwise::index<2> at, std::int32_t x) { return at[0] * 1000 + at[1] + x; });

}  // namespace gpu
