// foldwise/device/fold_plan.hpp: the host's side of reductions: which kernel folds a call, and how its threads share
// the work.
#pragma once

#include <foldwise/detail/reduce_kernel.hpp>
#include <foldwise/device/strided.hpp>

#include <cstddef>
#include <cstdint>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

/// What the plan of a fold depends on of its signature.
struct fold_traits {
    int threads, width;
    int narrow;  ///< The width along rows and columns.
    int inputs;
    std::size_t partial_bytes;
    int multiprocessors;
};

/// Which threads fold one result.
enum class fold_kind {
    blocks,  ///< One block, or several.
    lanes,   ///< Some neighbouring lanes of a warp.
    columns  ///< Each thread folds `width` neighbouring results; those behind one another in a block the same ones.
};

struct fold_plan {
    fold_kind kind;
    std::int64_t results, length;  ///< Each result is folded from `length` elements.
    unsigned int blocks;           ///< That fold the same results; each has a contiguous share of the elements.
    int lanes;                     ///< That fold one result.
    std::uint32_t vectors, vectors_per_row;  ///< Of columns.
    int across;                              ///< Threads of a block along the columns, a power of two.
};

class fold_planner {
  public:
    fold_planner(const detail::reduce_call& call, const fold_traits& traits) : call_(call), traits_(traits) {}

    fold_plan plan() const {
        fold_plan plan{};
        plan.blocks = 1;
        plan.results = product(0, call_.kept);
        plan.length = call_.elements.count / (plan.results > 0 ? plan.results : 1);
        if (call_.kept == 0 || !call_.is_first || !call_.is_last) return plan_blocks(plan);
        if (folded_axes() == 0 || are_columns()) return plan_columns(plan);
        const std::int64_t tiles = divided(plan.length, traits_.narrow);
        const bool is_short = tiles <= warp_width || (tiles <= 16 * warp_width && fill_with_warps(plan.results));
        if (folded_axes() == 1) return is_short ? plan_lanes(plan, tiles) : plan_blocks(plan);
        // Each element's place is divided out: a block's threads share that only if it has enough of them.
        const bool is_long = plan.length >= 2 * traits_.threads || plan.results < traits_.multiprocessors;
        return is_long ? plan_blocks(plan) : plan_columns(plan);
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

    /// A warp for each result is enough for all multiprocessors.
    bool fill_with_warps(std::int64_t results) const { return results >= std::int64_t{32} * traits_.multiprocessors; }

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
    static std::int64_t magnitude(std::int64_t stride) { return stride < 0 ? -stride : stride; }

    /// As many results' parts as there is room for.
    std::int64_t most_parts() const {
        const std::size_t used = detail::reduce_counter_bytes + traits_.partial_bytes;
        return static_cast<std::int64_t>((call_.workspace.bytes - used) / traits_.partial_bytes);
    }

    fold_plan plan_blocks(fold_plan plan) const {
        plan.kind = fold_kind::blocks;
        const std::int64_t tiles = divided(plan.length, std::int64_t{traits_.threads} * traits_.width);
        // Whatever is at work at once for a single result; shares small enough to even out for several.
        const std::int64_t wanted = (plan.results == 1 ? 4 : 8) * std::int64_t{traits_.multiprocessors};
        std::int64_t blocks = plan.results == 1 ? wanted : divided(wanted, plan.results);
        if (plan.results > 1 && plan.results >= 2 * wanted) blocks = 1;
        if (blocks > tiles) blocks = tiles;
        if (plan.results > detail::reduce_counters) blocks = 1;
        if (blocks > detail::reduce_blocks) blocks = detail::reduce_blocks;
        if (blocks * plan.results > most_parts()) blocks = most_parts() / plan.results;
        plan.blocks = blocks < 1 ? 1 : static_cast<unsigned int>(blocks);
        return plan;
    }

    fold_plan plan_lanes(fold_plan plan, std::int64_t tiles) const {
        plan.kind = fold_kind::lanes;
        plan.lanes = 1;
        while (plan.lanes < warp_width && plan.lanes < tiles) plan.lanes *= 2;
        return plan;
    }

    fold_plan plan_columns(fold_plan plan) const {
        plan.kind = fold_kind::columns;
        const std::int64_t columns = call_.elements.layout->extents[call_.kept - 1];
        plan.vectors_per_row = static_cast<std::uint32_t>(divided(columns, traits_.narrow));
        const std::int64_t vectors = plan.results / columns * plan.vectors_per_row;
        plan.vectors = static_cast<std::uint32_t>(vectors);

        // Down first: threads behind one another only as far as it takes to have blocks for all multiprocessors.
        const std::int64_t wanted = std::int64_t{4} * traits_.multiprocessors;
        int across = 1;
        while (across < warp_width && across < vectors) across *= 2;
        int down = 1;
        while (down * across < traits_.threads && 4 * std::int64_t{down} <= plan.length &&
               divided(vectors, traits_.threads / down) < wanted)
            down *= 2;
        plan.across = traits_.threads / down;

        const std::int64_t tiles = divided(vectors, plan.across);
        std::int64_t blocks = 1;
        if (tiles <= traits_.multiprocessors / 8)
            blocks = 2 * std::int64_t{traits_.multiprocessors} / tiles;
        else if (tiles < wanted)
            blocks = divided(2 * wanted, tiles);
        const std::int64_t most_useful = plan.length / (std::int64_t{8} * down);
        if (blocks > most_useful) blocks = most_useful;
        const std::int64_t parts = tiles * plan.across * traits_.narrow;
        if (blocks * parts > most_parts()) blocks = most_parts() / parts;
        if (tiles > detail::reduce_counters) blocks = 1;
        if (blocks > detail::reduce_blocks) blocks = detail::reduce_blocks;
        plan.blocks = blocks < 1 ? 1 : static_cast<unsigned int>(blocks);
        return plan;
    }

    const detail::reduce_call& call_;
    const fold_traits& traits_;
};

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
