// runtime/src/reduce/reduce_plan.cpp
#include "reduce_plan.hpp"

namespace foldwise::detail {

namespace {

/// The figures by which folds are planned, and where they were measured, in docs/performance/notes: V is
/// reduce-first-versions.md, *Launch parameters*; T and S are the numbered items of reduce-trees.md and
/// reduce-shifted-rows.md. H200, confirmed on an H100.
struct reduce_tuning {
    /// A warp folds a row of up to this many tiles alone, if there are rows for half of the warps that run at once. S5
    std::int64_t warp_tiles = 256;
    /// A warp folds any row alone, if there are rows for this many times the warps that run at once.
    std::int64_t warps_each = 8;
    /// A block folds alone what has up to this many tiles for each of its threads; 1 and 4 cost 34 % at 10⁴. V
    std::int64_t alone_tiles = 8;
    /// A further block joins in a fold for this many tiles more for each of its threads. V
    std::int64_t joining_tiles = 2;
    /// Where combining takes long, a block has 2 to this power of threads: the tree of their parts has a level less. S4
    int small_block_log2 = 8;
    /// Blocks are whole all the same from this many tiles for each of those threads on. S4
    std::int64_t small_block_tiles = 64;
    /// Several blocks share a result if there are fewer results than this many times the blocks that run at once.
    std::int64_t shared_results = 4;
    /// They are this many times as many, in all, as run at once, so that their shares even out; along several axes,
    /// whose shares begin with divisions, as many as run at once. S5
    std::int64_t shares = 2;
    /// A block that folds a row alone has at least 2 to this power of threads.
    int fewest_threads_log2 = 6;
    /// It is halved while a thread would have fewer than this many tiles, if all blocks then run at once. S2
    std::int64_t tiles_if_all_run = 16;
    /// The same if they do not; 4 are too few, 16 gain nothing. T6
    std::int64_t tiles_otherwise = 8;
    /// Another thread stands behind one that folds columns for this many elements more.
    std::int64_t elements_down = 4;
    /// From this many elements for each thread on, fewer threads may stand behind one another.
    std::int64_t many_elements = 32;
    /// They are never fewer than this.
    int fewest_down = 4;
    /// They are fewer if of 17 blocks that then run, more than this many did not before: a gain of 6 %. S5
    std::int64_t gain_in_17 = 16;
    /// Blocks behind one another are this many times as many, in all, as run at once; 8 cost 10 to 27 %. V
    std::int64_t column_shares = 4;
    /// Another block stands behind one for this many elements more for each of its threads.
    std::int64_t elements_of_block = 8;
};
constexpr reduce_tuning tuning;

class reduce_planner {
  public:
    reduce_planner(const reduce_call& call, const reduce_traits& traits) : call_(call), traits_(traits) {}

    reduce_plan plan() const {
        reduce_plan plan{};
        plan.blocks = 1;
        plan.results = product(0, call_.kept);
        plan.length = call_.elements.count / (plan.results > 0 ? plan.results : 1);
        if (call_.kept == 0 || !call_.is_first || !call_.is_last) return plan_groups(plan);
        if (folded_axes() == 0 || are_columns()) return plan_columns(plan);
        plan.width = traits_.has_wide_rows ? traits_.width : single_elements;
        if (folded_axes() == 1 && plan.length <= std::int64_t{warp_threads} * plan.width && are_rows_near(plan.length))
            return plan_lanes(plan);
        return plan_groups(plan);
    }

  private:
    static std::int64_t divided(std::int64_t number, std::int64_t by) { return (number + by - 1) / by; }

    int rank() const { return call_.elements.layout ? call_.elements.layout->rank : 0; }
    int folded_axes() const { return rank() - call_.kept; }

    std::int64_t product(int from, int to) const {
        std::int64_t count = 1;
        for (int axis = from; axis < to; ++axis) count *= call_.elements.layout->extents[axis];
        return count;
    }

    /// Whether neighbours in memory belong to different results: in the first input where it makes a difference.
    bool are_columns() const {
        for (int i = 0; i < traits_.inputs; ++i) {
            const std::int64_t* strides = call_.elements.layout->strides[i];
            const std::int64_t kept = magnitude(strides[call_.kept - 1]), folded = magnitude(strides[rank() - 1]);
            if (call_.elements.operands[i].is_scalar || kept == folded) continue;
            return folded == 0 || (kept != 0 && kept < folded);
        }
        return false;
    }
    /// Whether offsets in a row have 32 bits, in which lanes compute them.
    bool are_rows_near(std::int64_t length) const {
        const std::int64_t farthest = INT32_MAX / (length > 1 ? length - 1 : 1);
        for (int i = 0; i < traits_.inputs; ++i) {
            if (call_.elements.operands[i].is_scalar) continue;
            if (magnitude(call_.elements.layout->strides[i][rank() - 1]) > farthest) return false;
        }
        return true;
    }
    static std::int64_t magnitude(std::int64_t stride) { return stride < 0 ? -stride : stride; }

    /// As many results' parts as there is room for.
    std::int64_t most_parts() const {
        return static_cast<std::int64_t>(call_.workspace.part_bytes / traits_.partial_bytes) - 1;
    }

    /// The same of columns, whose parts are accumulators.
    std::int64_t most_column_parts() const {
        return static_cast<std::int64_t>((call_.workspace.part_bytes - traits_.partial_bytes) /
                                         traits_.accumulator_bytes);
    }

    reduce_plan plan_groups(reduce_plan plan) const {
        plan.kind = reducer::group;
        while (1 << plan.lanes_log2 < traits_.threads) ++plan.lanes_log2;
        // Warps need neither barriers nor shared memory, if there are enough of them and no single one takes long.
        const std::int64_t resident = traits_.resident_groups, warps = resident * traits_.threads / warp_threads;
        const std::int64_t tiles = divided(plan.length, traits_.width);
        if (call_.kept > 0 &&
            ((2 * plan.results >= warps && tiles <= tuning.warp_tiles) || plan.results >= tuning.warps_each * warps)) {
            plan.lanes_log2 = 5;
            return plan;
        }
        // Blocks that fold together cost as much as some tiles one after the other; so do the steps of a block's own
        // tree where combining takes long, of which smaller blocks have fewer.
        const bool is_light = traits_.is_light && traits_.commutes;
        std::int64_t block_tiles = divided(tiles, traits_.threads);
        const bool is_alone = block_tiles <= (traits_.commutes ? tuning.alone_tiles : 1);
        constexpr int smaller_log2 = tuning.small_block_log2;
        const std::int64_t most_smaller = (traits_.commutes ? tuning.small_block_tiles : 1) * resident << smaller_log2;
        if (!is_alone && !is_light && plan.results == 1 && tiles <= most_smaller && smaller_log2 < plan.lanes_log2) {
            plan.lanes_log2 = smaller_log2;
            block_tiles = divided(tiles, std::int64_t{1} << smaller_log2);
        }
        // Whatever runs at once for a single result; for several, shares small enough to even out. Each share along
        // several axes begins with divisions.
        const std::int64_t all = (folded_axes() > 1 ? 1 : tuning.shares) * resident;
        std::int64_t blocks = plan.results == 1                                 ? resident
                              : plan.results < tuning.shared_results * resident ? divided(all, plan.results)
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

    /// Of a block that folds a result alone. Several smaller blocks instead of one: while one waits for its last tiles
    /// or at its barrier, the others load. They are halved as long as they have at least as many threads as run at
    /// once, rather than leave a few of them for later, and as threads have no tile.
    int lanes_of_a_block(std::int64_t results, std::int64_t tiles) const {
        const std::int64_t threads = std::int64_t{traits_.resident_groups} * traits_.threads;
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

    reduce_plan plan_lanes(reduce_plan plan) const {
        plan.kind = reducer::lanes;
        while ((std::int64_t{plan.width} << plan.lanes_log2) < plan.length) ++plan.lanes_log2;
        return plan;
    }

    reduce_plan plan_columns(reduce_plan plan) const {
        plan.kind = reducer::columns;
        plan.width = traits_.has_wide_columns ? traits_.columns : 1;
        plan.vectors_per_row = static_cast<std::uint32_t>(call_.elements.layout->extents[call_.kept - 1] / plan.width);
        const std::int64_t vectors = plan.results / plan.width;
        plan.vectors = static_cast<std::uint32_t>(vectors);

        // Threads behind one another only as far as it takes to have blocks for all multiprocessors.
        const std::int64_t resident = traits_.resident_columns;
        int across = 1, down = 1;
        while (across < warp_threads && across < vectors) across *= 2;
        while (down * across < traits_.threads && tuning.elements_down * down <= plan.length &&
               divided(vectors, traits_.threads / down) < resident)
            down *= 2;
        // Where that is not enough, several blocks behind one another. If each thread then has many elements, fewer
        // threads are, where that leaves fewer multiprocessors idle.
        const auto running = [&](int down) {
            const std::int64_t tiles = divided(vectors, traits_.threads / down);
            return tiles < resident ? resident / tiles * tiles : resident;
        };
        if (vectors * plan.length / (resident * traits_.threads) >= tuning.many_elements) {
            for (int fewer = down / 2; fewer >= tuning.fewest_down && vectors * fewer >= traits_.threads; fewer /= 2)
                if (tuning.gain_in_17 * running(fewer) > 17 * running(down)) down = fewer;
        }
        while (1 << plan.across_log2 < traits_.threads / down) ++plan.across_log2;

        const std::int64_t tiles = divided(vectors, traits_.threads / down);
        std::int64_t blocks = 1;
        if (9 * running(down) >= 8 * resident)
            blocks = resident / tiles;
        else if (tiles < resident)
            blocks = divided(tuning.column_shares * resident, tiles);
        const std::int64_t most_useful = plan.length / (tuning.elements_of_block * down);
        if (blocks > most_useful) blocks = most_useful;
        const std::int64_t parts = (tiles << plan.across_log2) * plan.width;
        if (blocks * parts > most_column_parts()) blocks = most_column_parts() / parts;
        if (tiles > reduce_counters) blocks = 1;
        if (blocks > reduce_blocks) blocks = reduce_blocks;
        plan.blocks = blocks < 1 ? 1 : static_cast<unsigned int>(blocks);
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
