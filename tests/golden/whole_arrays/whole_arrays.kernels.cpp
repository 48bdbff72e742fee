// tests/golden/whole_arrays/whole_arrays.kernels.cpp: arrays that every element is computed with as a whole.
// RUN: %golden
#include <foldwise/spec.hpp>

#include <cstdint>

namespace tables {

/// The color of each pixel of an image with a palette.
auto colors = foldwise::vectorize(
    [](std::uint8_t pixel, foldwise::view<const std::uint32_t, 1> palette) { return palette[pixel]; });

/// An array without elements beside it: the call is given the result's shape.
auto reversed = foldwise::vectorize(
    [](foldwise::index<1> i, foldwise::view<const double, 1> x) { return x[x.extent(0) - 1 - i]; });

/// One row of a sparse matrix times a vector.
auto dot = foldwise::reduce<double(double, std::int32_t, foldwise::view<const double, 1>)>(
    foldwise::map([](double value, std::int32_t column, foldwise::view<const double, 1> x) { return value * x[column]; }),
    [](double a, double b) { return a + b; }, foldwise::identity(0));

}  // namespace tables
