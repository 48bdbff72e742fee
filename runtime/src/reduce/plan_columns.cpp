// runtime/src/reduce/plan_columns.cpp: distributes columns over threads and blocks.
#include "plan_columns.hpp"

#include "divided.hpp"
#include "reduce_tuning.hpp"

#include <algorithm>
#include <bit>

namespace foldwise::detail {

namespace {

/// Plans one call.
class column_planner {
  public:
    column_planner(const reduce_call& call, const reduce_traits& traits) : call_(call), traits_(traits) {}

    reduce_plan completed(reduce_plan plan) const {
        plan.kind = reducer::columns;
        plan.width = traits_.has_wide_columns && !are_few(plan) ? traits_.columns : 1;
        plan.vectors_per_row = static_cast<std::uint32_t>(call_.elements.layout->extents[call_.kept - 1] / plan.width);
        const std::int64_t vectors = plan.results / plan.width;
        plan.vectors = static_cast<std::uint32_t>(vectors);
        const capacity gpu = plan.width > 1 ? traits_.columns_of_vectors : traits_.columns_of_elements;

        // Only as many threads share a column as it takes to have blocks for all multiprocessors; and a thread has a
        // column to itself if it waits for all of its elements no longer than it would for others' results.
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

  private:
    /// Returns the number of accumulators of columns for which the workspace has room.
    std::int64_t most_column_parts() const {
        return static_cast<std::int64_t>((call_.workspace.part_bytes - traits_.partial_bytes) /
                                         traits_.accumulator_bytes);
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

reduce_plan plan_columns(const reduce_plan& begun, const reduce_call& call, const reduce_traits& traits) {
    return column_planner(call, traits).completed(begun);
}

}  // namespace foldwise::detail
