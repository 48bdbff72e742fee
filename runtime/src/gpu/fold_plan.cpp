// runtime/src/gpu/fold_plan.cpp
#include "fold_plan.hpp"

namespace foldwise::detail {

namespace {

class fold_planner {
  public:
    fold_planner(const reduce_call& call, const fold_traits& traits) : call_(call), traits_(traits) {}

    fold_plan plan() const {
        fold_plan plan{};
        plan.blocks = 1;
        plan.results = product(0, call_.kept);
        plan.length = call_.elements.count / (plan.results > 0 ? plan.results : 1);
        if (call_.kept == 0 || !call_.is_first || !call_.is_last) return plan_groups(plan);
        if (folded_axes() == 0 || are_columns()) return plan_columns(plan);
        plan.width = traits_.has_wide_rows ? traits_.width : single_elements;
        if (folded_axes() == 1 && plan.length <= std::int64_t{warp_width} * plan.width && are_rows_near(plan.length))
            return plan_lanes(plan);
        return plan_groups(plan);
    }

  private:
    static constexpr int warp_width = 32;

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

    fold_plan plan_groups(fold_plan plan) const {
        plan.kind = folder::group;
        while (1 << plan.lanes_log2 < traits_.threads) ++plan.lanes_log2;
        // Warps need neither barriers nor shared memory, if there are enough of them and no single one takes long.
        const std::int64_t resident = traits_.resident_groups, warps = resident * traits_.threads / warp_width;
        const std::int64_t tiles = divided(plan.length, traits_.width);
        if (call_.kept > 0 && ((2 * plan.results >= warps && tiles <= 8 * warp_width) || plan.results >= 8 * warps)) {
            plan.lanes_log2 = 5;
            return plan;
        }
        // Blocks that fold together cost as much as some tiles one after the other; so do the steps of a block's own
        // tree where combining takes long, of which smaller blocks have fewer.
        const bool is_light = traits_.is_light && traits_.commutes;
        std::int64_t block_tiles = divided(tiles, traits_.threads);
        const bool is_alone = block_tiles <= (traits_.commutes ? 8 : 1);
        constexpr int smaller_log2 = 8;
        const std::int64_t most_smaller = (traits_.commutes ? 64 : 1) * resident << smaller_log2;
        if (!is_alone && !is_light && plan.results == 1 && tiles <= most_smaller && smaller_log2 < plan.lanes_log2) {
            plan.lanes_log2 = smaller_log2;
            block_tiles = divided(tiles, std::int64_t{1} << smaller_log2);
        }
        // Whatever runs at once for a single result; for several, shares small enough to even out. Each share along
        // several axes begins with divisions.
        const std::int64_t all = (folded_axes() > 1 ? 1 : 2) * resident;
        std::int64_t blocks = plan.results == 1             ? resident
                              : plan.results < 4 * resident ? divided(all, plan.results)
                                                            : 1;
        const std::int64_t most_useful = is_alone ? 1 : divided(block_tiles, is_light ? 2 : 1);
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
        constexpr int fewest_log2 = 6;
        const std::int64_t threads = std::int64_t{traits_.resident_groups} * traits_.threads;
        int log2 = 0;
        while (1 << log2 < traits_.threads) ++log2;
        while (log2 > fewest_log2) {
            const bool all_run_then = results << (log2 - 1) <= threads;
            const std::int64_t enough_tiles = all_run_then ? 16 : 8;
            const bool is_halved = tiles < enough_tiles << log2 && results << log2 >= threads;
            if (!is_halved && tiles > 1 << (log2 - 1)) break;
            --log2;
        }
        return log2;
    }

    fold_plan plan_lanes(fold_plan plan) const {
        plan.kind = folder::lanes;
        while ((std::int64_t{plan.width} << plan.lanes_log2) < plan.length) ++plan.lanes_log2;
        return plan;
    }

    fold_plan plan_columns(fold_plan plan) const {
        plan.kind = folder::columns;
        plan.width = traits_.has_wide_columns ? traits_.columns : 1;
        plan.vectors_per_row = static_cast<std::uint32_t>(call_.elements.layout->extents[call_.kept - 1] / plan.width);
        const std::int64_t vectors = plan.results / plan.width;
        plan.vectors = static_cast<std::uint32_t>(vectors);

        // Threads behind one another only as far as it takes to have blocks for all multiprocessors.
        const std::int64_t resident = traits_.resident_columns;
        int across = 1, down = 1;
        while (across < warp_width && across < vectors) across *= 2;
        while (down * across < traits_.threads && 4 * std::int64_t{down} <= plan.length &&
               divided(vectors, traits_.threads / down) < resident)
            down *= 2;
        // Where that is not enough, several blocks behind one another. If each thread then has many elements, fewer
        // threads are, where that leaves fewer multiprocessors idle.
        constexpr int fewest_down = 4, many = 32;
        const auto running = [&](int down) {
            const std::int64_t tiles = divided(vectors, traits_.threads / down);
            return tiles < resident ? resident / tiles * tiles : resident;
        };
        if (vectors * plan.length / (resident * traits_.threads) >= many) {
            for (int fewer = down / 2; fewer >= fewest_down && vectors * fewer >= traits_.threads; fewer /= 2)
                if (16 * running(fewer) > 17 * running(down)) down = fewer;
        }
        while (1 << plan.across_log2 < traits_.threads / down) ++plan.across_log2;

        const std::int64_t tiles = divided(vectors, traits_.threads / down);
        std::int64_t blocks = 1;
        if (9 * running(down) >= 8 * resident)
            blocks = resident / tiles;
        else if (tiles < resident)
            blocks = divided(4 * resident, tiles);
        const std::int64_t most_useful = plan.length / (std::int64_t{8} * down);
        if (blocks > most_useful) blocks = most_useful;
        const std::int64_t parts = (tiles << plan.across_log2) * plan.width;
        if (blocks * parts > most_column_parts()) blocks = most_column_parts() / parts;
        if (tiles > reduce_counters) blocks = 1;
        if (blocks > reduce_blocks) blocks = reduce_blocks;
        plan.blocks = blocks < 1 ? 1 : static_cast<unsigned int>(blocks);
        return plan;
    }

    const reduce_call& call_;
    const fold_traits& traits_;
};

}  // namespace

fold_plan plan_fold(const reduce_call& call, const fold_traits& traits) { return fold_planner(call, traits).plan(); }

}  // namespace foldwise::detail
