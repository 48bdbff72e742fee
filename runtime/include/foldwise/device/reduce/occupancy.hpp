// foldwise/device/reduce/occupancy.hpp: how many loads a thread of a reduction has in flight, and how many blocks
// should run at once.
#pragma once

#include <foldwise/device/reduce/operands.hpp>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

using detail::most_blocks;
using detail::tiles_per_thread;

/// The number of tiles that a thread has in flight at once: four, or more if they are small.
template <class Elements> inline constexpr int loads_of = sizeof(typename Elements::tile) < 16 ? 8 : 4;

/// Returns the registers per thread if this many blocks share a multiprocessor.
constexpr int registers_of(int threads, int blocks) { return 65536 / (threads * blocks) / 8 * 8; }

/// Returns the number of registers that a thread needs for its loads and accumulators.
template <class Elements> constexpr int fold_words() {
    using accumulator = typename Elements::steps::accumulator;
    constexpr reduce_instance instance = Elements::instance;
    constexpr bool is_lanes = reducer_of(instance) == reducer::lanes;
    constexpr int tile_words = (static_cast<int>(sizeof(typename Elements::tile)) + 3) / 4;
    constexpr int accumulator_words = (static_cast<int>(sizeof(accumulator)) + 3) / 4;
    constexpr int width = Elements::width, loads = is_lanes ? tiles_per_thread : loads_of<Elements>;
    if (reducer_of(instance) == reducer::threads)
        return detail::rows_per_thread *
               (detail::elements_in_flight * tile_words + 2 * Elements::operands + 2 + accumulator_words);
    int words = loads * tile_words;
    // An element that is loaded singly takes a register, and so does each element of a tile that is being combined.
    constexpr bool has_single_loads =
        reading_of(instance) == reduce_reading::mixed || instance == reduce_instance::lanes_elements;
    if (has_single_loads && words < loads * width) words = loads * width;
    if (width == 1) words += loads * 2;                          // addresses
    if (instance == reduce_instance::group_strided) words += 1;  // an element's number, while it is divided
    if (instance == reduce_instance::lanes_elements) words += width * Elements::operands;  // offsets
    // Tiles that are loaded while others are combined in order.
    if (!Elements::steps::commutes && reducer_of(instance) == reducer::group) words += 8;
    const bool has_columns = reducer_of(instance) == reducer::columns;
    return words + (has_columns ? 3 * width * accumulator_words : width + 3 * accumulator_words);
}

/// Returns the number of blocks for which every multiprocessor has to have registers. Left to itself, nvcc uses 32
/// registers for small accumulators, which makes loads wait for one another, and for large ones so many that only one
/// block runs at a time.
template <class Elements> constexpr int least_blocks(int threads) {
    // Coordinates that are computed by division, if there is an index or an order, take more registers than counted
    // here.
    if (has_several_axes(Elements::instance) && (Elements::takes_index || !Elements::steps::commutes)) return 1;
    // A thread of these has as many elements in flight as fit in 64 registers.
    if (reducer_of(Elements::instance) == reducer::segmented)
        return sizeof(typename Elements::steps::accumulator) <= 8 ? 2 : 1;
    int blocks = most_blocks;
    while (blocks > 1 && (blocks * threads > multiprocessor_threads ||
                          10 * fold_words<Elements>() > 7 * registers_of(threads, blocks)))
        --blocks;
    return blocks;
}

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
