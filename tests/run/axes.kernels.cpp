// tests/run/axes.kernels.cpp: reductions along axes: by type, size of accumulator, order, index and number of inputs.
#include <foldwise/spec.hpp>

#include <cstdint>
#include <limits>

namespace run {

auto sum = foldwise::reduce<std::int64_t, float, std::int64_t(std::int8_t)>([](auto a, auto b) { return a + b; },
                                                                            foldwise::identity(0));
auto largest = foldwise::reduce<std::int32_t, float, foldwise::half>([](auto a, auto b) { return a < b ? b : a; },
                                                                     foldwise::no_identity, foldwise::commutative);
auto smallest = foldwise::reduce<std::uint8_t>([](auto a, auto b) { return b < a ? b : a; }, foldwise::no_identity,
                                               foldwise::commutative);

struct point {
    std::int32_t x, y, z;
};
auto centre = foldwise::reduce<point>(
    [](point a, point b) {
        return point{a.x + b.x, a.y + b.y, a.z + b.z};
    },
    foldwise::identity(point{0, 0, 0}), foldwise::commutative);

struct affine {
    std::uint32_t a, b;  // x -> a * x + b, modulo 2^32
};
auto compose = foldwise::reduce<affine>(
    [](affine f, affine g) {
        return affine{f.a * g.a, g.a * f.b + g.b};
    },
    foldwise::identity(affine{1, 0}));

/// The last of all, which only an order that is kept gets right.
auto last = foldwise::reduce<std::int8_t>([](auto, auto b) { return b; }, foldwise::no_identity);

auto dot = foldwise::reduce<double(float, std::int16_t)>(foldwise::map([](double x, double y) { return x * y; }),
                                                         foldwise::combine([](double a, double b) { return a + b; }),
                                                         foldwise::identity(0));

/// Of two widths, one of which is converted in blocks.
auto weighed = foldwise::reduce<std::int64_t(foldwise::half, std::int8_t)>(
    foldwise::map([](foldwise::half x, std::int8_t weight) -> std::int64_t {
        return static_cast<std::int64_t>(static_cast<float>(x)) * weight;
    }),
    [](std::int64_t a, std::int64_t b) { return a + b; }, foldwise::identity(0));

struct peak {
    std::int64_t value, at;
};
auto argmax = foldwise::reduce<peak(std::int32_t)>(
    foldwise::map([](foldwise::index<1> i, std::int32_t v) {
        return peak{v, i};
    }),
    foldwise::combine([](peak a, peak b) { return b.value > a.value || (b.value == a.value && b.at < a.at) ? b : a; }),
    foldwise::identity(peak{std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()}));

/// The coordinates, weighted by the elements.
auto moment = foldwise::reduce<std::int64_t(std::int32_t)>(
    foldwise::map([](foldwise::index<2> at, std::int64_t x) { return x * (1000 * at[0] + at[1]); }),
    [](std::int64_t a, std::int64_t b) { return a + b; }, foldwise::identity(0));
auto path = foldwise::reduce<affine(std::int32_t)>(
    foldwise::map([](foldwise::index<3> at, std::uint32_t x) {
        return affine{2 * x + 1, static_cast<std::uint32_t>((at[0] * 1000 + at[1]) * 1000 + at[2])};
    }),
    foldwise::combine([](affine f, affine g) {
        return affine{f.a * g.a, g.a * f.b + g.b};
    }),
    foldwise::identity(affine{1, 0}));

struct moments {
    double n, sum, squares;
};
auto variance = foldwise::reduce<double(float)>(foldwise::map([](double x) {
                                                    return moments{1, x, x * x};
                                                }),
                                                foldwise::combine([](moments a, moments b) {
                                                    return moments{a.n + b.n, a.sum + b.sum, a.squares + b.squares};
                                                }),
                                                foldwise::identity(moments{0, 0, 0}), foldwise::finish([](moments m) {
                                                    return m.n == 0 ? -1 : (m.squares - m.sum * m.sum / m.n) / m.n;
                                                }));

}  // namespace run
