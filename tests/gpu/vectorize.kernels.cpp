// tests/gpu/vectorize.kernels.cpp: kernels for what only a GPU has.
#include <foldwise/spec.hpp>

#include <cstdint>

namespace gpu {

auto increment = foldwise::vectorize<std::int32_t(std::int32_t), std::int8_t(std::int8_t), double(double)>(
    [](auto x) { return static_cast<decltype(x)>(x + 1); });

}  // namespace gpu
