// runtime/src/scan/row_tiles.hpp: which rows are so short that tiles have whole ones.
#pragma once

#include <cstdint>
#include <numeric>

namespace foldwise::detail {

/// Returns how many rows of `length` elements a tile has that has room for `most` elements, so that tiles begin where
/// vectors of `width` do; 0 if there is no such number, or if tiles would not be full enough. Depends on nothing else,
/// so that results have the same bits with any alignment and on all GPUs.
constexpr std::int64_t rows_of_tile(std::int64_t length, std::int64_t width, std::int64_t most) {
    if (length < 1 || length > most) return 0;
    const std::int64_t together = width / std::gcd(length, width), rows = most / length / together * together;
    // What a block loads at once is less by what is not full. Links cost it no more than a quarter of its time.
    return rows * length * 4 < most * 3 ? 0 : rows;
}

}  // namespace foldwise::detail
