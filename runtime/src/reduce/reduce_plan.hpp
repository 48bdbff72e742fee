// runtime/src/reduce/reduce_plan.hpp: which threads of a GPU compute a call's results, and how they share the work.
#pragma once

#include "gpu/capacity.hpp"

#include <foldwise/detail/reduce_code.hpp>

#include <cstddef>
#include <cstdint>

namespace foldwise::detail {

/// The properties of a reduction's signature and operands that its plan depends on.
struct reduce_traits {
    int threads;
    int width, columns;  ///< Elements of a vector along rows, and across columns.
    int inputs;
    std::size_t partial_bytes, accumulator_bytes;
    bool commutes;
    bool takes_index;
    bool is_light;        ///< Whether accumulators are small, and thus probably cheap to combine.
    bool is_long;         ///< Whether mapping and combining an element takes long.
    int resident_groups;  ///< Blocks that the GPU runs at once.
    capacity columns_of_vectors, columns_of_elements;  ///< Blocks that it runs at once if threads reduce columns.
    bool has_wide_rows, has_wide_columns;  ///< Whether all inputs allow vectors along the last folded or kept axis.
    bool has_wide_runs;                    ///< Whether all inputs allow vectors along the last of several folded axes.
    int element_bytes;                     ///< The size of the widest input's elements.
    int staged_bytes;                      ///< Bytes per element that can be copied to shared memory.
    bool is_reproducible;                  ///< Whether results must not depend on the layout.
};

/// The distribution of a reduction's work over threads.
struct reduce_plan {
    reducer kind;
    int width;                     ///< Elements of a tile or a lane, or neighbouring results of a thread.
    std::int64_t results, length;  ///< Each result is reduced from `length` elements.
    unsigned int blocks;           ///< Blocks per result, each with a contiguous share of its elements.
    int lanes_log2;                ///< Threads per result in a block, as a power of two.
    int tiles_log2;                ///< Tiles of a result that a lane has, as a power of two.
    /// The number of lines per result, which lie along the last folded axis and are reduced one after the other. It is
    /// one if elements are counted along all folded axes.
    std::int64_t lines;
    std::uint32_t vectors, vectors_per_row;  ///< Groups of neighbouring columns in all, and along the innermost axis.
    int across;                              ///< Threads of a block along the columns; the others share these.
    int threads;                             ///< Threads of a block that reduces columns.
    int rows_each;                           ///< Rows that a block reduces in shared memory.
    bool is_few;         ///< Whether all threads of groups run at once if each has a few elements, one round of loads.
    bool is_spread;      ///< If `is_few`: whether elements are better loaded singly than as vectors.
    int few_lanes_log2;  ///< If `is_few`: the threads that share a result, as a power of two.
};

/// Plans a call of a reduction on a GPU.
reduce_plan plan_reduce(const reduce_call& call, const reduce_traits& traits);

}  // namespace foldwise::detail
