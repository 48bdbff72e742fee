// tests/distributed/distributed.kernels.cpp: kernels whose results over several processes are compared with one's own.
#include <foldwise/spec.hpp>

#include <cstdint>
#include <functional>
#include <tuple>

namespace spread {

auto difference = foldwise::vectorize<std::int64_t(std::int64_t, std::int64_t), double(double, double)>(
    [](auto x, auto y) { return 3 * x - y; });
auto place = foldwise::vectorize<std::int64_t(std::int64_t)>(
    [](foldwise::index<3> at, std::int64_t x) { return x + 10'000 * at[0] + 100 * at[1] + at[2]; });
auto number = foldwise::vectorize([](foldwise::index<1> i) { return std::int64_t{i}; });
auto looked_up = foldwise::vectorize<std::int64_t(std::int64_t, foldwise::view<const std::int64_t, 1>)>(
    [](std::int64_t x, foldwise::view<const std::int64_t, 1> table) {
        return table[(x % 7 + 7) % 7 % table.extent(0)] + x;
    });
/// Numbers that depend on the element's index in the whole array alone.
auto drawn = foldwise::vectorize(
    [](foldwise::index<1> i, std::uint64_t seed) { return foldwise::random(seed, i).below(std::int64_t{1} << 40); });
auto both = foldwise::vectorize<std::tuple<std::int64_t, float>(std::int64_t)>(
    [](std::int64_t x) { return std::tuple(x + 1, static_cast<float>(x) / 2); });

auto running = foldwise::scan<std::int64_t>(std::plus<>{}, foldwise::identity(0));
auto sum = foldwise::reduce<std::int64_t, double>(std::plus<>{}, foldwise::identity(0));
auto dot = foldwise::reduce<std::int64_t(std::int64_t, std::int64_t)>(
    foldwise::map([](std::int64_t x, std::int64_t y) { return x * y; }), std::plus<>{}, foldwise::identity(0));
/// The elements with their coordinates' weights.
auto moment = foldwise::reduce<std::int64_t(std::int64_t)>(
    foldwise::map([](foldwise::index<3> at, std::int64_t x) { return x * (1 + at[0] + 100 * at[1] + 10'000 * at[2]); }),
    std::plus<>{}, foldwise::identity(0));
auto last = foldwise::reduce<std::int64_t>([](std::int64_t, std::int64_t b) { return b; }, foldwise::no_identity);

struct affine {
    std::uint32_t a, b;
    bool operator==(const affine&) const = default;
};
auto compositions = foldwise::scan<std::uint64_t(std::int64_t)>(
    foldwise::map([](std::int64_t x) {
        return affine{static_cast<std::uint32_t>(2 * x + 1), static_cast<std::uint32_t>(x)};
    }),
    [](affine f, affine g) {
        return affine{f.a * g.a, g.a * f.b + g.b};
    },
    foldwise::identity(affine{1, 0}), foldwise::finish([](affine f) { return std::uint64_t{f.a} << 32 | f.b; }));
/// The elements with their positions' weights.
auto weighted = foldwise::scan<std::int64_t(std::int64_t)>(
    foldwise::map([](foldwise::index<1> at, std::int64_t x) { return x * (1 + at); }), std::plus<>{},
    foldwise::identity(0));
auto latest = foldwise::scan<std::int64_t>([](std::int64_t, std::int64_t b) { return b; }, foldwise::no_identity);

auto compose = foldwise::reduce<std::uint64_t(std::int64_t)>(
    foldwise::map([](std::int64_t x) {
        return affine{static_cast<std::uint32_t>(2 * x + 1), static_cast<std::uint32_t>(x)};
    }),
    [](affine f, affine g) {
        return affine{f.a * g.a, g.a * f.b + g.b};
    },
    foldwise::identity(affine{1, 0}), foldwise::finish([](affine f) { return std::uint64_t{f.a} << 32 | f.b; }));

struct moments {
    double n, mean, m2;
};
auto variance = foldwise::reduce<double(double)>(
    foldwise::map([](double x) {
        return moments{1, x, 0};
    }),
    [](moments a, moments b) {
        const double n = a.n + b.n, d = b.mean - a.mean;
        return n == 0 ? a : moments{n, a.mean + d * b.n / n, a.m2 + b.m2 + d * d * a.n * b.n / n};
    },
    foldwise::identity(moments{0, 0, 0}), foldwise::finish([](moments m) { return m.m2 / m.n; }));

auto histogram = foldwise::scatter<std::int64_t(std::int64_t)>(
    foldwise::map([](std::int64_t x) { return foldwise::at((x % 7 + 7) % 7, x); }), std::plus<>{},
    foldwise::identity(0));
/// What does not commute, at places that depend on the index.
auto composed_at = foldwise::scatter<affine(std::int64_t)>(
    foldwise::map([](foldwise::index<1> at, std::int64_t x) {
        return foldwise::at(foldwise::index<2>{at % 5, at % 2},
                            affine{static_cast<std::uint32_t>(2 * x + 1), static_cast<std::uint32_t>(x)});
    }),
    [](affine f, affine g) {
        return affine{f.a * g.a, g.a * f.b + g.b};
    },
    foldwise::identity(affine{1, 0}));

template <class T, int N> using around = foldwise::around<const T, N>;
auto star = [](around<std::int64_t, 2> a, std::int64_t k) {
    return k * a(0, 0) + 3 * a(-2, 0) - a(1, 0) + 7 * a(0, -1) + 11 * a(1, 1) - 5 * a(-1, 1);
};
auto star_nearest = foldwise::stencil(star, foldwise::edge::nearest);
auto star_mirror = foldwise::stencil(star, foldwise::edge::mirror);
auto star_symmetric = foldwise::stencil(star, foldwise::edge::symmetric);
auto star_wrap = foldwise::stencil(star, foldwise::edge::wrap);
auto star_constant = foldwise::stencil(star, foldwise::edge::constant(-3));
auto star_skip = foldwise::stencil(star, foldwise::edge::skip);
/// Two arrays around, two results, and weights as a whole array.
auto wave = foldwise::stencil(
    [](around<std::int64_t, 1> height, around<double, 1> speed, foldwise::view<const std::int64_t, 1> weights) {
        const std::int64_t h = weights[0] * height(-1) + height(0) + weights[1] * height(3);
        const double s = speed(-1) / 2 + speed(1) + static_cast<double>(height(0));
        return std::tuple(h % 1000, s / 4);
    },
    foldwise::edge::wrap);

auto own_rows = foldwise::forall([](foldwise::index<2> at, foldwise::view<const std::int64_t, 2> x,
                                    foldwise::view<const std::int64_t, 1> table, foldwise::view<std::int64_t, 2> out,
                                    std::int64_t k) {
    out(at[0], at[1]) = k * x(at[0], at[1]) + 100 * at[0] + at[1] + table[(at[0] + 3) % table.extent(0)];
});
auto counted = foldwise::forall([](foldwise::index<1> i, foldwise::view<const std::int64_t, 1> x,
                                   foldwise::view<std::int64_t, 1> out) { out[x[i] & 1] = 1; });
auto in_place = foldwise::forall([](foldwise::index<1> i, foldwise::view<std::int64_t, 1> x) { x[i] = 2 * x[i] + i; });

auto row_ranges = foldwise::guvectorize(
    "(n)->(),(n)", [](foldwise::view<const std::int64_t, 1> x, std::int64_t& sum, foldwise::view<std::int64_t, 1> out) {
        sum = 0;
        for (std::int64_t i = 0; i < x.extent(0); ++i) {
            sum += x[i];
            out[i] = sum;
        }
    });
auto scaled_rows = foldwise::guvectorize(
    "(n),()->(n)", [](foldwise::view<const std::int64_t, 1> x, std::int64_t k, foldwise::view<std::int64_t, 1> out) {
        for (std::int64_t i = 0; i < x.extent(0); ++i) out[i] = k * x[i];
    });

}  // namespace spread
