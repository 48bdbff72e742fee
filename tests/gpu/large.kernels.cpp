// tests/gpu/large.kernels.cpp: kernels of arrays that 32 bits do not count.
#include <foldwise/spec.hpp>

#include <cstdint>

namespace large {

auto least =
    foldwise::reduce<std::uint8_t>([](std::uint8_t a, std::uint8_t b) { return a < b ? a : b; }, foldwise::identity(7));
auto total = foldwise::reduce<std::uint64_t(std::uint8_t)>(
    foldwise::map([](std::uint8_t x) { return static_cast<std::uint64_t>(x); }), [](auto a, auto b) { return a + b; },
    foldwise::identity(0));

}  // namespace large
