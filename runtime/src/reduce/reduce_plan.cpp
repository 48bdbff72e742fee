// runtime/src/reduce/reduce_plan.cpp: plans reductions on a GPU.
#include "reduce_plan.hpp"

#include "divided.hpp"
#include "plan_columns.hpp"
#include "reduce_tuning.hpp"

#include <algorithm>
#include <numeric>

namespace foldwise::detail {

namespace {

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
        if (folded_axes() == 0) return plan_columns(plan, call_, traits_);
        if (are_for_threads(plan)) {
            plan.kind = reducer::threads;
            return plan;
        }
        if (are_columns()) return are_few_columns(plan) ? plan_groups(plan) : plan_columns(plan, call_, traits_);
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

    const reduce_call& call_;
    const reduce_traits& traits_;
};

}  // namespace

reduce_plan plan_reduce(const reduce_call& call, const reduce_traits& traits) {
    return reduce_planner(call, traits).plan();
}

}  // namespace foldwise::detail
