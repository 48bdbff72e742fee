// foldwise/device/reduce/occupancy.hpp: how much a thread of a reduction has in flight, and how many blocks of such
// threads are to run at once.
#pragma once

#include <foldwise/device/reduce/operands.hpp>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

using detail::most_blocks;
using detail::rows_per_thread;

/// Tiles that a thread has in flight at once: four, or more of those that are small.
template <class Elements> inline constexpr int loads_of = sizeof(typename Elements::tile) < 16 ? 8 : 4;

/// Registers of a thread, if so many blocks share a multiprocessor.
constexpr int registers_of(int threads, int blocks) { return 65536 / (threads * blocks) / 8 * 8; }

/// The registers that a thread has its loads and accumulators in.
template <class Elements> constexpr int fold_words() {
    using accumulator = typename Elements::steps::accumulator;
    constexpr reduce_instance instance = Elements::instance;
    constexpr bool is_lanes = reducer_of(instance) == reducer::lanes;
    constexpr int tile_words = (static_cast<int>(sizeof(typename Elements::tile)) + 3) / 4;
    constexpr int accumulator_words = (static_cast<int>(sizeof(accumulator)) + 3) / 4;
    constexpr int width = Elements::width, loads = is_lanes ? rows_per_thread : loads_of<Elements>;
    int words = loads * tile_words;
    // An element that is loaded alone takes a register, and so does each of a tile that is being folded.
    constexpr bool has_single_loads =
        reading_of(instance) == reduce_reading::mixed || instance == reduce_instance::lanes_elements;
    if (has_single_loads && words < loads * width) words = loads * width;
    if (width == 1) words += loads * 2;                          // their addresses
    if (instance == reduce_instance::group_strided) words += 6;  // their divisions
    const bool has_columns = reducer_of(instance) == reducer::columns;
    return words + (has_columns ? 3 * width * accumulator_words : width + 3 * accumulator_words);
}

/// Blocks that every multiprocessor has to have registers for. Left to itself, nvcc takes 32 for small accumulators,
/// for which loads wait for one another, and so many for large ones that one block runs alone.
template <class Elements> constexpr int least_blocks(int threads) {
    // Places that are divided out, for an index too or in order, take more registers than are counted here.
    if (has_several_axes(Elements::instance) && (Elements::takes_index || !Elements::steps::commutes)) return 1;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
    constexpr int most_threads = 1024;
#else
    constexpr int most_threads = 1536;
#endif
    int blocks = most_blocks;
    while (blocks > 1 &&
           (blocks * threads > most_threads || 10 * fold_words<Elements>() > 7 * registers_of(threads, blocks)))
        --blocks;
    return blocks;
}

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
