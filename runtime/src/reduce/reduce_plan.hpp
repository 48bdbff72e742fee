// runtime/src/reduce/reduce_plan.hpp: which threads fold a call's results, and how they share the work.
#pragma once

#include <foldwise/detail/reduce_code.hpp>

#include <cstddef>
#include <cstdint>

namespace foldwise::detail {

/// What the plan of a fold depends on of its signature and of how the operands lie.
struct reduce_traits {
    int threads;
    int width, columns;  ///< Elements of a wide access along rows, and across columns.
    int inputs;
    std::size_t partial_bytes, accumulator_bytes;
    bool commutes;
    bool is_light;  ///< Its accumulators are small, and so probably what it takes to combine them.
    int resident_groups, resident_columns;  ///< Blocks that the GPU runs at once.
    bool has_wide_rows, has_wide_columns;   ///< Along the last folded or kept axis every access may be a wide one.
};

struct reduce_plan {
    reducer kind;
    int width;                     ///< Elements of a tile, or neighbouring results of a thread.
    std::int64_t results, length;  ///< Each result is folded from `length` elements.
    unsigned int blocks;           ///< That fold the same results; each has a contiguous share of the elements.
    int lanes_log2;                ///< Of one block, that fold one result: of groups a warp, or the whole block.
    std::uint32_t vectors, vectors_per_row;  ///< Of columns.
    int across_log2;                         ///< Of the threads of a block along the columns.
};

reduce_plan plan_reduce(const reduce_call& call, const reduce_traits& traits);

}  // namespace foldwise::detail
