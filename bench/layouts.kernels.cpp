// bench/layouts.kernels.cpp: the kernels that are measured on operands of every layout, and one that fills them.
#include "noise.hpp"

#include <foldwise/spec.hpp>

#include <cstdint>

namespace bench {

struct triple {
    float x, y, z;
    constexpr triple operator+(const triple& o) const { return {x + o.x, y + o.y, z + o.z}; }
};

auto scale_shift = foldwise::vectorize<float(float, float, float)>([](auto x, auto s, auto t) { return x * s + t; });

auto add = foldwise::vectorize<float(float, float), std::int8_t(std::int8_t, std::int8_t),
                               foldwise::bfloat16(foldwise::bfloat16, foldwise::bfloat16), triple(triple, triple)>(
    [](auto x, auto y) { return static_cast<decltype(x)>(x + y); });

auto same =
    foldwise::vectorize<float(float), std::int8_t(std::int8_t), foldwise::bfloat16(foldwise::bfloat16), triple(triple)>(
        [](auto x) { return x; });

/// Words that are no special values as numbers of 1, 2 or 4 bytes: random bits where `random` has ones.
auto noise = foldwise::vectorize(
    [](foldwise::index<1> i, std::uint32_t fixed, std::uint32_t random) { return fixed | (noise_at(i) & random); });

}  // namespace bench
