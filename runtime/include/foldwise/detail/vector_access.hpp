// foldwise/detail/vector_access.hpp: how many elements of an operand a thread accesses together. Planners on the host
// and kernels on the GPU have to agree on it.
#pragma once

#include <cstdint>

namespace foldwise::detail {

/// The largest power of two, at most 16, that divides a number of bytes: the widest access that fits.
constexpr int access_bytes(int bytes) {
    int access = 16;
    while (bytes % access != 0) access /= 2;
    return access;
}

/// How many vectors each thread has of a tile or of a flat launch. Two share what it takes to find the place, and their
/// loads are in flight together. Elements of one or two bytes fill so many registers that one is faster.
constexpr int runs_per_thread(int width) { return width <= 4 ? 2 : 1; }

/// Threads of a block in a flat launch. Fewer than elsewhere make up for the registers of two vectors.
inline constexpr int flat_threads = 128;

/// Vectors of each thread where transposed operands are exchanged, which takes a barrier.
inline constexpr int exchange_runs = 2;

/// Threads along a row of such a tile.
constexpr int exchange_lanes(int width) { return width >= 16 ? 4 : 8; }

/// Columns that a thread reads together for a vector's worth of elements, a few of each. Elements of one or two bytes
/// are exchanged as words of so many neighbours of a row.
constexpr int exchange_columns(int width) { return width >= 16 ? 4 : width >= 8 ? 2 : 1; }

/// How a transposed operand's tile lies in shared memory: columns of words one after the other, with a gap after those
/// of each vector. Then a warp, of 8 lanes and 4 rows say, reads its words from 32 different banks.
struct exchange_layout {
    int columns;  ///< Of a piece, which is a vector's worth of elements,
    int piece;    ///< and its rows.
    int gap;      ///< In bytes, as are
    int column;   ///< the words of one column,
    int group;    ///< the columns of a vector,
    int part;     ///< one of the tile's exchange_runs parts,
    int bytes;    ///< and the whole tile.

    static constexpr exchange_layout of(int threads, int width, int size) {
        const int lanes = exchange_lanes(width), rows = threads / lanes, columns = exchange_columns(width);
        const int piece = width / columns, gap = 128 / lanes, column = rows * columns * size;
        const int group = piece * column + gap, part = lanes * group;
        return {columns, piece, gap, column, group, part, exchange_runs * part};
    }
};

}  // namespace foldwise::detail
