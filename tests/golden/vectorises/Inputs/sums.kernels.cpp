// Sums and differences of products in neighbouring elements, and one that the user fuses.
#include <foldwise/spec.hpp>

#include <array>
#include <cmath>
#include <complex>

namespace sums {

using quat = std::array<float, 4>;
struct pair {
    double low, high;
};

auto hamilton = foldwise::vectorize([](std::array<float, 4> p, std::array<float, 4> q) {
    return std::array<float, 4>{p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
                                p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
                                p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1],
                                p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0]};
});
auto turn = foldwise::vectorize<std::complex<float>(std::complex<float>, std::complex<float>)>(
    [](auto x, auto y) { return x * y; });
auto spread = foldwise::vectorize([](double a, double b, double c) { return pair{a * b - c, a * b + c}; });
auto picked = foldwise::vectorize([](float x, float y) {
    const float all[4] = {x * y - x, x * y + x, y * y - x, y * y + x};
    return all[static_cast<int>(x) & 3];
});
auto spread_all = foldwise::reduce<pair(double, double, double)>(
    foldwise::map([](double a, double b, double c) { return pair{a * b - c, a * b + c}; }),
    foldwise::combine([](pair a, pair b) { return pair{a.low * b.high - b.low, a.low * b.high + b.low}; }),
    foldwise::no_identity, foldwise::commutative);
auto interleaved = foldwise::forall([](foldwise::index<1> i, foldwise::view<const float, 1> a,
                                       foldwise::view<const float, 1> b, foldwise::view<float, 1> out) {
    out[2 * i[0]] = a[i] * b[i] - a[i];
    out[2 * i[0] + 1] = a[i] * b[i] + a[i];
});

// These have neighbours of no kind, and keep the widest vectors.
auto scalars = foldwise::vectorize([](float x, float y) { return x * y + x - y; });
auto one_element = foldwise::forall([](foldwise::index<1> i, foldwise::view<const float, 1> a,
                                       foldwise::view<float, 1> out) { out[i] = a[i] * a[i] - a[i] + 1; });
auto dot = foldwise::reduce<float(float, float)>(
    foldwise::map([](float x, float y) { return x * y - x; }), [](float a, float b) { return a + b; },
    foldwise::identity(0));

auto fused = foldwise::vectorize([](float x, float y, float z) { return std::fma(x, y, z); });

}  // namespace sums
