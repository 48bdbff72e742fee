// runtime/src/reduce/reduce_plan.cpp: plans reductions on a GPU.
#include "reduce_plan.hpp"
#include "divided.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace foldwise::detail {

namespace {

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
constexpr reduce_tuning tuning;

constexpr int warp_log2 = 5;
static_assert(1 << warp_log2 == warp_threads);

/// Plans one call of a reduction.
class reduce_planner {
  public:
    reduce_planner(const reduce_call& call, const reduce_traits& traits) : call_(call), traits_(traits) {}

    reduce_plan plan() const {
        reduce_plan plan{};
        plan.blocks = 1;
        plan.lines = 1;
        plan.results = product(0, call_.kept);
        plan.length = call_.elements.count / (plan.results > 0 ? plan.results : 1);
        plan = planned(plan);
        plan.is_few = is_few(plan);
        plan.is_spread = plan.is_few && are_spread();
        plan.few_lanes_log2 = lanes_of_few(plan);
        return plan;
    }

  private:
    reduce_plan planned(const reduce_plan& begun) const {
        reduce_plan plan = begun;
        if (call_.kept == 0 || !call_.is_first || !call_.is_last) return plan_lines(plan_groups(plan));
        if (folded_axes() == 0) return plan_columns(plan);
        if (are_for_threads(plan)) {
            plan.kind = reducer::threads;
            return plan;
        }
        if (are_columns()) return are_few_columns(plan) ? plan_groups(plan) : plan_columns(plan);
        const bool are_few = are_few_long_rows(plan);
        if (is_staged(plan.length) && are_rows_near() && !are_few) return plan_staged(plan);
        plan.width = traits_.has_wide_rows ? traits_.width : single_elements;
        if (are_spread() && are_few) return plan_lines(plan_groups(plan));
        if (divided(plan.length, plan.width) <= most_tiles_of_lanes() && are_rows_near()) {
            const reduce_plan lanes = plan_lanes(plan);
            return can_be_staged(plan.length) && are_lanes_idle(lanes) ? plan_staged(begun) : lanes;
        }
        return plan_lines(plan_groups(plan));
    }

    /// Returns whether all threads run at once if each has a few elements.
    bool is_few(const reduce_plan& plan) const {
        if (traits_.is_reproducible || plan.blocks != 1 || plan.length == 0) return false;
        if (plan.length > std::int64_t{few_elements} * traits_.threads) return false;
        return plan.results << lanes_of_few(plan) <= threads_at_once();
    }
    /// Returns whether a row's elements, if they are few, are spread over as many threads as can run at once. That pays
    /// where each takes long, except for columns, whose neighbours would be read by threads far apart, and in order,
    /// where a thread has neighbours.
    bool are_spread() const {
        return traits_.is_long && traits_.commutes && call_.kept > 0 && folded_axes() > 0 && !are_columns();
    }
    /// Returns the threads that share a result of a few elements for each, as a power of two: as few as suffice, but a
    /// warp; or up to one for each element that is spread.
    int lanes_of_few(const reduce_plan& plan) const {
        int log2 = warp_log2;
        while (std::int64_t{few_elements} << log2 < plan.length) ++log2;
        while (are_spread() && std::int64_t{1} << log2 < plan.length && 2 << log2 <= traits_.threads &&
               plan.results << (log2 + 1) <= threads_at_once())
            ++log2;
        return log2;
    }
    std::int64_t threads_at_once() const { return std::int64_t{traits_.resident_groups} * traits_.threads; }

    /// Returns whether there are so few rows that all of their blocks run at once, and more than `few_elements`
    /// elements of a row for each lane of a warp; or elements to spread for at least half of the lanes.
    bool are_few_long_rows(const reduce_plan& plan) const {
        const int least = are_spread() ? warp_threads / 2 : few_elements * warp_threads + 1;
        return plan.length >= least && is_few(plan);
    }
    /// Returns whether threads that read single elements of a column reduce it sooner than those that first read what
    /// is contiguous in memory. A warp has a column's elements for at least half of its lanes.
    bool are_few_columns(const reduce_plan& plan) const {
        const bool is_within_sector = plan.results * traits_.element_bytes <= tuning.lane_bytes;
        return plan.length >= warp_threads / 2 && call_.elements.count * traits_.inputs <= tuning.few_columns &&
               (is_few(plan) || (is_within_sector && traits_.commutes && !traits_.is_reproducible));
    }

    /// Returns whether rows are so short that a thread reduces several of them, and so many that all multiprocessors
    /// have some, or so short that it waits for elements twice at most; columns, which several threads could share, so
    /// many that all threads have some. What can be read by vectors is not for them, and neither are rows whose
    /// elements lie far apart: a thread would come back for the later ones when the cache has lost them.
    bool are_for_threads(const reduce_plan& plan) const {
        if (traits_.is_reproducible || plan.length == 0) return false;
        if (are_columns())
            return plan.length <= tuning.thread_elements_of_column && !traits_.has_wide_columns &&
                   plan.results >= threads_at_once();
        if (traits_.has_wide_rows) return false;
        const std::int64_t rows_at_once =
            std::int64_t{traits_.columns_of_elements.multiprocessors} * lane_threads * rows_per_thread;
        if (plan.length <= tuning.thread_elements)
            return longest_line() <= tuning.lane_bytes &&
                   (plan.length <= 2 * elements_in_flight || plan.results >= rows_at_once);
        // Each further element makes threads wait longer, of which there have to be more.
        return plan.length <= tuning.most_thread_elements && !can_be_staged(plan.length) &&
               all_lines() <= tuning.line_bytes &&
               plan.results >= rows_at_once * (plan.length - tuning.thread_elements);
    }

    int rank() const { return call_.elements.layout ? call_.elements.layout->rank : 0; }
    int folded_axes() const { return rank() - call_.kept; }

    std::int64_t product(int from, int to) const {
        std::int64_t count = 1;
        for (int axis = from; axis < to; ++axis) count *= call_.elements.layout->extents[axis];
        return count;
    }

    /// Returns whether neighbours in memory belong to different results, according to the first input for which this
    /// differs.
    bool are_columns() const {
        for (int i = 0; i < traits_.inputs; ++i) {
            const std::int64_t* strides = call_.elements.layout->strides[i];
            const std::int64_t kept = magnitude(strides[call_.kept - 1]), folded = magnitude(strides[rank() - 1]);
            if (call_.elements.operands[i].is_scalar || kept == folded) continue;
            return folded == 0 || (kept != 0 && kept < folded);
        }
        return false;
    }
    /// Returns whether offsets within a row fit in 32 bits, in which lanes compute them.
    bool are_rows_near() const {
        for (int i = 0; i < traits_.inputs; ++i)
            if (!call_.elements.operands[i].is_scalar && !are_near(call_.elements.layout->strides[i])) return false;
        return !traits_.takes_index || are_near(call_.positions);
    }
    bool are_near(const std::int64_t* strides) const {
        std::int64_t left = INT32_MAX;
        for (int axis = call_.kept; axis < rank(); ++axis) {
            const std::int64_t steps = call_.elements.layout->extents[axis] - 1;
            if (steps > 0 && magnitude(strides[axis]) > left / steps) return false;
            left -= steps * magnitude(strides[axis]);
        }
        return true;
    }
    /// Returns within how many bytes lies what rows have of an input along the last folded axis.
    std::int64_t line(int input) const {
        if (call_.elements.operands[input].is_scalar) return 0;
        const std::int64_t stride = magnitude(call_.elements.layout->strides[input][rank() - 1]);
        return ((call_.elements.layout->extents[rank() - 1] - 1) * stride + 1) * traits_.element_bytes;
    }
    /// Returns that of the input for which it is most, and the sum for all inputs.
    std::int64_t longest_line() const {
        std::int64_t longest = 0;
        for (int i = 0; i < traits_.inputs; ++i) longest = std::max(longest, line(i));
        return longest;
    }
    std::int64_t all_lines() const {
        std::int64_t all = 0;
        for (int i = 0; i < traits_.inputs; ++i) all += line(i);
        return all;
    }
    static std::int64_t magnitude(std::int64_t stride) { return stride < 0 ? -stride : stride; }

    /// Returns the number of partial results for which the workspace has room.
    std::int64_t most_parts() const {
        return static_cast<std::int64_t>(call_.workspace.part_bytes / traits_.partial_bytes) - 1;
    }

    /// Returns the number of accumulators of columns for which the workspace has room.
    std::int64_t most_column_parts() const {
        return static_cast<std::int64_t>((call_.workspace.part_bytes - traits_.partial_bytes) /
                                         traits_.accumulator_bytes);
    }

    reduce_plan plan_groups(reduce_plan plan) const {
        plan.kind = reducer::group;
        while (1 << plan.lanes_log2 < traits_.threads) ++plan.lanes_log2;
        // Warps need neither barriers nor shared memory, provided that there are enough of them and none takes long.
        const std::int64_t resident = traits_.resident_groups, warps = resident * traits_.threads / warp_threads;
        const std::int64_t tiles = divided(plan.length, traits_.width);
        if (call_.kept > 0 &&
            ((2 * plan.results >= warps && tiles <= tuning.warp_tiles) || plan.results >= tuning.warps_each * warps)) {
            plan.lanes_log2 = warp_log2;
            return plan;
        }
        // Sharing a row between blocks costs as much as reducing several tiles sequentially. So do the steps of a
        // block's own tree if combining is expensive; smaller blocks have fewer of them.
        const bool is_light = traits_.is_light && traits_.commutes;
        // Along several axes, runs that cannot be read by vectors are read one element at a time.
        const bool has_vectors = folded_axes() <= 1 || traits_.has_wide_runs;
        const std::int64_t loads = has_vectors ? tiles : divided(plan.length, single_elements);
        std::int64_t block_tiles = divided(loads, traits_.threads);
        const std::int64_t most_alone = traits_.commutes   ? tuning.alone_tiles
                                        : plan.results > 1 ? tuning.alone_ordered_tiles
                                                           : 1;
        const bool is_alone = block_tiles <= most_alone;
        constexpr int smaller_log2 = tuning.small_block_log2;
        const std::int64_t most_smaller = (traits_.commutes ? tuning.small_block_tiles : 1) * resident << smaller_log2;
        if (!is_alone && !is_light && plan.results == 1 && tiles <= most_smaller && smaller_log2 < plan.lanes_log2) {
            plan.lanes_log2 = smaller_log2;
            block_tiles = divided(loads, std::int64_t{1} << smaller_log2);
        }
        // All blocks that run at once for a single result; for several results, shares small enough to even out, but no
        // more of them than fill whole waves. Along several axes, each share begins with divisions.
        const std::int64_t all = (folded_axes() > 1 ? 1 : tuning.shares) * resident;
        std::int64_t blocks = plan.results == 1                                 ? resident
                              : plan.results < tuning.shared_results * resident ? all / plan.results
                                                                                : 1;
        const std::int64_t most_useful = is_alone ? 1 : divided(block_tiles, is_light ? tuning.joining_tiles : 1);
        if (blocks > most_useful) blocks = most_useful;
        if (blocks > reduce_blocks) blocks = reduce_blocks;
        if (plan.results > reduce_counters) blocks = 1;
        if (blocks * plan.results > most_parts()) blocks = most_parts() / plan.results;
        plan.blocks = blocks < 1 ? 1 : static_cast<unsigned int>(blocks);
        if (plan.blocks == 1) plan.lanes_log2 = lanes_of_a_block(plan.results, tiles);
        return plan;
    }

    /// Returns the threads, as a power of two, of a block that reduces a result alone. Several small blocks are better
    /// than a large one: while one waits for its last tiles or at its barrier, the others load. Blocks are halved as
    /// long as there are at least as many threads as run at once, rather than leave a few of them for later, and
    /// as long as some threads have no tile.
    int lanes_of_a_block(std::int64_t results, std::int64_t tiles) const {
        const std::int64_t threads = threads_at_once();
        int log2 = 0;
        while (1 << log2 < traits_.threads) ++log2;
        while (log2 > tuning.fewest_threads_log2) {
            const bool all_run_then = results << (log2 - 1) <= threads;
            const std::int64_t enough_tiles = all_run_then ? tuning.tiles_if_all_run : tuning.tiles_otherwise;
            const bool is_halved = tiles < enough_tiles << log2 && results << log2 >= threads;
            if (!is_halved && tiles > 1 << (log2 - 1)) break;
            --log2;
        }
        return log2;
    }

    /// Cuts rows of several folded axes into lines where these are long enough to keep a group busy. Then no access
    /// begins with a division.
    reduce_plan plan_lines(reduce_plan plan) const {
        if (folded_axes() < 2) return plan;
        const std::int64_t length = call_.elements.layout->extents[rank() - 1];
        const std::int64_t tiles = divided(length, traits_.has_wide_runs ? traits_.width : 1);
        int lanes_log2 = traits_.commutes ? plan.lanes_log2 : warp_log2;
        std::int64_t blocks = plan.blocks;
        // Smaller blocks have more tiles of a line per thread; then more of them share the row.
        while (traits_.commutes && !traits_.has_wide_runs && blocks > 1 && 2 * blocks <= reduce_blocks &&
               2 * blocks * plan.results <= most_parts() && lanes_log2 > tuning.fewest_threads_log2 &&
               tiles < tuning.line_tiles << lanes_log2) {
            --lanes_log2;
            blocks *= 2;
        }
        if (tiles < tuning.line_tiles << lanes_log2) return plan;
        plan.lines = product(call_.kept, rank() - 1);
        if (traits_.commutes) plan.lanes_log2 = lanes_log2;
        plan.blocks = static_cast<unsigned int>(blocks);
        return plan;
    }

    /// Returns the length, in tiles, of the longest rows that lanes reduce. Where elements are read by vectors, a warp
    /// has up to four tiles for each of its lanes.
    std::int64_t most_tiles_of_lanes() const {
        return traits_.has_wide_rows ? warp_threads * tiles_per_thread : warp_threads;
    }

    /// Each lane has as many tiles of a row as it can: what lanes exchange costs more than what they combine alone. But
    /// the lanes of a row, or in order each lane, have to read enough of it at once that few memory transactions are
    /// spent on a load, and elements that are counted along several axes are found for one tile only.
    reduce_plan plan_lanes(reduce_plan plan) const {
        plan.kind = reducer::lanes;
        const std::int64_t tiles = divided(plan.length, plan.width);
        const std::int64_t access = traits_.element_bytes * (traits_.has_wide_rows ? plan.width : 1);
        while (std::int64_t{1} << plan.lanes_log2 < tiles) ++plan.lanes_log2;
        if (folded_axes() > 1) return plan;
        while (plan.lanes_log2 > 0 && 1 << plan.tiles_log2 < tiles_per_thread) {
            const bool is_near = traits_.commutes        ? access << (plan.lanes_log2 - 1) >= tuning.row_bytes
                                 : traits_.has_wide_rows ? true
                                                         : plan.width * access << plan.tiles_log2 < tuning.lane_bytes;
            if (!is_near) break;
            --plan.lanes_log2;
            ++plan.tiles_log2;
        }
        return plan;
    }

    /// Returns whether rows cannot be read by vectors, but can be copied by vectors, and are too long for a single lane
    /// to load at once.
    bool is_staged(std::int64_t length) const { return !traits_.has_wide_rows && can_be_staged(length); }
    bool can_be_staged(std::int64_t length) const {
        return traits_.staged_bytes > 0 && length > single_elements &&
               length * traits_.staged_bytes <= tuning.staged_row;
    }
    /// Returns whether lanes that read vectors would have so few that less of the memory's rate is used than by copies
    /// to shared memory, of which no part is idle; and whether there is enough to read for that to count.
    bool are_lanes_idle(const reduce_plan& lanes) const {
        if (!traits_.has_wide_rows) return false;
        const std::int64_t tiles = divided(lanes.length, lanes.width),
                           places = std::int64_t{1} << (lanes.lanes_log2 + lanes.tiles_log2);
        return tiles * tuning.filled_of < places * tuning.filled_lanes &&
               tiles * lanes.results >= tuning.tiles_of_thread * threads_at_once();
    }

    /// Each row has as few lanes as possible, because what lanes exchange costs more than what they combine alone: so
    /// many that a block's rows fit in shared memory, that few lanes read the same bank, and that all multiprocessors
    /// have something to do.
    reduce_plan plan_staged(reduce_plan plan) const {
        plan.kind = reducer::staged;
        constexpr int banks_bytes = 128, bank_bytes = 4;
        const int threads = traits_.threads < staging_threads ? traits_.threads : staging_threads;
        const std::int64_t row = plan.length * traits_.staged_bytes, most_rows = tuning.staged_block / row;
        const auto rows = [&] { return std::int64_t{threads} >> plan.lanes_log2; };
        const auto is_more_useful = [&] {
            return plan.lanes_log2 < warp_log2 && std::int64_t{2} << plan.lanes_log2 <= plan.length;
        };
        // Lanes of different rows are this many bytes apart, modulo all banks.
        const std::int64_t apart = std::gcd(plan.length * traits_.element_bytes, std::int64_t{banks_bytes});
        const auto is_crowded = [&] { return apart > bank_bytes * tuning.bank_readers << plan.lanes_log2; };
        const auto is_long = [&] { return plan.length >> plan.lanes_log2 > tuning.staged_elements; };
        const auto is_idle = [&] {
            return plan.results << plan.lanes_log2 < std::int64_t{traits_.resident_groups} * threads;
        };
        while (is_more_useful() && (rows() > most_rows || is_crowded() || is_long() || is_idle())) ++plan.lanes_log2;
        plan.width = static_cast<int>(divided(plan.length, std::int64_t{1} << plan.lanes_log2));
        if (plan.lanes_log2 > 0) plan.width |= 1;  // an odd number of elements puts neighbouring lanes in other banks
        plan.rows_each = static_cast<int>(rows());
        while (2 * plan.rows_each <= most_rows && plan.rows_each < tuning.staged_passes * rows() &&
               divided(plan.results, 2 * plan.rows_each) >= traits_.resident_groups * std::int64_t{4})
            plan.rows_each *= 2;
        return plan;
    }

    reduce_plan plan_columns(reduce_plan plan) const {
        plan.kind = reducer::columns;
        plan.width = traits_.has_wide_columns && !are_few(plan) ? traits_.columns : 1;
        plan.vectors_per_row = static_cast<std::uint32_t>(call_.elements.layout->extents[call_.kept - 1] / plan.width);
        const std::int64_t vectors = plan.results / plan.width;
        plan.vectors = static_cast<std::uint32_t>(vectors);
        const capacity gpu = plan.width > 1 ? traits_.columns_of_vectors : traits_.columns_of_elements;

        // Only as many threads share a column as it takes to have blocks for all multiprocessors; and none do if a
        // thread waits for all of its elements no longer than for others' results.
        const std::int64_t resident = gpu.blocks();
        const bool are_alone = plan.length <= tuning.thread_elements_of_column && !traits_.is_long;
        int narrowest = 1, down = 1;
        while (narrowest < warp_threads && narrowest < vectors) narrowest *= 2;
        while (!are_alone && down * narrowest < traits_.threads && tuning.elements_down * down <= plan.length &&
               divided(vectors, traits_.threads / down) < resident)
            down *= 2;
        // If that is not enough, several blocks share columns. If each thread then has many elements, fewer threads
        // share a column if that leaves fewer multiprocessors idle.
        const auto running = [&](std::int64_t across) {
            const std::int64_t tiles = divided(vectors, across);
            return tiles < resident ? resident / tiles * tiles : resident;
        };
        if (vectors * plan.length / (resident * traits_.threads) >= tuning.many_elements) {
            for (int fewer = down / 2; fewer >= tuning.fewest_down && vectors * fewer >= traits_.threads; fewer /= 2)
                if (tuning.gain_in_17 * running(traits_.threads / fewer) > 17 * running(traits_.threads / down))
                    down = fewer;
        }
        plan.across = traits_.threads / down;
        const std::int64_t most_useful = are_alone ? 1 : plan.length / (tuning.elements_of_block * down);
        // Threads of tall blocks read whole rows of columns where these are short.
        if (most_useful > 1 && is_row_better(plan, gpu, most_useful))
            plan.across = static_cast<int>(plan.vectors_per_row);

        const std::int64_t tiles = divided(vectors, plan.across);
        std::int64_t blocks = 1;
        if (9 * running(plan.across) >= 8 * resident)
            blocks = resident / tiles;
        else if (tiles < resident)
            blocks = divided(tuning.column_shares * resident, tiles);
        if (blocks > most_useful) blocks = most_useful;
        const std::int64_t parts = tiles * plan.across * plan.width;
        if (blocks * parts > most_column_parts()) blocks = most_column_parts() / parts;
        if (tiles > reduce_counters) blocks = 1;
        if (blocks > reduce_blocks) blocks = reduce_blocks;
        plan.blocks = blocks < 1 ? 1 : static_cast<unsigned int>(blocks);
        fit_waves(plan, gpu);
        // Smaller blocks while there are too few for all multiprocessors.
        plan.threads = traits_.threads;
        while (plan.blocks == 1 && plan.threads > 1 << tuning.fewest_threads_log2 && plan.across > warp_threads &&
               2 * divided(vectors, plan.across) <= resident) {
            plan.across /= 2;
            plan.threads /= 2;
        }
        return plan;
    }

    /// Where few waves of blocks run: gives the threads of a block other columns, or each column fewer blocks, if that
    /// takes less time by estimate. What was planned may leave most multiprocessors idle in the last wave, or have
    /// threads share columns that are so short that what they exchange takes longer than what they read.
    void fit_waves(reduce_plan& plan, capacity gpu) const {
        const std::int64_t resident = gpu.blocks(), vectors = plan.vectors;
        const auto blocks_of = [&](std::int64_t across, std::int64_t blocks) {
            return divided(vectors, across) * blocks;
        };
        // In elements of a block: those that the multiprocessor with most blocks reads, steps of trees included, and
        // what could be read while each wave waits for its loads.
        const auto time = [&](std::int64_t across, std::int64_t blocks) {
            const std::int64_t down = traits_.threads / across, all = blocks_of(across, blocks);
            const std::int64_t levels = std::bit_width(static_cast<std::uint64_t>(down - 1));
            const std::int64_t tree = down == 1          ? 0
                                      : traits_.is_light ? tuning.tree_elements
                                                         : tuning.level_elements * levels;
            const std::int64_t each = divided(divided(plan.length, blocks), down) + tree;
            const std::int64_t waiting = traits_.is_light ? tuning.wave_elements : 0;
            return divided(all, resident) * waiting * gpu.per_multiprocessor + divided(all, gpu.multiprocessors) * each;
        };
        const std::int64_t waves = divided(blocks_of(plan.across, plan.blocks), resident);
        if (waves > tuning.few_waves) return;
        std::int64_t across = plan.across, blocks = plan.blocks;
        const auto consider = [&](std::int64_t other_across, std::int64_t other_blocks) {
            if (other_across < warp_threads || other_across > traits_.threads || other_blocks < 1) return;
            // A thread that shares its columns with no other of its block stores results, not parts to be joined.
            if (other_blocks > 1 && 2 * other_across > traits_.threads) return;
            const std::int64_t parts = blocks_of(other_across, other_blocks) * other_across * plan.width;
            if (other_blocks > 1 && parts > most_column_parts()) return;
            if (tuning.fitting_gain * time(other_across, other_blocks) <
                (tuning.fitting_gain - 1) * time(across, blocks)) {
                across = other_across;
                blocks = other_blocks;
            }
        };
        if (plan.blocks == 1) consider(traits_.threads, 1);  // without anything to exchange
        for (std::int64_t fewer = 1; fewer < waves; ++fewer) {
            consider(plan.across, fewer * resident / divided(vectors, plan.across));
            const std::int64_t most = fewer * resident / plan.blocks;  // of blocks side by side
            if (most > 0) consider(divided(divided(vectors, most), warp_threads) * warp_threads, plan.blocks);
        }
        plan.across = static_cast<int>(across);
        plan.blocks = static_cast<unsigned int>(blocks);
    }

    /// Returns whether as many threads along columns as an innermost row has are better than the power of two that is
    /// planned, which leaves threads without columns, or gives a block parts of several rows, which are not contiguous
    /// in memory. Blocks must be so few then that all run at once, several for the same columns.
    bool is_row_better(const reduce_plan& plan, capacity gpu, std::int64_t most_useful) const {
        const std::int64_t row = plan.vectors_per_row, vectors = plan.vectors, resident = gpu.blocks();
        if (row * tuning.fewest_down > traits_.threads || 2 * divided(vectors, row) > resident) return false;
        if (row < plan.across && row < vectors) return true;
        // Where combining is cheap, memory is the limit, and warps that read one row of columns each are as good.
        if (traits_.is_light && row > tuning.widest_light_row) return false;
        // Elements that a thread reads one after the other: of its own, and when the blocks' results are joined.
        const auto in_sequence = [&](std::int64_t across) {
            std::int64_t blocks = resident / divided(vectors, across);
            blocks = std::clamp<std::int64_t>(blocks, 1, most_useful);
            const std::int64_t joined = blocks > 1 ? across * plan.width * blocks / traits_.threads : 0;
            return plan.length / (blocks * (traits_.threads / across)) + joined;
        };
        return in_sequence(row) < in_sequence(plan.across);
    }

    /// Returns whether there are so few columns and elements that threads with several columns each would leave most
    /// multiprocessors idle.
    bool are_few(const reduce_plan& plan) const {
        const std::int64_t down = divided(plan.length, tuning.elements_down);
        return plan.results / traits_.columns * down < traits_.columns_of_vectors.blocks()
                                                           << tuning.fewest_threads_log2;
    }

    const reduce_call& call_;
    const reduce_traits& traits_;
};

}  // namespace

reduce_plan plan_reduce(const reduce_call& call, const reduce_traits& traits) {
    return reduce_planner(call, traits).plan();
}

}  // namespace foldwise::detail
