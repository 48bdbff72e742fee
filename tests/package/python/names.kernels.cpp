// What Python calls: functions whose parameters and dimensions have the names of keywords, and tasks of records in
// loops.
#include <foldwise/spec.hpp>

#include <cstdint>
#include <functional>
#include <tuple>

namespace names {

template <class T, int N> using in = foldwise::view<const T, N>;
template <class T, int N> using out = foldwise::view<T, N>;

auto elementwise = foldwise::vectorize<double(double, double, double)>(
    [](double where, double dtype, double out) { return 100 * where + 10 * dtype + out; });
/// Its outputs have the names of local variables of the launcher and of a keyword.
auto placed = foldwise::vectorize<std::tuple<double, double>(double)>([](double x) {
    const double place = x + 1, out = 2 * x;
    return std::tuple(place, out);
});
auto total = foldwise::reduce<double(double, double, double)>(
    foldwise::map([](double x, double axis, double initial) { return axis * x + initial; }), std::plus<>{},
    foldwise::identity(0));
auto accumulated = foldwise::scan<double(double, double)>(
    foldwise::map([](double x, double reverse) { return reverse * x; }), std::plus<>{}, foldwise::identity(0));
auto scattered = foldwise::scatter<double(std::int64_t, double)>(
    foldwise::map([](std::int64_t shape, double stream) { return foldwise::at(shape, stream); }), std::plus<>{},
    foldwise::identity(0));
auto smoothed = foldwise::stencil(
    [](foldwise::around<const double, 1> a, double steps) { return steps * (a(-1) + a(1)); }, foldwise::edge::nearest);
auto tasks = foldwise::forall(
    [](foldwise::index<1> i, out<double, 1> shape, double stream, double lambda) { shape[i] = stream + lambda; });
auto self = foldwise::vectorize<double(double)>([](double self) { return self + 1; });

/// A dimension that outputs alone have, with the names of a parameter, of keywords of the call, and of Python's.
auto repeated = foldwise::guvectorize("(n)->(k)", [](in<double, 1> k, out<double, 1> all) {
    for (std::int64_t i = 0; i < all.extent(0); ++i) all[i] = k[0];
});
auto cut = foldwise::guvectorize("(n)->(out)", [](in<double, 1> x, out<double, 1> all) {
    for (std::int64_t i = 0; i < all.extent(0); ++i) all[i] = x[0] + 1;
});
auto grouped = foldwise::guvectorize("(n)->(class)", [](in<double, 1> x, out<double, 1> axes) {
    for (std::int64_t i = 0; i < axes.extent(0); ++i) axes[i] = x[0] + 2;
});

struct particle {
    float x[3], v[3];
};
auto drift = foldwise::forall([](foldwise::index<1> i, out<particle, 1> p, float dt) {
    for (int k = 0; k < 3; ++k) p[i].x[k] += dt * p[i].v[k];
});
auto heaviest = foldwise::reduce<particle(particle)>([](particle a, particle b) { return a.x[0] < b.x[0] ? b : a; },
                                                     foldwise::no_identity);
auto picked = foldwise::forall(
    [](foldwise::index<1> i, in<double, 1> x, in<std::int64_t, 1> at, out<double, 1> y) { y[i] = x[at[i]]; });
auto kept = foldwise::reduce<double>([](double a, double b) { return a < b ? b : a; }, foldwise::no_identity);
auto recent = foldwise::scan<double(double)>(
    foldwise::map([](foldwise::index<1> i, double x) { return x + static_cast<double>(i[0]); }),
    [](double a, double b) { return a < b ? b : a; }, foldwise::no_identity);

}  // namespace names

auto plain = foldwise::forall(
    [](foldwise::index<1> i, foldwise::view<const double, 1> x, foldwise::view<double, 1> y) { y[i] = x[i]; });
