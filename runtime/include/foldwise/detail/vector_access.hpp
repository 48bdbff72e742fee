// foldwise/detail/vector_access.hpp: how many elements of an operand a thread accesses at once. Planners on the host
// and kernels on the GPU have to agree on it.
#pragma once

#include <cstdint>

namespace foldwise::detail {

/// Returns the largest power of two, at most 16, that divides `bytes`: the widest access that fits.
constexpr int access_bytes(int bytes) {
    int access = 16;
    while (bytes % access != 0) access /= 2;
    return access;
}

/// Returns the number of vectors per thread in tiled and flat launches. Two vectors share the computation of their
/// position, and their loads are in flight together. For elements of one or two bytes, one vector is faster, because
/// its elements fill so many registers.
constexpr int runs_per_thread(int width) { return width <= 4 ? 2 : 1; }

/// The number of threads per block in a flat launch. It is smaller than elsewhere to make up for the registers of two
/// vectors.
inline constexpr int flat_threads = 128;

inline constexpr int warp_threads = 32;

/// The number of vectors per thread where transposed operands are exchanged through shared memory, which needs a
/// barrier.
inline constexpr int exchange_runs = 2;

/// Returns the number of threads along a row of a tile that is exchanged through shared memory.
constexpr int exchange_lanes(int width) { return width >= 16 ? 4 : 8; }

/// Returns the number of columns that a thread reads together, a few elements of each, to have one vector's worth of
/// elements. Elements of one or two bytes are exchanged as words of this many neighbours in a row.
constexpr int exchange_columns(int width) { return width >= 16 ? 4 : width >= 8 ? 2 : 1; }

/// Tiles whose operands are exchanged are folded to this many rows or more.
constexpr int fewest_exchanged_rows = 16;

/// Returns whether vectors that cannot be stored whole are arranged in shared memory, so that neighbouring threads
/// store neighbouring elements. Vectors of fewer elements take less time to be stored one element after the other.
constexpr bool are_stores_arranged(int width) { return width >= 8; }

/// Returns whether the elements of a vector can be below each other in one column instead of side by side in one row,
/// so that neighbouring threads access neighbouring elements one by one.
constexpr bool can_be_upright(int width) { return width > 1 && exchange_columns(width) == 1; }

/// The layout of a transposed operand's tile in shared memory: columns of words one after the other, with a gap after
/// the columns of each vector. As a result a warp, for example of 8 lanes and 4 rows, reads its words from 32 different
/// banks. If vectors are upright, it reads neighbouring columns, and there is a gap after each of them.
struct exchange_layout {
    int columns;  ///< Columns of a piece, which is one vector's worth of elements.
    int piece;    ///< Rows of a piece.
    int gap;      ///< The gap after the columns of a vector, in bytes; 0 if there is one after each column.
    int column;   ///< The words of one column and the gap after it, if there is one, in bytes.
    int group;    ///< The columns of a vector, in bytes.
    int part;     ///< One of the tile's exchange_runs parts, in bytes.
    int bytes;    ///< The whole tile, in bytes.

    static constexpr exchange_layout of(int threads, int width, int size, bool is_upright) {
        const int lanes = exchange_lanes(width), rows = threads / lanes, columns = exchange_columns(width);
        const int piece = width / columns, space = 128 / lanes;
        const int gap = is_upright ? 0 : space, column = rows * columns * size + (is_upright ? space : 0);
        const int group = piece * column + gap, part = lanes * group;
        return {columns, piece, gap, column, group, part, exchange_runs * part};
    }
};

}  // namespace foldwise::detail
