// tests/golden/scatter/scatter.kernels.cpp: scattered folds: atomic and ordered, one place for each element and several.
// RUN: %golden
#include <foldwise/spec.hpp>

#include <array>
#include <cstdint>

namespace grids {

/// How often each value occurs.
auto histogram = foldwise::scatter<std::uint32_t(std::uint8_t)>(
    foldwise::map([](std::uint8_t pixel) { return foldwise::at(pixel, 1u); }),
    [](std::uint32_t a, std::uint32_t b) { return a + b; }, foldwise::identity(0));

/// The nearest depth of each pixel.
auto nearest = foldwise::scatter<float(std::int64_t, float)>(
    foldwise::map([](std::int64_t pixel, float depth) { return foldwise::at(pixel, depth); }),
    [](float a, float b) { return b < a ? b : a; }, foldwise::highest);

struct span {
    std::int32_t first, last;
};

/// The first and the last row that each cell of a grid is touched in, in the rows' order.
auto rows = foldwise::scatter<span(std::int16_t, foldwise::view<const std::int16_t, 1>)>(
    foldwise::map([](foldwise::index<2> at, std::int16_t column, foldwise::view<const std::int16_t, 1> offsets) {
        const auto row = static_cast<std::int32_t>(at[0]);
        const std::int64_t moved = column + offsets[at[1]];
        return std::array{foldwise::at(foldwise::index<2>(at[0], moved), span{row, row}),
                          foldwise::at(foldwise::index<2>(at[0], moved + 1), span{row, row})};
    }),
    [](span a, span b) { return span{a.first < 0 ? b.first : a.first, b.last < 0 ? a.last : b.last}; },
    foldwise::identity(span{-1, -1}));

}  // namespace grids
