// tests/run/scan.kernels.cpp: scans by type, size of accumulator, order, index and number of inputs.
#include <foldwise/spec.hpp>

#include <array>
#include <complex>
#include <cstdint>
#include <functional>
#include <utility>

namespace run {

auto running = foldwise::scan<std::int64_t, float, std::int8_t>(std::plus<>{}, foldwise::identity(0));
auto running_complex = foldwise::scan<std::complex<float>>(std::plus<>{}, foldwise::identity(0.0f));
auto longest =
    foldwise::scan<std::int32_t, foldwise::half>([](auto a, auto b) { return a < b ? b : a; }, foldwise::no_identity);

struct affine {
    std::uint32_t a, b;  // x -> a * x + b, modulo 2^32
};
auto recurrence = foldwise::scan<std::uint32_t(std::uint32_t, std::uint32_t)>(
    foldwise::map([](std::uint32_t a, std::uint32_t b) {
        return affine{a, b};
    }),
    foldwise::combine([](affine f, affine g) {
        return affine{f.a * g.a, f.b * g.a + g.b};
    }),
    foldwise::identity(affine{1, 0}), foldwise::finish([](affine f) { return f.b; }));

/// Matrices of 64 bytes, the largest accumulators.
struct matrix {
    std::array<std::uint32_t, 16> cells;
};
auto product = foldwise::scan<matrix>(
    [](const matrix& a, const matrix& b) {
        matrix c{};
        for (unsigned i = 0; i < 4; ++i)
            for (unsigned j = 0; j < 4; ++j)
                for (unsigned k = 0; k < 4; ++k) c.cells[4 * i + j] += a.cells[4 * i + k] * b.cells[4 * k + j];
        return c;
    },
    foldwise::no_identity);

/// Triangular matrices of 12 and 24 bytes, whose products depend on the order.
struct upper2 {
    std::uint32_t a, b, d;
};
struct upper3 {
    std::uint32_t a, b, c, d, e, f;
};
auto product_of_triangles = foldwise::scan<upper2>(
    [](upper2 x, upper2 y) {
        return upper2{x.a * y.a, x.a * y.b + x.b * y.d, x.d * y.d};
    },
    foldwise::no_identity);
auto product_of_larger = foldwise::scan<upper3>(
    [](upper3 x, upper3 y) {
        return upper3{x.a * y.a, x.a * y.b + x.b * y.d, x.a * y.c + x.b * y.e + x.c * y.f,
                      x.d * y.d, x.d * y.e + x.e * y.f, x.f * y.f};
    },
    foldwise::no_identity);

/// The last of all, which only an order that is kept gets right.
auto last = foldwise::scan<std::int8_t>([](auto, auto b) { return b; }, foldwise::no_identity);

/// The place of the largest so far, by position.
auto place_of_largest = foldwise::scan<std::int64_t(std::int32_t)>(
    foldwise::map([](foldwise::index<1> i, std::int32_t x) { return std::pair<std::int32_t, std::int64_t>(x, i); }),
    foldwise::combine([](std::pair<std::int32_t, std::int64_t> a, std::pair<std::int32_t, std::int64_t> b) {
        return a.first < b.first ? b : a;
    }),
    foldwise::no_identity, foldwise::finish([](std::pair<std::int32_t, std::int64_t> a) { return a.second; }));
auto weighted = foldwise::scan<std::int64_t(std::int16_t)>(
    foldwise::map([](foldwise::index<2> at, std::int16_t x) { return (at[0] + 3 * at[1]) * std::int64_t{x}; }),
    std::plus<>{}, foldwise::identity(0));

/// A scan of a shape without inputs.
auto triangles = foldwise::scan<std::int64_t()>(foldwise::map([](foldwise::index<1> i) { return std::int64_t{i} + 1; }),
                                                std::plus<>{}, foldwise::identity(0));
auto walk = foldwise::scan<std::int64_t(std::int32_t)>(
    foldwise::map([](foldwise::index<2> at, std::int32_t scale) { return scale * (at[0] - 2 * at[1]); }), std::plus<>{},
    foldwise::identity(0));

/// Prices of what was sold, from a whole array beside the elements.
auto revenue = foldwise::scan<std::int64_t(std::int32_t, foldwise::view<const std::int64_t, 1>)>(
    foldwise::map([](std::int32_t item, foldwise::view<const std::int64_t, 1> prices) { return prices[item]; }),
    std::plus<>{}, foldwise::identity(0));

}  // namespace run
