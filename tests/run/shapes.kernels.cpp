// tests/run/shapes.kernels.cpp: kernels for operands of every shape: elements of 1 to 24 bytes, several outputs, and
// the element's place.
#include "blocks.hpp"

#include <foldwise/spec.hpp>

#include <cstdint>
#include <tuple>

namespace run {

// Exchanging the operands shows.
auto weave =
    foldwise::vectorize<std::uint8_t(std::uint8_t, std::uint8_t), std::uint16_t(std::uint16_t, std::uint16_t),
                        std::uint32_t(std::uint32_t, std::uint32_t), std::uint64_t(std::uint64_t, std::uint64_t),
                        block3(block3, block3), block12(block12, block12), block16(block16, block16),
                        block24(block24, block24)>([](auto x, auto y) { return static_cast<decltype(x)>(x + x + y); });

// Vectors of eight bytes beside vectors of sixteen.
auto blend = foldwise::vectorize([](std::uint8_t x, std::uint16_t y) { return static_cast<std::uint16_t>(3 * x + y); });

auto three = foldwise::vectorize([](std::uint8_t a, std::uint32_t b, block12 c) {
    return std::tuple{std::uint64_t{a} * 1000 + b, static_cast<std::uint16_t>(c.values[2] + a)};
});

auto ramp = foldwise::vectorize([](foldwise::index<1> i, std::int32_t step) { return i * step; });
auto places = foldwise::vectorize([](foldwise::index<2> at) { return at[0] * 100000 + at[1]; });
auto cube = foldwise::vectorize<std::int64_t(std::int32_t)>([](foldwise::index<3> at, auto x) {
    auto [i, j, k] = at;
    return ((i * 1000 + j) * 1000 + k) * 10 + x;
});
auto generic = foldwise::vectorize<double(double), std::int64_t(std::int64_t)>(
    [](const foldwise::index<1>& i, auto x) { return static_cast<decltype(x)>(i[0]) + x; });

}  // namespace run
