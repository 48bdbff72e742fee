// tests/run/whole_arrays.kernels.cpp: kernels that read other arrays as a whole: tables, gathers, sparse matrices.
#include "blocks.hpp"

#include <foldwise/spec.hpp>

#include <cstdint>
#include <functional>
#include <tuple>

namespace run {

using foldwise::index;
using foldwise::view;

auto look_up =
    foldwise::vectorize<float(std::uint8_t, view<const float, 1>), block12(std::uint8_t, view<const block12, 1>)>(
        [](auto key, auto table) { return table[key % table.extent(0)]; });

/// Two tables, one of them before the elements and of two axes; several outputs; the place of the element.
auto mix = foldwise::vectorize(
    [](index<2> at, const view<const std::int32_t, 2>& grid, std::int16_t x, view<const double, 1> weights, double y) {
        const std::int32_t cell = grid(at[1] % grid.extent(0), at[0] % grid.extent(1));
        return std::tuple(cell + x, weights[(at[0] + at[1]) % weights.extent(0)] + y);
    });

/// No elements: the call is given a shape.
auto reversed = foldwise::vectorize([](index<1> i, view<const double, 1> x) { return x(x.extent(0) - 1 - i); });

/// The rows of a sparse matrix, were they of one length.
auto weighted = foldwise::reduce<double(double, std::int32_t, view<const double, 1>)>(
    foldwise::map(
        [](double value, std::int32_t column, view<const double, 1> x) { return value * x[column % x.extent(0)]; }),
    std::plus<>{}, foldwise::identity(0));

/// An order that matters, and the place of the element.
struct affine {
    std::uint32_t a, b;
};
auto recurrence = foldwise::reduce<affine(view<const std::uint32_t, 2>, std::uint8_t)>(
    foldwise::map([](index<2> at, view<const std::uint32_t, 2> table, std::uint8_t key) {
        return affine{table(key % table.extent(0), 0) | 1, table(key % table.extent(0), at[1] % table.extent(1))};
    }),
    [](affine f, affine g) {
        return affine{f.a * g.a, f.b * g.a + g.b};
    },
    foldwise::identity(affine{1, 0}));

auto dot_of_shape = foldwise::reduce<double(view<const double, 1>)>(
    foldwise::map([](index<1> i, view<const double, 1> x) { return x[i] * static_cast<double>(i); }), std::plus<>{},
    foldwise::identity(0));

}  // namespace run
