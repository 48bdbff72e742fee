// tests/run/numerics.kernels.cpp: arithmetic that gives the same bits everywhere.
#include "numerics_formulas.hpp"

#include <foldwise/spec.hpp>

#include <cmath>
#include <complex>
#include <cstdint>

namespace numerics {

#define EXPRESSION(name, ...)                                                                                          \
    auto name = foldwise::vectorize<float(float, float, float), double(double, double, double)>(                       \
        []<class T>(T x, T y, T z) -> T { return __VA_ARGS__; });
#include "expressions.def"

auto product = foldwise::vectorize([](std::array<float, 4> p, std::array<float, 4> q) { return hamilton(p, q); });
auto spread_of = foldwise::vectorize([](double a, double b, double c) { return spread(a, b, c); });
auto picked_of = foldwise::vectorize([](float x, float y) { return picked(x, y); });
auto complex_product = foldwise::vectorize<std::complex<float>(std::complex<float>, std::complex<float>)>(
    [](auto x, auto y) { return x * y + x; });

auto spread_sum = foldwise::reduce<pair(double, double, double)>(
    foldwise::map([](double a, double b, double c) { return spread(a, b, c); }), foldwise::combine([](pair a, pair b) {
        return pair{a.low * b.high - b.low, a.low * b.high + b.low};
    }),
    foldwise::no_identity);

auto interleaved = foldwise::forall([](foldwise::index<1> i, foldwise::view<const float, 1> a,
                                       foldwise::view<const float, 1> b, foldwise::view<float, 1> out) {
    out[2 * i[0]] = a[i] * b[i] - a[i];
    out[2 * i[0] + 1] = a[i] * b[i] + a[i];
});

auto fused_of = foldwise::vectorize<float(float, float, float), double(double, double, double)>(
    [](auto x, auto y, auto z) { return fused(x, y, z); });

// Towards zero.
auto whole = foldwise::vectorize([](float x) { return static_cast<float>(static_cast<std::int32_t>(x)); });
auto whole_double = foldwise::vectorize([](double x) { return static_cast<double>(static_cast<std::int32_t>(x)); });

}  // namespace numerics
