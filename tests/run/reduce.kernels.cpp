// tests/run/reduce.kernels.cpp: reductions of every kind: by operation, type, parts and order.
#include <foldwise/spec.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>

namespace run {

/// A helper with the name that a part of the kernel would like to have.
template <class T> T sum_wide_combine(T a, T b) { return a + b; }

auto sum = foldwise::reduce<float, double, std::int32_t, std::int64_t>([](auto a, auto b) { return a + b; },
                                                                       foldwise::identity(0));
auto sum_wide = foldwise::reduce<double(float), std::int64_t(std::int8_t), std::int64_t(std::int32_t)>(
    [](auto a, auto b) { return sum_wide_combine(a, b); }, foldwise::identity(0), foldwise::commutative);
auto product = foldwise::reduce<double, std::uint32_t>([](auto a, auto b) { return a * b; }, foldwise::identity(1));
auto largest = foldwise::reduce<float, std::int32_t, foldwise::half>([](auto a, auto b) { return a < b ? b : a; },
                                                                     foldwise::lowest);
auto smallest =
    foldwise::reduce<float, std::uint8_t>([](auto a, auto b) { return std::min(a, b); }, foldwise::no_identity);
auto any = foldwise::reduce<bool>([](bool a, bool b) { return a || b; }, foldwise::identity(false));
auto parity =
    foldwise::reduce<std::uint64_t, std::uint8_t>([](auto a, auto b) { return a ^ b; }, foldwise::identity(0));

auto dot = foldwise::reduce<float(float, float), double(double, double)>(
    foldwise::map([](auto x, auto y) { return x * y; }), foldwise::combine([](auto a, auto b) { return a + b; }),
    foldwise::identity(0));

struct peak {
    float value;
    std::int64_t at;
};
auto argmax = foldwise::reduce<peak(float)>(foldwise::map([](foldwise::index<1> i, float v) {
                                                return peak{v, i};
                                            }),
                                            foldwise::combine([](peak a, peak b) { return b.value > a.value ? b : a; }),
                                            foldwise::identity(peak{-std::numeric_limits<float>::infinity(), -1}));

/// The coordinates' sums, weighted by the elements.
auto moment = foldwise::reduce<std::int64_t(std::int32_t)>(
    foldwise::map([](foldwise::index<2> at, std::int64_t x) { return x * (1000 * at[0] + at[1]); }),
    [](std::int64_t a, std::int64_t b) { return a + b; }, foldwise::identity(0));

struct moments {
    double n, mean, m2;
};
auto variance = foldwise::reduce<double(float)>(
    foldwise::map([](float x) {
        return moments{1, x, 0};
    }),
    foldwise::combine([](moments a, moments b) {
        const double n = a.n + b.n;
        if (n == 0) return a;
        const double d = b.mean - a.mean;
        return moments{n, a.mean + d * b.n / n, a.m2 + b.m2 + d * d * a.n * b.n / n};
    }),
    foldwise::identity(moments{0, 0, 0}), foldwise::finish([](moments m) { return m.m2 / m.n; }));

struct affine {
    std::uint32_t a, b;  // x -> a * x + b, modulo 2^32
};
auto compose = foldwise::reduce<affine>(
    [](affine f, affine g) {
        return affine{f.a * g.a, g.a * f.b + g.b};
    },
    foldwise::identity(affine{1, 0}));

/// The last of all, which only an order that is kept gets right.
auto last = foldwise::reduce<std::int8_t, double>([](auto, auto b) { return b; }, foldwise::no_identity);

struct point {
    float x, y, z;
};
auto centre = foldwise::reduce<point>(
    [](point a, point b) {
        return point{a.x + b.x, a.y + b.y, a.z + b.z};
    },
    foldwise::identity(point{0, 0, 0}), foldwise::commutative);

/// Numbers of several sizes, in a struct and an array of their own.
struct summary {
    struct {
        std::int16_t low, high;
    } range;
    std::int64_t sums[2];
    bool has_odd;
    foldwise::half least;
};
auto summarise = foldwise::reduce<summary(std::int16_t)>(
    foldwise::map([](std::int16_t x) {
        return summary{{x, x}, {x, x * x}, x % 2 != 0, static_cast<foldwise::half>(static_cast<float>(x))};
    }),
    [](const summary& a, const summary& b) {
        return summary{{a.range.low < b.range.low ? a.range.low : b.range.low,
                        a.range.high < b.range.high ? b.range.high : a.range.high},
                       {a.sums[0] + b.sums[0], a.sums[1] + b.sums[1]},
                       a.has_odd || b.has_odd,
                       static_cast<float>(b.least) < static_cast<float>(a.least) ? b.least : a.least};
    },
    foldwise::no_identity, foldwise::commutative);

/// Sums in 64 bits of integers of 16, 17, 31 and 32.
auto sum_of_narrow = foldwise::reduce<std::int64_t(std::int16_t), std::int64_t(std::int32_t)>(
    [](auto a, auto b) { return a + b; }, foldwise::identity(0));
auto difference = foldwise::reduce<std::int64_t(std::uint16_t, std::uint16_t)>(
    foldwise::map([](std::uint16_t x, std::uint16_t y) { return x - y; }),
    [](std::int64_t a, std::int64_t b) { return a + b; }, foldwise::identity(0));
auto square = foldwise::reduce<std::int64_t(std::int16_t)>(
    foldwise::map([](std::int16_t x) { return x * x; }), [](std::int64_t a, std::int64_t b) { return a + b; },
    foldwise::identity(0));

}  // namespace run
