// tests/golden/explain/Inputs/explained.kernels.cpp: kernels that --explain has something to say of.
#include "helpers.hpp"

#include <foldwise/spec.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <tuple>

namespace plain {
auto scaled = foldwise::vectorize<float(float, float), double(double, double)>([](auto a, auto x) { return a * x; });
}  // namespace plain

namespace more {
auto scaled = foldwise::vectorize([](foldwise::half x) -> foldwise::half { return 2 * x; });

auto grown = foldwise::vectorize([](float value, float years) { return helpers::grown(value, years); });

auto polar = foldwise::vectorize(
    [](helpers::Point p, float limit) { return std::tuple{std::min(p.norm(), limit), p.x < 0}; });

auto horner = foldwise::vectorize([](double x) {
    double sum = 0;
    for (int k = 0; k < 200; ++k) sum = sum * x + 1 / (1 + x);
    return sum;
});

auto steps = foldwise::vectorize([](foldwise::index<1> i, std::int64_t n) {
    std::int32_t steps = 0;
    for (; n > 1; ++steps) n = n % 2 == 0 ? n / 2 : 3 * n + i;
    return steps;
});

auto sum = foldwise::reduce<float, std::int64_t(std::int32_t)>([](auto a, auto b) { return a + b; },
                                                               foldwise::identity(0));

auto last = foldwise::reduce<double(float)>(
    foldwise::map([](foldwise::index<1> i, float x) { return static_cast<double>(x) * static_cast<double>(i); }),
    foldwise::combine([](double, double b) { return b; }), foldwise::no_identity);
}  // namespace more

namespace tasks {
// Five points; the edge stays as it is.
auto relax = foldwise::forall([](foldwise::index<2> at, foldwise::view<const float, 2> in,
                                 foldwise::view<float, 2> out, foldwise::view<std::int32_t, 1> n, float w) {
    const auto [r, c] = at;
    const bool edge = r == 0 || c == 0 || r + 1 == in.extent(0) || c + 1 == in.extent(1);
    if (edge) std::atomic_ref(n[0]).fetch_add(1, std::memory_order_relaxed);
    out(r, c) = edge ? in(r, c) : w * (in(r - 1, c) + in(r + 1, c) + in(r, c - 1) + in(r, c + 1));
});

// Which elements, and how many of them, is up to the data.
auto gather = foldwise::forall([](foldwise::index<1> i, foldwise::view<const std::int32_t, 1> at,
                                  foldwise::view<const float, 1> x, foldwise::view<float, 1> sums) {
    for (std::int32_t k = at[i]; k < at[i + 1]; ++k) sums[i] += x[k];
});

// The C++ library has one function for float, and takes the C library's for double.
auto decay = foldwise::forall<void(foldwise::view<float, 1>), void(foldwise::view<double, 1>)>(
    [](foldwise::index<1> i, auto x) { x[i] = std::exp(-x[i]); });

// What is done to elements is up to other code.
inline void clear(foldwise::view<float, 1> x, std::int64_t i) { x[i] = 0; }
auto cleared = foldwise::forall([](foldwise::index<1> i, foldwise::view<float, 1> x) { clear(x, i); });
}  // namespace tasks
