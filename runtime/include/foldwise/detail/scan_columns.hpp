// foldwise/detail/scan_columns.hpp: how a scan along columns is divided among blocks.
//
// A column is what is scanned from its first row to its last. Neighbouring columns form a strip, and some rows of a
// strip a tile. Either blocks share the tiles of a strip, and learn from one another what precedes a tile: a thread
// then has neighbouring rows of one column of a tile. Or a block has a whole strip: a thread then has neighbouring rows
// of as many columns as it loads and stores at once.
#pragma once

#include <foldwise/detail/divide.hpp>

#include <cstddef>
#include <cstdint>

namespace foldwise::detail {

/// Returns how many threads a block has.
constexpr int scan_column_threads(std::size_t accumulator_bytes) { return accumulator_bytes <= 32 ? 256 : 128; }

/// Returns how many registers a thread has: enough for the rows that it scans, and for those that it loads meanwhile.
constexpr int scan_column_registers(std::size_t accumulator_bytes) { return accumulator_bytes <= 8 ? 80 : 128; }

/// Returns how many rows of a tile each thread has.
constexpr int scan_column_rows(std::size_t accumulator_bytes) {
    constexpr std::size_t most_bytes = 64, most = 16;
    const std::size_t rows = most_bytes / accumulator_bytes;
    return static_cast<int>(rows < 2 ? 2 : rows > most ? most : rows);
}

/// Returns how many threads a block has that scans a whole strip: as many as load what a multiprocessor has to wait for
/// at once, where no other block is on it.
constexpr int scan_strip_threads(std::size_t accumulator_bytes) {
    return accumulator_bytes <= 8 ? 512 : scan_column_threads(accumulator_bytes);
}

/// Returns how many columns such a thread has, whose elements in a row are a vector of 8 bytes where they lie side by
/// side: in 16 registers for each tile that way, half of the instructions load and store as much. A thread has one
/// column of narrower elements, which nvcc would take apart, and wait for, as soon as a vector is loaded.
constexpr int scan_strip_columns(std::size_t result_bytes, std::size_t accumulator_bytes) {
    constexpr std::size_t vector = 8, least = 4;
    const std::size_t bytes = result_bytes > accumulator_bytes ? result_bytes : accumulator_bytes;
    return bytes < least || bytes > vector ? 1 : static_cast<int>(vector / bytes);
}

/// Returns how many registers such a thread has, so that there is room for a second block.
constexpr int scan_strip_registers(std::size_t accumulator_bytes) { return accumulator_bytes <= 8 ? 64 : 128; }

/// The number of tiles of a batch that each thread combines.
inline constexpr int scan_column_loads = 8;

/// The strips of a scan, and their tiles. Tiles are numbered from the first rows of all strips to the last.
struct scan_strips {
    std::int64_t columns;
    int across;                     ///< The columns of a strip; a power of two where blocks share strips.
    int across_log2;                ///< That power.
    int batch_log2;                 ///< The tiles of a batch.
    divider<std::uint32_t> strips;  ///< Strips are numbered as their columns are.
    std::uint32_t deep;             ///< The number of tiles of a strip.

    constexpr std::uint32_t batches() const { return (deep + (1u << batch_log2) - 1) >> batch_log2; }

    /// Returns how many aggregates the launch publishes: one for each column of each tile, and one for each of each
    /// batch.
    constexpr std::size_t aggregates() const {
        if (deep == 1) return 0;
        return (std::size_t{strips.divisor} << across_log2) * (deep + batches());
    }

    /// Returns the number of the aggregate of a column of a strip, for a tile; and for a batch, behind those of all
    /// tiles.
    FOLDWISE_HD std::int64_t aggregate_of_tile(std::uint32_t strip, std::uint32_t tile, int column) const {
        return (((std::int64_t{strip} * deep + tile) << across_log2)) + column;
    }
    FOLDWISE_HD std::int64_t aggregate_of_batch(std::uint32_t strip, std::uint32_t batch, int column) const {
        const std::int64_t tiles = std::int64_t{strips.divisor} * deep;
        return ((tiles + std::int64_t{strip} * batches() + batch) << across_log2) + column;
    }
};

}  // namespace foldwise::detail
