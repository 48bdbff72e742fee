// foldwise/device/reduce/groups.hpp: reductions along rows on a GPU, by a warp, a block or several blocks for each.
//
// One launch computes the results completely. If several blocks share a row, each writes its partial result to the
// workspace, and the last one to do so combines all of them in order. Therefore results have the same bits in every
// run; they depend on the shape, on the memory layout and alignment of the elements, and on how many blocks of the
// kernel the GPU runs at once, unless the build is REPRODUCIBLE.
//
// A thread combines the elements that it loads together as a tree, then at most `chain` of these results (or elements
// of a column) sequentially, and continues with what that yields. Rounding errors grow with the logarithm of the number
// of elements, and with a sixteenth of the number of loads per thread.
//
// This code is part of every instance of every reduction, so its size determines nvcc's compile time: what happens once
// per launch is written once, and loops over axes and over data that is not kept in registers remain loops.
#pragma once

#include <foldwise/device/launch.hpp>
#include <foldwise/device/reduce/group_end.hpp>
#include <foldwise/device/reduce/occupancy.hpp>
#include <foldwise/device/reduce/operands.hpp>
#include <foldwise/device/reduce/ordered.hpp>
#include <foldwise/device/reduce/rows.hpp>

#include <cstdint>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

/// The number of results that a thread combines sequentially.
inline constexpr int chain = 16;

/// The rows of a launch, as a kernel's parameter.
template <reduce_instance Instance, reducer Reducer = reducer_of(Instance)> struct reduce_range;
template <> struct reduce_range<reduce_instance::group_vectors, reducer::group> : detail::linear_group_range {};
template <> struct reduce_range<reduce_instance::group_mixed, reducer::group> : detail::linear_group_range {};
template <> struct reduce_range<reduce_instance::group_runs, reducer::group> : detail::strided_group_range {};
template <> struct reduce_range<reduce_instance::group_strided, reducer::group> : detail::strided_group_range {};
template <> struct reduce_range<reduce_instance::group_few, reducer::group> : detail::few_range {};
template <reduce_instance Instance> struct reduce_range<Instance, reducer::lanes> : detail::lanes_range {};
template <> struct reduce_range<reduce_instance::lanes_elements, reducer::lanes> : detail::strided_lanes_range {};
template <reduce_instance Instance> struct reduce_range<Instance, reducer::threads> : detail::threads_range {};
template <reduce_instance Instance> struct reduce_range<Instance, reducer::staged> : detail::staged_range {};
template <reduce_instance Instance> struct reduce_range<Instance, reducer::columns> : detail::columns_range {};

/// Reduces the share of one of `threads` threads of a row whose elements may be combined in any order: tiles of
/// neighbours, with the tiles of all threads side by side. The first of them begins `ahead` elements behind the row's
/// first one.
template <class Elements, class Steps>
__device__ inline void fold_tiles(const Elements& elements, const detail::linear_group_range& range, int ahead,
                                  unsigned int thread, unsigned int threads, partial<Steps>& mine) {
    using tile = typename Elements::tile;
    using place = linear_place;
    constexpr int width = Elements::width;
    constexpr int loads = loads_of<Elements>;
    const unsigned int count = range.each + (thread < range.with_one_more ? 1 : 0);
    const auto left = static_cast<int>(count % loads);
    unsigned int turns = count / loads;
    std::int64_t at = std::int64_t{thread} * width;
    FOLDWISE_NOT_UNROLLED
    while (turns > 0) {
        partial<Steps> sums;
        FOLDWISE_NOT_UNROLLED
        do {
            tile tiles[loads];
            place places[loads];
            FOLDWISE_UNROLLED
            for (place& one : places) {
                one = {at};
                at += std::int64_t{threads} * width;
            }
            elements.load(places, tiles, loads);
            sums.append(fold_all<0, loads>(elements, tiles, places));
        } while (--turns % chain != 0);
        mine.append(sums.value);
    }
    // What is left of the tiles, and the elements before the first tile and after the last one, which are all elements
    // of a short row: at most one for each thread. All of them are loaded before any is waited for. Where the tiles
    // begin is computed anew, so that no register holds it during the loop.
    tile tiles[loads - 1];
    place places[loads - 1];
    if (left > 0) {
        unsigned int number = count / loads * loads;
        FOLDWISE_UNROLLED
        for (place& one : places) one = {(thread + std::int64_t{threads} * number++) * width};
        elements.load(places, tiles, left);
    }
    partial<Steps> single;
    if constexpr (width > 1) {
        static_assert(2 * (width - 1) <= warp_size);
        const std::int64_t of_vectors = (std::int64_t{range.each} * threads + range.with_one_more) * width;
        if (thread < range.end - of_vectors) {
            const int own = static_cast<int>(thread) - ahead;
            single = partial<Steps>(elements.mapped(linear_place{own < 0 ? own : of_vectors + own}));
        }
    }
    // Folded by themselves first: what accumulators hold besides elements, such as their number, is then a constant.
    partial<Steps> rest;
    FOLDWISE_UNROLLED
    for (int i = 0; i < loads - 1; ++i) {
        if (i >= left) break;
        rest.append(fold_tile(elements, tiles[i], places[i]));
    }
    mine.append(rest);
    mine.append(single);
}

/// Folds a thread's tiles of a row along several axes, all of which are whole. Computing their places takes most of the
/// code and of the registers, so there is one loop for it: beyond the end of the row, a thread loads the last tile
/// again. What it has loaded then is combined behind the loop, which therefore needs no branches.
template <class Elements, class Steps>
__device__ inline void fold_tiles(const Elements& elements, const strided_rows<Elements>& rows, row_bounds bounds,
                                  unsigned int thread, unsigned int threads, partial<Steps>& mine) {
    constexpr int width = Elements::width, loads = loads_of<Elements>;
    const auto end = static_cast<std::uint32_t>(bounds.end / width);
    std::uint32_t number = static_cast<std::uint32_t>(bounds.first / width) + thread;
    if (number >= end) return;
    typename Elements::tile tiles[loads];
    strided_place<Elements::operands> places[loads];
    partial<Steps> sums;
    int link = 0;
    FOLDWISE_NOT_UNROLLED
    for (;;) {
        std::uint32_t numbers[loads];
        FOLDWISE_UNROLLED
        for (int i = 0; i < loads; ++i) {
            const std::uint32_t own = number + static_cast<std::uint32_t>(i) * threads;
            numbers[i] = (own < end ? own : end - 1) * width;
        }
        find_places<Elements>(rows.folded, rows.strides, numbers, places);
        elements.load(places, tiles, loads);
        if (number + (loads - 1) * threads >= end) break;
        sums.append(fold_all<0, loads>(elements, tiles, places));
        number += loads * threads;
        if (++link < chain && number < end) continue;
        mine.append(sums.value);
        if (number >= end) return;
        sums = partial<Steps>();
        link = 0;
    }
    mine.append(sums);
    FOLDWISE_UNROLLED
    for (int i = 0; i < loads - 1; ++i) {
        if (number + static_cast<std::uint32_t>(i) * threads >= end) break;
        mine.append(fold_tile(elements, tiles[i], places[i]));
    }
}

/// Enters a row whose elements lie side by side, at the first one at which a vector begins; returns how many precede
/// it.
template <class Elements>
__device__ inline int enter_row(Elements& elements, const operand_strides<Elements::operands>& strides,
                                const detail::linear_group_range& range, unsigned int row) {
    strided_place<Elements::operands> at{};
    unsigned int phase = range.phase;
    std::uint32_t numbers[] = {row};
    walk_axes(range.rows, numbers, [&](int axis, int, std::uint32_t coordinate) {
        FOLDWISE_UNROLLED
        for (int operand = 0; operand < Elements::operands; ++operand)
            at.offsets[operand] += coordinate * strides.of[operand].rows(axis);
        phase += coordinate * range.phases[axis];
    });
    const int ahead = static_cast<int>((0u - phase) % Elements::width);
    FOLDWISE_UNROLLED
    for (int operand = 0; operand < Elements::operands; ++operand) {
        // Known to be one, it need not be read.
        const bool is_one = reading_of(Elements::instance) == reduce_reading::vectors &&
                            !(Elements::takes_index && operand + 1 == Elements::operands);
        at.offsets[operand] += is_one ? ahead : ahead * strides.of[operand].folded(0);
    }
    elements.enter(at);
    return ahead;
}

/// Reduces the share of one thread of a group of a row whose elements lie side by side. The row has been entered
/// `ahead` elements behind its first one.
template <int Threads, class Elements, class Steps>
__device__ inline void fold_share(const Elements& elements, const detail::linear_group_range& range, int ahead,
                                  unsigned int block, unsigned int thread, partial<Steps>& mine) {
    const unsigned int lanes = 1u << range.lanes_log2;
    if constexpr (Steps::commutes) {
        fold_tiles(elements, range, ahead, block * lanes + thread, range.blocks << range.lanes_log2, mine);
    } else {
        const std::int64_t warp = std::int64_t{block} * (lanes / warp_size) + thread / warp_size;
        const std::int64_t begin = warp * range.chunk, end = begin + range.chunk, end_of_row = range.end - ahead;
        fold_in_order<Threads>(elements, linear_rows<Elements>{}, warp == 0 ? -ahead : begin,
                               end < end_of_row ? end : end_of_row, mine);
    }
}

/// Reduces the share of one thread of a group of a row along several axes. The chunks of a block, or of a warp if order
/// must be kept, are reduced one after the other.
template <int Threads, class Elements, class Steps>
__device__ inline void fold_chunks(const Elements& elements, const operand_strides<Elements::operands>& strides,
                                   const detail::strided_group_range& range, unsigned int row, unsigned int block,
                                   unsigned int thread, partial<Steps>& mine) {
    const unsigned int lanes = 1u << range.lanes_log2;
    const unsigned int warp = block * (lanes / warp_size) + thread / warp_size;
    const std::uint32_t from = (!Steps::commutes ? warp : range.is_interleaved ? 0 : block) * range.each;
    const strided_rows<Elements> rows = {range.folded, strides};
    wait_for_previous_kernel();
    FOLDWISE_NOT_UNROLLED
    for (std::uint32_t chunk = from; chunk < from + range.each && chunk < range.chunks; ++chunk) {
        std::uint32_t line = chunk;
        const std::int64_t begin = range.chunks_per_line.split(line) * range.chunk;
        const std::int64_t end = begin + range.chunk < range.end ? begin + range.chunk : range.end;
        strided_place<Elements::operands> at{};
        add_row(range.rows, strides, row, at);
        add_line(range.lines, range.folded.rank, strides, line, at);
        Elements entered = elements;
        entered.enter(at);
        if constexpr (Steps::commutes) {
            const unsigned int ahead = range.is_interleaved ? block * lanes : 0;
            fold_tiles(entered, rows, row_bounds{begin, end}, ahead + thread,
                       range.is_interleaved ? range.blocks * lanes : lanes, mine);
        } else {
            fold_in_order<Threads>(entered, rows, begin, end, mine);
        }
    }
}

/// Reduces the few elements of one thread of a group, which are neighbours if order must be kept. Nothing here waits
/// for anything but the elements, all of which are loaded at once: beyond the end of the row, a thread loads the last
/// one.
template <class Elements, class Steps>
__device__ inline void fold_few(const Elements& elements, const operand_strides<Elements::operands>& strides,
                                const detail::few_range& range, unsigned int row, unsigned int thread,
                                partial<Steps>& mine) {
    constexpr unsigned int each = detail::few_elements;
    const std::uint32_t last = range.folded.count - 1;
    const std::uint32_t first = Steps::commutes ? thread : thread * each;
    const std::uint32_t step = Steps::commutes ? 1u << range.lanes_log2 : 1;
    std::uint32_t numbers[each];
    bool exists[each];
    FOLDWISE_UNROLLED
    for (unsigned int i = 0; i < each; ++i) {
        const std::uint32_t number = first + i * step;
        exists[i] = number <= last;
        numbers[i] = exists[i] ? number : last;
    }
    strided_place<Elements::operands> at{}, places[each];
    add_row(range.rows, strides, row, at);
    Elements entered = elements;
    entered.enter(at);
    find_places<Elements>(range.folded, strides, numbers, places);
    typename Elements::tile tiles[each];
    wait_for_previous_kernel();
    entered.load(places, tiles, each);
    FOLDWISE_UNROLLED
    for (unsigned int i = 0; i < each; ++i)
        if (exists[i]) mine.append(entered.mapped(tiles[i], places[i], 0));
}

/// Reduces each row by a warp, a block or several blocks.
template <int Threads, class Elements, class Steps>
requires is_reduced_by<Elements, reducer::group> __device__ inline void
fold(Elements elements, const operand_strides<Elements::operands>& strides,
     const reduce_range<Elements::instance>& range, const reduce_target<Steps>& target) {
    const bool is_shared = range.blocks > 1;
    const unsigned int group = threadIdx.x >> range.lanes_log2, lanes = 1u << range.lanes_log2;
    const unsigned int thread = threadIdx.x & (lanes - 1);
    const unsigned int row = is_shared ? blockIdx.y : blockIdx.x * (blockDim.x >> range.lanes_log2) + group;
    const unsigned int block = is_shared ? blockIdx.x : 0;
    if (row >= range.rows.count) return;  // warps without a row of their own

    partial<Steps> mine;
    if constexpr (Elements::instance == reduce_instance::group_few) {
        fold_few(elements, strides, range, row, thread, mine);
    } else if constexpr (has_several_axes(Elements::instance)) {
        fold_chunks<Threads>(elements, strides, range, row, block, thread, mine);
    } else {
        if constexpr (loads_on_entry(Elements::instance)) wait_for_previous_kernel();
        const int ahead = enter_row(elements, strides, range, row);
        if constexpr (Elements::takes_index) elements.space.refer(0);
        if constexpr (!loads_on_entry(Elements::instance)) wait_for_previous_kernel();
        fold_share<Threads>(elements, range, ahead, block, thread, mine);
    }

    end_group<Threads>(mine.value, mine.is_some, group_end<Steps>(target, range, row, block));
}

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
