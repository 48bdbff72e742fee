// bench/reduce.kernels.cpp: the reductions that are measured, and kernels that fill their operands.
#include "noise.hpp"

#include <foldwise/spec.hpp>

#include <cstdint>
#include <limits>

namespace bench {

auto sum = foldwise::reduce<float, double, float(foldwise::bfloat16), std::int32_t(std::int8_t)>(
    [](auto a, auto b) { return a + b; }, foldwise::identity(0));
auto max = foldwise::reduce<float>([](float a, float b) { return a < b ? b : a; }, foldwise::lowest);
auto any = foldwise::reduce<bool>([](bool a, bool b) { return a || b; }, foldwise::identity(false));
auto dot = foldwise::reduce<float(float, float)>(
    foldwise::map([](float x, float y) { return x * y; }), [](float a, float b) { return a + b; },
    foldwise::identity(0));

struct peak {
    float value;
    std::int64_t at;
};
auto argmax = foldwise::reduce<peak(float)>(
    foldwise::map([](foldwise::index<1> i, float v) {
        return peak{v, i};
    }),
    [](peak a, peak b) { return b.value > a.value || (b.value == a.value && b.at < a.at) ? b : a; },
    foldwise::identity(peak{-std::numeric_limits<float>::infinity(), std::numeric_limits<std::int64_t>::max()}),
    foldwise::commutative);

struct moments {
    double n, mean, m2;
};
auto variance = foldwise::reduce<double(float)>(
    foldwise::map([](float x) {
        return moments{1, x, 0};
    }),
    [](moments a, moments b) {
        const double n = a.n + b.n;
        if (n == 0) return a;
        const double d = b.mean - a.mean;
        return moments{n, a.mean + d * b.n / n, a.m2 + b.m2 + d * d * a.n * b.n / n};
    },
    foldwise::identity(moments{0, 0, 0}), foldwise::finish([](moments m) { return m.m2 / m.n; }),
    foldwise::commutative);

struct point {
    double x, y, z;
};
auto total = foldwise::reduce<point>(
    [](point a, point b) {
        return point{a.x + b.x, a.y + b.y, a.z + b.z};
    },
    foldwise::identity(point{0, 0, 0}), foldwise::commutative);

/// Order matters.
struct affine {
    std::uint32_t a, b;  // x -> a * x + b, modulo 2^32
};
auto compose = foldwise::reduce<affine>(
    [](affine f, affine g) {
        return affine{f.a * g.a, g.a * f.b + g.b};
    },
    foldwise::identity(affine{1, 0}));

/// Words that are no special values as numbers of 1, 2, 4 or 8 bytes: random bits where `random` has ones.
auto noise = foldwise::vectorize(
    [](foldwise::index<1> i, std::uint32_t fixed, std::uint32_t random) { return fixed | (noise_at(i) & random); });

/// One of -7, -5 ... 7: as many of either sign, so that sums of 10^9 of them are exact in any order.
auto odd = foldwise::vectorize<float(float), double(double), foldwise::bfloat16(foldwise::bfloat16)>(
    [](foldwise::index<1> i, auto zero) {
        return static_cast<decltype(zero)>(static_cast<float>(static_cast<int>(2 * (noise_at(i) & 7)) - 7));
    });

}  // namespace bench
