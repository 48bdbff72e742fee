// runtime/src/stencil/block_shape.hpp: how the threads of a stencil's block lie along the last three axes.
#pragma once

#include <cstdint>

namespace foldwise::detail {

/// What the shape of a block depends on; numbers of the last three axes, in their order.
struct block_traits {
    int threads_log2;
    std::int64_t extents[3];
    std::int64_t of_thread[3];  ///< Elements of a thread.
    std::int64_t beside[3];     ///< Elements beside those of a block, on both sides together, that it loads.
    int least_columns_log2;     ///< With fewer threads beside one another, a row would be less than a line of memory.
    int most_columns_log2;      ///< More threads beside one another would save few loads.
};

/// The threads of a block beside one another along the last axis, and along the axis before. Others are behind these.
struct block_shape {
    int columns_log2, rows_log2;
};

/// Returns the shape by which all blocks together load least, where each loads what its elements look at once. A shape
/// with fewer threads beside one another has to save a tenth: rows of memory are then read in shorter pieces, and what
/// several blocks load is in a cache most of the time. docs/performance/notes/stencil.md
inline block_shape choose_block(const block_traits& traits) {
    const auto cost_of = [&](const block_shape& shape) {
        const int log2[] = {traits.threads_log2 - shape.columns_log2 - shape.rows_log2, shape.rows_log2,
                            shape.columns_log2};
        double elements = 1, loaded = 1;
        for (int axis = 0; axis < 3; ++axis) {
            const std::int64_t tile = traits.of_thread[axis] << log2[axis];
            elements *= static_cast<double>((traits.extents[axis] + tile - 1) / tile * tile);
            loaded += static_cast<double>(traits.beside[axis]) / static_cast<double>(tile);
        }
        return elements * loaded;
    };
    int columns_log2 = 0;
    while (columns_log2 < traits.most_columns_log2 && traits.extents[2] > traits.of_thread[2] << columns_log2)
        ++columns_log2;
    block_shape best{columns_log2, traits.threads_log2 - columns_log2};
    constexpr double gain = 0.9;
    double least = gain * cost_of(best);
    const int fewest = columns_log2 < traits.least_columns_log2 ? columns_log2 : traits.least_columns_log2;
    for (; columns_log2 >= fewest; --columns_log2)
        for (int rows_log2 = traits.threads_log2 - columns_log2; rows_log2 >= 0; --rows_log2) {
            const block_shape shape{columns_log2, rows_log2};
            const double cost = cost_of(shape);
            if (cost >= least) continue;
            best = shape;
            least = cost;
        }
    return best;
}

}  // namespace foldwise::detail
