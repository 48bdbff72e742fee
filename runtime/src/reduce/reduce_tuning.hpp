// runtime/src/reduce/reduce_tuning.hpp: the numbers by which reductions on a GPU are planned.
#pragma once

#include <cstdint>

namespace foldwise::detail {

/// The parameters by which reductions are planned, and where they were measured, in docs/performance/notes: V is
/// reduce-first-versions.md, *Launch parameters*; T and S are the numbered items of reduce-trees.md and
/// reduce-shifted-rows.md. Tuned on an H200 and confirmed on an H100.
struct reduce_tuning {
    /// A warp reduces a row of up to this many tiles alone if there are rows for half of the warps that run at once. S5
    std::int64_t warp_tiles = 256;
    /// A warp reduces any row alone if there are rows for this many times the warps that run at once.
    std::int64_t warps_each = 8;
    /// A block reduces a row alone if it has up to this many tiles per thread; 1 and 4 cost 34 % at 10⁴. V
    std::int64_t alone_tiles = 8;
    /// A block reduces a row alone if it has up to this many tiles per thread, the order is kept, and there are several
    /// rows; see reduce-order.md, *Rows of middle length*.
    std::int64_t alone_ordered_tiles = 16;
    /// Each further block that shares a row needs this many more tiles per thread. V
    std::int64_t joining_tiles = 2;
    /// If combining is expensive, a block has 2 to this power threads, which saves a level of the tree of partial
    /// results. S4
    int small_block_log2 = 8;
    /// Blocks have all of their threads even if combining is expensive when there are this many tiles for each thread
    /// of the small blocks. S4
    std::int64_t small_block_tiles = 64;
    /// Several blocks share a result if there are fewer results than this many times the blocks that run at once.
    std::int64_t shared_results = 4;
    /// Blocks that share results are in total this many times what runs at once, so that their shares even out. Along
    /// several axes, where each share begins with divisions, they are only what runs at once. S5
    std::int64_t shares = 2;
    /// A block that reduces a row alone has at least 2 to this power threads.
    int fewest_threads_log2 = 6;
    /// A block is halved while a thread would have fewer than this many tiles, if all blocks then run at once. S2
    std::int64_t tiles_if_all_run = 16;
    /// A block is halved while a thread would have fewer than this many tiles, if not all blocks then run at once; 4
    /// are too few, 16 gain nothing. T6
    std::int64_t tiles_otherwise = 8;
    /// Each further thread that shares a column needs this many more elements.
    std::int64_t elements_down = 4;
    /// If each thread has at least this many elements, fewer threads may share a column.
    std::int64_t many_elements = 32;
    /// The number of threads that share a column is not reduced below this.
    int fewest_down = 4;
    /// Fewer threads share a column only if more than 17 / this times as many blocks then run, a gain of 6 %. S5
    std::int64_t gain_in_17 = 16;
    /// The number of blocks that share columns is this many times what runs at once; 8 cost 10 to 27 %. V
    std::int64_t column_shares = 4;
    /// Each further block that shares columns needs this many more elements per thread.
    std::int64_t elements_of_block = 8;
    /// If the blocks of columns run in at most this many waves, their number is fitted to what runs at once.
    std::int64_t few_waves = 4;
    /// While a wave of blocks waits for its loads, as many elements could be read by each if they are cheap to combine.
    std::int64_t wave_elements = 8;
    /// What the threads that share a column exchange takes as long as reading this many elements if they are cheap to
    /// combine, and otherwise as this many for each level of the tree.
    std::int64_t tree_elements = 4, level_elements = 2;
    /// Blocks are fitted if that saves one in this many of the elements that are read.
    std::int64_t fitting_gain = 16;
    /// Columns of cheap accumulators are distributed by whole rows up to this many threads: notes/reduce-columns.md
    std::int64_t widest_light_row = 16;
    /// Rows of several folded axes are reduced line by line if a thread has at least this many tiles of each line,
    /// about as many as it loads at once.
    std::int64_t line_tiles = 4;
    /// The lanes of a short row read at least this many neighbouring bytes at once, two of the memory's sectors.
    std::int64_t row_bytes = 64;
    /// Rows of up to this many bytes are reduced in shared memory if they cannot be read by vectors.
    std::int64_t staged_row = 2048;
    /// The rows of a block have at most this many bytes in shared memory.
    std::int64_t staged_block = 16 << 10;
    /// A lane has at most this many elements of a row in shared memory.
    std::int64_t staged_elements = 64;
    /// At most this many lanes of different rows read the same bank of shared memory, if that can be avoided.
    std::int64_t bank_readers = 2;
    /// A thread has at most this many rows in shared memory, one after the other.
    std::int64_t staged_passes = 4;
    /// Rows that can be read by vectors are reduced in shared memory if fewer than three of four lanes would have a
    /// vector, and if there are at least two vectors for each thread that runs at once: notes/reduce-short-rows.md,
    /// *Lanes without a vector*.
    std::int64_t filled_lanes = 3, filled_of = 4, tiles_of_thread = 2;
    /// A lane that reads single elements in order has at most this many neighbouring bytes, one of the memory's
    /// sectors.
    std::int64_t lane_bytes = 32;
    /// A thread reduces several rows or columns of up to this many elements: notes/reduce-short-rows.md, *A few
    /// elements*.
    std::int64_t thread_elements = 8, thread_elements_of_column = 16;
    /// A thread also reduces several rows of up to this many elements that cannot be copied to shared memory, if what a
    /// row has along the last folded axis takes at most this many bytes of all inputs together:
    /// notes/reduce-short-rows.md, *Lines of a few elements*.
    std::int64_t most_thread_elements = 32, line_bytes = 64;
    /// Columns of up to this many elements altogether, each of which then takes a sector of memory, are reduced by
    /// groups of threads that have a few each, or any number if all columns are within a sector:
    /// notes/reduce-columns.md, *Few columns*.
    std::int64_t few_columns = 1 << 18;
};
inline constexpr reduce_tuning tuning;

}  // namespace foldwise::detail
