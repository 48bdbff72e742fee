// foldwise/device/fold_kernel.hpp: what emitted reductions run on a GPU.
//
// One launch folds everything. Where several blocks fold one result, each leaves its part in the workspace, and the one
// that is last to do so folds all of them, in their order. So results are the same bits in every run; they depend on
// the shape, on how the elements are aligned, and on the number of multiprocessors.
//
// A thread combines at most `chain` elements one after the other, then goes on from what that made: errors of rounding
// grow with the logarithm of the number of elements, and with a sixteenth of how many each thread has.
#pragma once

#include <foldwise/device/fold_block.hpp>
#include <foldwise/device/fold_operands.hpp>

#include <cstdint>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

inline constexpr int chain = 16;

/// Where a launch leaves its results.
template <class Steps> struct fold_target {
    typename Steps::result* out;
    strides rows;             ///< Of the results; of columns without those.
    std::int64_t step;        ///< Along the columns.
    unsigned int* counters;   ///< Of blocks that are done, for each group of them; zero between launches.
    partial<Steps>* carried;  ///< From the launch before to this one, and from this one to the next.
    partial<Steps>* parts;    ///< Of blocks that fold together.
    partial<Steps> initial;   ///< Comes before all elements.
    bool is_first, is_last;   ///< False: the launch before, or the next one, has more elements of the one result.

    /// What comes before the elements, these, and what follows if there is nothing.
    __device__ partial<Steps> completed(const partial<Steps>& folded) const {
        partial<Steps> all = is_first ? initial : *carried;
        all.append(folded);
        if constexpr (Steps::has_identity) {
            if (!all.is_some) all.append(Steps::identity());
        }
        return all;
    }
    __device__ void finish(std::int64_t offset, const partial<Steps>& folded) const {
        const partial<Steps> all = completed(folded);
        if (is_last)
            out[offset] = Steps::finish(all.value);
        else
            *carried = all;
    }
};

/// The numbers of the first element and of the one behind the last.
template <access Access> __device__ inline std::int64_t first_of(const range<Access>& elements) {
    return elements.begin;
}
template <access Access> __device__ inline std::int64_t end_of(const range<Access>& elements) { return elements.end; }
__device__ inline std::int64_t first_of(const range<access::strided>&) { return 0; }
__device__ inline std::int64_t end_of(const range<access::strided>& range) { return range.elements.count; }
__device__ inline int first_of(const range<access::row>&) { return 0; }
__device__ inline int end_of(const range<access::row>& range) { return range.length; }

/// Where an element lies.
template <access Access> __device__ inline position place_of(const range<Access>&, std::int64_t number) {
    return {number, 0};
}
__device__ inline strided_position place_of(const range<access::strided>& range, std::int64_t number) {
    return range.elements.position(static_cast<std::uint32_t>(number));
}
__device__ inline row_place place_of(const range<access::row>&, int number) { return {number}; }

/// Tiles that a thread has under way at once: four, or more of those that are small.
template <class Elements> inline constexpr int loads_of = sizeof(typename Elements::tile) < 16 ? 8 : 4;

/// `Width` accumulators side by side.
template <class Elements> struct accumulators {
    using steps = typename Elements::steps;
    using tile = typename Elements::tile;
    static constexpr int width = Elements::width;

    union {
        typename steps::accumulator lane[width];
    };
    __device__ accumulators() {}

    template <class Place> __device__ void begin(const Elements& elements, const tile& loaded, const Place& at) {
        FOLDWISE_UNROLLED
        for (int k = 0; k < width; ++k) lane[k] = elements.mapped(loaded, at, k);
    }
    template <class Place> __device__ void combine(const Elements& elements, const tile& loaded, const Place& at) {
        FOLDWISE_UNROLLED
        for (int k = 0; k < width; ++k) lane[k] = steps::combine(lane[k], elements.mapped(loaded, at, k));
    }
    /// Folds all of them.
    __device__ const typename steps::accumulator& joined() {
        FOLDWISE_UNROLLED
        for (int step = 1; step < width; step *= 2) {
            FOLDWISE_UNROLLED
            for (int k = 0; k + step < width; k += 2 * step) lane[k] = steps::combine(lane[k], lane[k + step]);
        }
        return lane[0];
    }
};

/// What one of `threads` threads folds of a row if its elements may be combined in any order: tiles of neighbours,
/// those of all threads side by side.
template <class Elements, class Steps, access Access, class Number>
__device__ inline void fold_tiles(const Elements& elements, const range<Access>& range, Number thread, Number threads,
                                  partial<Steps>& mine) {
    using tile = typename Elements::tile;
    constexpr int width = Elements::width;
    constexpr int loads = loads_of<Elements>;
    const Number first = first_of(range), end = end_of(range);
    const Number begin_whole = (first + width - 1) / width, end_whole = end / width;
    const auto place = [&](Number number) { return place_of(range, number * width); };
    Number number = begin_whole + thread;
    FOLDWISE_NOT_UNROLLED
    while (number + (loads - 1) * threads < end_whole) {
        accumulators<Elements> sums;
        FOLDWISE_NOT_UNROLLED
        for (int link = 0; link < chain && number + (loads - 1) * threads < end_whole; link += loads) {
            tile tiles[loads];
            FOLDWISE_UNROLLED
            for (int i = 0; i < loads; ++i) tiles[i] = elements.load(place(number + i * threads));
            FOLDWISE_UNROLLED
            for (int i = 0; i < loads; ++i) {
                if (i == 0 && link == 0)
                    sums.begin(elements, tiles[i], place(number));
                else
                    sums.combine(elements, tiles[i], place(number + i * threads));
            }
            number += loads * threads;
        }
        mine.append(sums.joined());
    }
    if (number < end_whole) {
        accumulators<Elements> sums;
        tile tiles[loads - 1];
        FOLDWISE_UNROLLED
        for (int i = 0; i < loads - 1; ++i) {
            if (number + i * threads < end_whole) tiles[i] = elements.load(place(number + i * threads));
        }
        sums.begin(elements, tiles[0], place(number));
        FOLDWISE_UNROLLED
        for (int i = 1; i < loads - 1; ++i) {
            if (number + i * threads < end_whole) sums.combine(elements, tiles[i], place(number + i * threads));
        }
        mine.append(sums.joined());
    }
    if constexpr (width == 1) return;
    // Those before the first whole tile and behind the last one; of short rows, all.
    const Number whole_from = begin_whole * width, whole_to = end_whole * width;
    const Number ahead = whole_from < end ? whole_from : end;
    const Number behind = whole_to > ahead ? whole_to : ahead;
    for (Number single = first + thread; single < ahead; single += threads)
        mine.append(elements.mapped(place_of(range, single)));
    for (Number single = behind + thread; single < end; single += threads)
        mine.append(elements.mapped(place_of(range, single)));
}

/// The same if their order is kept: all elements in [begin, end) of a row, by `lanes` neighbouring lanes, the first of
/// which gets the result. All lanes of the warp take part.
template <class Elements, class Steps, access Access, class Number>
__device__ inline void fold_chunk(const Elements& elements, const range<Access>& range, Number begin, Number end,
                                  int lanes, partial<Steps>& mine) {
    constexpr int width = Elements::width;
    const Number lane = threadIdx.x % static_cast<unsigned int>(lanes), first = first_of(range);
    for (Number row = begin; row < end; row += lanes * width) {
        const Number from = row + lane * width, to = from + width;
        partial<Steps> part;
        if (from >= first && to <= end) {
            const auto at = place_of(range, from);
            const auto tile = elements.load(at);
            FOLDWISE_UNROLLED
            for (int k = 0; k < width; ++k) part.append(elements.mapped(tile, at, k));
        } else {
            FOLDWISE_NOT_UNROLLED
            for (Number i = from < first ? first : from; i < to && i < end; ++i)
                part.append(elements.mapped(place_of(range, i)));
        }
        fold_lanes(part, lanes);
        if (lane == 0) mine.append(part);
    }
}

/// One block for a row, or several.
template <int Threads, class Elements, access Access, class Steps>
__device__ inline void fold(Elements elements, const fold_range<Access>& range, const fold_target<Steps>& target) {
    wait_for_previous_kernel();
    const unsigned int row = range.blocks == 1 ? blockIdx.x : blockIdx.y;
    const unsigned int block = range.blocks == 1 ? 0 : blockIdx.x;
    const strided_position at = range.rows.position(row);
    elements.enter(at);
    partial<Steps> mine;
    if constexpr (Steps::commutes) {
        fold_tiles(elements, range, std::int64_t{block} * Threads + threadIdx.x, std::int64_t{range.blocks} * Threads,
                   mine);
    } else {
        const std::int64_t warp = std::int64_t{block} * (Threads / warp_size) + threadIdx.x / warp_size;
        const std::int64_t begin = warp * range.chunk, all = end_of(range);
        fold_chunk(elements, range, begin, begin + range.chunk < all ? begin + range.chunk : all, warp_size, mine);
    }
    fold_block<Threads>(mine);
    if (range.blocks > 1) {
        partial<Steps>* const parts = target.parts + std::size_t{row} * range.blocks;
        if (threadIdx.x == 0) parts[block] = mine;
        if (!is_last_block(target.counters + row, range.blocks)) return;
        const unsigned int share = (range.blocks + Threads - 1) / Threads;
        mine = partial<Steps>();
        for (unsigned int i = threadIdx.x * share; i < (threadIdx.x + 1) * share && i < range.blocks; ++i)
            mine.append(parts[i]);
        fold_block<Threads>(mine);
    }
    if (threadIdx.x == 0) target.finish(target.rows.offset(at), mine);
}

/// Some lanes for a row.
template <int Threads, class Elements, class Steps>
__device__ inline void fold(Elements elements, const fold_range<access::row>& range, const fold_target<Steps>& target) {
    wait_for_previous_kernel();
    const auto lanes = static_cast<unsigned int>(range.lanes), lane = threadIdx.x & (lanes - 1);
    const unsigned int row = blockIdx.x * (Threads / lanes) + threadIdx.x / lanes;
    const bool is_there = row < range.rows.count;
    const strided_position at = range.rows.position(is_there ? row : 0);
    elements.enter(at);
    partial<Steps> mine;
    if constexpr (Steps::commutes) {
        if (is_there) fold_tiles(elements, range, static_cast<int>(lane), range.lanes, mine);
        fold_lanes(mine, range.lanes);
    } else {
        fold_chunk(elements, range, 0, range.length, range.lanes, mine);
    }
    if (lane == 0 && is_there) target.finish(target.rows.offset(at), mine);
}

/// One thread's share of its columns: elements begin, begin + step, ... before end.
template <class Elements, class Steps, int Width>
__device__ inline void fold_down(const Elements& elements, const range<access::column>& range, std::uint32_t begin,
                                 std::uint32_t end, std::uint32_t step, partial<Steps> (&mine)[Width]) {
    constexpr int loads = loads_of<Elements>;
    const auto append = [&](accumulators<Elements>& sums) {
        FOLDWISE_UNROLLED
        for (int k = 0; k < Width; ++k) mine[k].append(sums.lane[k]);
    };
    FOLDWISE_NOT_UNROLLED
    while (begin < end && (end - begin - 1) / step >= loads - 1) {
        accumulators<Elements> sums;
        FOLDWISE_NOT_UNROLLED
        for (int link = 0; link < chain && begin < end && (end - begin - 1) / step >= loads - 1; link += loads) {
            typename Elements::tile tiles[loads];
            strided_position places[loads];
            FOLDWISE_UNROLLED
            for (int i = 0; i < loads; ++i) {
                places[i] = range.folded.position(begin + static_cast<std::uint32_t>(i) * step);
                tiles[i] = elements.load(places[i]);
            }
            FOLDWISE_UNROLLED
            for (int i = 0; i < loads; ++i) {
                if (i == 0 && link == 0)
                    sums.begin(elements, tiles[i], places[i]);
                else
                    sums.combine(elements, tiles[i], places[i]);
            }
            begin += loads * step;
        }
        append(sums);
    }
    FOLDWISE_NOT_UNROLLED
    for (; begin < end; begin += step) {
        const strided_position place = range.folded.position(begin);
        accumulators<Elements> sums;
        sums.begin(elements, elements.load(place), place);
        append(sums);
    }
}

/// Each thread folds neighbouring columns, and those behind one another in a block the same ones.
template <int Threads, class Elements, class Steps>
__device__ inline void fold(Elements elements, const fold_range<access::column>& range,
                            const fold_target<Steps>& target) {
    constexpr int width = Elements::width;
    wait_for_previous_kernel();
    const auto across = static_cast<unsigned int>(range.across), down = Threads / across;
    const unsigned int x = threadIdx.x & (across - 1), y = threadIdx.x / across;
    const std::uint32_t vector = blockIdx.x * across + x;
    const bool is_there = vector < range.vectors;
    std::uint32_t other = is_there ? vector : 0;
    const std::int64_t column = std::int64_t{range.vectors_per_row.split(other)} * width;
    const std::int64_t left = range.columns - column;
    const column_row row = {range.rows.position(other), column, left < width ? static_cast<int>(left) : width};
    partial<Steps> mine[width];
    if (is_there) {
        elements.enter(row);
        const std::uint32_t begin = blockIdx.y * range.share;
        const std::uint32_t end = begin + range.share < range.folded.count ? begin + range.share : range.folded.count;
        if constexpr (Steps::commutes) {
            fold_down(elements, range, begin + y, end, down, mine);
        } else {
            const std::uint32_t chunk = (range.share + down - 1) / down, from = begin + y * chunk;
            fold_down(elements, range, from, from + chunk < end ? from + chunk : end, 1, mine);
        }
    }
    fold_columns_of_block<Threads>(mine, range.across);
    if (range.blocks > 1) {
        // Parts lie as the columns of the tile do, for each block anew.
        const unsigned int columns = across * width;
        partial<Steps>* const parts = target.parts + std::size_t{blockIdx.x} * range.blocks * columns;
        if (y == 0) {
            FOLDWISE_UNROLLED
            for (int k = 0; k < width; ++k)
                parts[blockIdx.y * columns + x * width + static_cast<unsigned int>(k)] = mine[k];
        }
        if (!is_last_block(target.counters + blockIdx.x, range.blocks)) return;
        const unsigned int share = (range.blocks + down - 1) / down, begin = y * share;
        const unsigned int end = begin + share < range.blocks ? begin + share : range.blocks;
        FOLDWISE_UNROLLED
        for (int k = 0; k < width; ++k) {
            mine[k] = partial<Steps>();
            const partial<Steps>* const part = parts + x * width + static_cast<unsigned int>(k);
            for (unsigned int i = begin; i < end; ++i) mine[k].append(part[std::size_t{i} * columns]);
        }
        fold_columns_of_block<Threads>(mine, range.across);
    }
    if (y > 0 || !is_there) return;
    const std::int64_t offset = target.rows.offset(row.others) + column * target.step;
    FOLDWISE_UNROLLED
    for (int k = 0; k < width; ++k) {
        if (k < row.count) target.finish(offset + k * target.step, mine[k]);
    }
}

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
