// What Python calls: indices, tables, records, random numbers, and all other patterns.
#include <foldwise/random.hpp>
#include <foldwise/spec.hpp>
#include <foldwise/xoroshiro128p.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <utility>

namespace functions {

struct place {
    std::int32_t row, column;
};
/// A member with members, an array, and padding before and behind `weight`.
struct particle {
    place at;
    float velocity[3];
    double weight;
    std::uint8_t kind;
};
enum class colour : std::uint8_t { red, green, blue };

template <class T, int N> using in = foldwise::view<const T, N>;
template <class T, int N> using out = foldwise::view<T, N>;

auto moved = foldwise::vectorize<particle(particle, std::int32_t)>([](particle p, std::int32_t rows) {
    p.at.row += rows;
    p.weight *= 2;
    return p;
});
auto speed = foldwise::vectorize<float(particle), float(float)>([](auto p) {
    if constexpr (requires { p.velocity; })
        return p.velocity[0] + p.velocity[1] + p.velocity[2];
    else
        return p;
});
auto next_colour =
    foldwise::vectorize<colour(colour)>([](colour c) { return static_cast<colour>((static_cast<int>(c) + 1) % 3); });
/// Looks elements up in a table, which is handed over as a whole.
auto looked_up = foldwise::vectorize<double(std::int64_t, in<double, 1>), float(std::int64_t, in<float, 1>)>(
    []<class T>(std::int64_t i, in<T, 1> table) { return table[i]; });
auto counted = foldwise::vectorize<std::int64_t()>([](foldwise::index<2> i) { return 10 * i[0] + i[1]; });
auto uniform = foldwise::vectorize(
    [](foldwise::index<1> i, std::uint64_t seed) { return foldwise::random::at(seed, i).uniform(); });

struct moments {
    double n, mean, m2;
};
/// The variance of all elements.
auto variance = foldwise::reduce<double(float)>(
    foldwise::map([](float x) {
        return moments{1, x, 0};
    }),
    foldwise::combine([](moments a, moments b) {
        const double n = a.n + b.n, d = b.mean - a.mean;
        return n == 0 ? a : moments{n, a.mean + d * b.n / n, a.m2 + b.m2 + d * d * a.n * b.n / n};
    }),
    foldwise::identity(moments{0, 0, 0}), foldwise::finish([](moments m) { return m.m2 / m.n; }));
/// The largest element and where it is.
auto argmax = foldwise::reduce<std::pair<double, std::int64_t>(double)>(
    foldwise::map([](foldwise::index<1> i, double x) { return std::pair<double, std::int64_t>(x, i[0]); }),
    foldwise::combine(
        [](std::pair<double, std::int64_t> a, std::pair<double, std::int64_t> b) { return b.first > a.first ? b : a; }),
    foldwise::no_identity);
auto maximum_of = foldwise::reduce<double>([](double a, double b) { return a < b ? b : a; }, foldwise::no_identity);
auto even_count = foldwise::reduce<std::int64_t(std::uint64_t)>(
    foldwise::map([](foldwise::index<1> i, std::uint64_t step) {
        return static_cast<std::int64_t>((static_cast<std::uint64_t>(i[0]) * step) % 2 == 0);
    }),
    std::plus<>{}, foldwise::identity(0));
auto ramped = foldwise::scan<double(double)>(
    foldwise::map([](foldwise::index<1> i, double x) { return x * static_cast<double>(i[0]); }), std::plus<>{},
    foldwise::identity(0));
auto weighted = foldwise::reduce<double(std::int64_t, in<double, 1>)>(
    foldwise::map([](std::int64_t i, in<double, 1> weights) { return weights[i]; }), std::plus<>{},
    foldwise::identity(0));

auto histogram = foldwise::scatter<std::uint32_t(std::uint8_t)>(
    foldwise::map([](std::uint8_t pixel) { return foldwise::at(pixel, 1u); }), std::plus<>{}, foldwise::identity(0));
auto deposit = foldwise::scatter<double(std::int64_t, std::int64_t, double)>(
    foldwise::map(
        [](std::int64_t i, std::int64_t j, double charge) { return foldwise::at(foldwise::index<2>(i, j), charge); }),
    std::plus<>{}, foldwise::identity(0));

auto heat = foldwise::stencil<float, double>(
    []<class T>(foldwise::around<const T, 2> a, T k) {
        return a(0, 0) + k * (a(-1, 0) + a(1, 0) + a(0, -1) + a(0, 1) - 4 * a(0, 0));
    },
    foldwise::edge::nearest);
auto inner_mean = foldwise::stencil([](foldwise::around<const double, 1> a) { return (a(-1) + a(0) + a(1)) / 3; },
                                    foldwise::edge::skip);
auto filtered =
    foldwise::stencil([](foldwise::around<const double, 1> a,
                         in<double, 1> weights) { return a(-1) * weights[0] + a(0) * weights[1] + a(1) * weights[2]; },
                      foldwise::edge::wrap);

auto matmul =
    foldwise::guvectorize<float, double>("(m,n),(n,p)->(m,p)", []<class T>(in<T, 2> a, in<T, 2> b, out<T, 2> c) {
        for (std::int64_t i = 0; i < c.extent(0); ++i)
            for (std::int64_t j = 0; j < c.extent(1); ++j) {
                T sum = 0;
                for (std::int64_t k = 0; k < a.extent(1); ++k) sum += a(i, k) * b(k, j);
                c(i, j) = sum;
            }
    });
auto inner1d = foldwise::guvectorize("(n),(n)->()", [](in<double, 1> x, in<double, 1> y, double& sum) {
    sum = 0;
    for (std::int64_t i = 0; i < x.extent(0); ++i) sum += x[i] * y[i];
});
/// Adds to what the output has.
auto added = foldwise::guvectorize("(n)->()", [](in<double, 1> x, double& sum) {
    for (std::int64_t i = 0; i < x.extent(0); ++i) sum += x[i];
});
auto cross = foldwise::guvectorize("(3),(3)->(3)", [](in<double, 1> a, in<double, 1> b, out<double, 1> c) {
    for (std::int64_t i = 0; i < 3; ++i) {
        const std::int64_t j = (i + 1) % 3, k = (i + 2) % 3;
        c[i] = a[j] * b[k] - a[k] * b[j];
    }
});
auto pooled = foldwise::guvectorize("(n)->(p)", [](in<double, 1> x, out<double, 1> sums) {
    for (std::int64_t i = 0; i < sums.extent(0); ++i) sums[i] = 0;
    for (std::int64_t i = 0, to = 0; i < x.extent(0); ++i, to = to + 1 < sums.extent(0) ? to + 1 : 0) sums[to] += x[i];
});

auto block_sums = foldwise::blocks<32>([](foldwise::block<1> b, in<double, 1> x, out<double, 1> sums) {
    auto own = b.own(0.0);
    b.each([&](foldwise::index<1> t) {
        if (x.has(b.at(t))) own[t] = x[b.at(t)];
    });
    const double sum = b.fold(own, std::plus<>{});
    b.once([&] { sums[b.number(0)] = sum; });
});
auto weigh =
    foldwise::forall([](foldwise::index<1> i, out<particle, 1> all, particle like) { all[i].weight = like.weight; });

/// States of Numba's generator, and draws from them.
auto seeded = foldwise::forall([](foldwise::index<1> i, out<foldwise::xoroshiro128p, 1> states, std::uint64_t seed) {
    states[i] = foldwise::xoroshiro128p(seed, static_cast<std::uint64_t>(i[0]));
});
auto drawn = foldwise::forall([](foldwise::index<1> i, out<foldwise::xoroshiro128p, 1> states, out<double, 1> x) {
    foldwise::xoroshiro128p state = states[i];
    x[i] = state.uniform<double>();
    states[i] = state;
});

}  // namespace functions
