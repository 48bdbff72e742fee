// tests/errors/Inputs/included_kernel.hpp: a header with kernels, which are kernels of no spec, and what kernels may
// use.
#pragma once

#include <foldwise/spec.hpp>

namespace shared {
constexpr float scale = 2;
auto halved = foldwise::vectorize([](float x) { return x / scale; });
}  // namespace shared
auto total = foldwise::reduce<float>([](float a, float b) { return a + b; }, foldwise::identity(0));
