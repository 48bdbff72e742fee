// tests/docs/python.kernels.cpp: the module `stats` that docs/python.md calls.
#include <foldwise/spec.hpp>

#include <cstdint>
#include <functional>
#include <utility>

namespace stats {

auto rel_diff = foldwise::vectorize<float(float, float), double(double, double)>(
    [](auto x, auto y) { return 2 * (x - y) / (x + y); });
auto rel_diff_backward =
    foldwise::vectorize<std::tuple<float, float>(float, float, float),
                        std::tuple<double, double>(double, double, double)>([](auto x, auto y, auto gradient) {
        const auto sum = x + y;
        return std::tuple{gradient * 4 * y / (sum * sum), -gradient * 4 * x / (sum * sum)};
    });
auto total = foldwise::reduce<double>(std::plus<>{}, foldwise::identity(0));
auto argmax = foldwise::reduce<std::pair<double, std::int64_t>(double)>(
    foldwise::map([](foldwise::index<1> i, double x) { return std::pair<double, std::int64_t>(x, i[0]); }),
    foldwise::combine(
        [](std::pair<double, std::int64_t> a, std::pair<double, std::int64_t> b) { return b.first > a.first ? b : a; }),
    foldwise::no_identity);
auto running = foldwise::scan<double>(std::plus<>{}, foldwise::identity(0));
auto square_all = foldwise::forall([](foldwise::index<1> i, foldwise::view<const double, 1> x,
                                      foldwise::view<double, 1> out) { out[i] = x[i] * x[i]; });

struct particle {
    double position, velocity, weight;
};
auto moved = foldwise::vectorize([](particle p) {
    p.position += p.velocity;
    return p;
});

auto seeded =
    foldwise::forall([](foldwise::index<1> i, foldwise::view<foldwise::xoroshiro128p, 1> states, std::uint64_t seed) {
        states[i] = foldwise::xoroshiro128p(seed, static_cast<std::uint64_t>(i[0]));
    });
auto walk = foldwise::forall(
    [](foldwise::index<1> i, foldwise::view<foldwise::xoroshiro128p, 1> states, foldwise::view<double, 1> x) {
        foldwise::xoroshiro128p state = states[i];
        x[i] += state.uniform<double>();
        states[i] = state;
    });

auto uniform = foldwise::vectorize<double(std::uint64_t)>(
    [](foldwise::index<1> i, std::uint64_t seed) { return foldwise::random::at(seed, i).uniform<double>(); });
auto hits = foldwise::reduce<std::int64_t(std::uint64_t)>(foldwise::map([](foldwise::index<1> i, std::uint64_t seed) {
                                                              foldwise::random random(seed, i);
                                                              const float x = random.uniform(), y = random.uniform();
                                                              return std::int64_t{x * x + y * y < 1};
                                                          }),
                                                          std::plus<>{}, foldwise::identity(0));
auto looked_up = foldwise::vectorize([](std::int64_t i, foldwise::view<const double, 1> table) { return table[i]; });

struct moments {
    double n, mean, m2;
};
auto variance = foldwise::reduce<double(double)>(
    foldwise::map([](double x) {
        return moments{1, x, 0};
    }),
    foldwise::combine([](moments a, moments b) {
        if (a.n == 0 || b.n == 0) return a.n == 0 ? b : a;
        const double n = a.n + b.n, d = b.mean - a.mean;
        return moments{n, a.mean + d * b.n / n, a.m2 + b.m2 + d * d * a.n * b.n / n};
    }),
    foldwise::identity(moments{0, 0, 0}), foldwise::finish([](moments m) { return m.m2 / m.n; }));

}  // namespace stats
