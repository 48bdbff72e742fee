// foldwise/device/fold_kernel.hpp: what emitted reductions run on a GPU.
//
// One launch folds everything. Where several blocks fold one result, each leaves its part in the workspace, and the one
// that is last to do so folds all of them, in their order. So results are the same bits in every run; they depend on
// the shape, on how the elements lie and are aligned, and on how many blocks of the kernel the GPU runs at once,
// unless they are to be reproducible (reduce.hpp).
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
    std::int64_t step;        ///< Along the columns,
    bool is_wide;             ///< and whether a thread's results may be stored together.
    unsigned int* counters;   ///< Of blocks that are done, for each group of them; zero between launches.
    partial<Steps>* carried;  ///< From the launch before to this one, and from this one to the next.
    partial<Steps>* parts;    ///< Of blocks that fold together.
    partial<Steps> initial;   ///< Comes before all elements.
    bool is_first, is_last;   ///< False: the launch before, or the next one, has more elements of the one result.

    /// What comes before the elements, these, and what follows if there is nothing.
    __device__ partial<Steps> completed(const partial<Steps>& before, const partial<Steps>& folded) const {
        partial<Steps> all = before;
        all.append(folded);
        if constexpr (Steps::has_identity) {
            if (!all.is_some) all.append(Steps::identity());
        }
        return all;
    }
    /// Where every result is folded in this launch.
    __device__ typename Steps::result finished(const partial<Steps>& folded) const {
        return Steps::finish(completed(initial, folded).value);
    }
    __device__ void finish(std::int64_t offset, const partial<Steps>& folded) const {
        const partial<Steps> all = completed(is_first ? initial : *carried, folded);
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

/// Where an element lies.
template <access Access> __device__ inline position place_of(const range<Access>&, std::int64_t number) {
    return {number, 0};
}
__device__ inline strided_position place_of(const range<access::strided>& range, std::int64_t number) {
    return range.elements.position(static_cast<std::uint32_t>(number));
}
__device__ inline strided_position place_of(const range<access::column>& range, std::uint32_t number) {
    return range.folded.position(number);
}
__device__ inline column_place place_of(const range<access::columns>&, std::uint32_t number) { return {number}; }

/// Tiles that a thread has under way at once: four, or more of those that are small.
template <class Elements> inline constexpr int loads_of = sizeof(typename Elements::tile) < 16 ? 8 : 4;
/// The same of rows of a tile each.
inline constexpr int rows_per_thread = 4;

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
template <class Elements, class Steps, access Access>
__device__ inline void fold_tiles(const Elements& elements, const range<Access>& range, unsigned int thread,
                                  unsigned int threads, partial<Steps>& mine) {
    using tile = typename Elements::tile;
    constexpr int width = Elements::width;
    constexpr int loads = loads_of<Elements>;
    const std::int64_t first = first_of(range), end = end_of(range);
    const std::int64_t begin_whole = (first + width - 1) / width, end_whole = end / width;
    const auto place = [&](std::int64_t number) { return place_of(range, number * width); };
    std::int64_t number = begin_whole + thread;
    FOLDWISE_NOT_UNROLLED
    while (number + (loads - 1) * std::int64_t{threads} < end_whole) {
        accumulators<Elements> sums;
        FOLDWISE_NOT_UNROLLED
        for (int link = 0; link < chain && number + (loads - 1) * std::int64_t{threads} < end_whole; link += loads) {
            tile tiles[loads];
            FOLDWISE_UNROLLED
            for (int i = 0; i < loads; ++i) tiles[i] = elements.load(place(number + std::int64_t{i} * threads));
            FOLDWISE_UNROLLED
            for (int i = 0; i < loads; ++i) {
                if (i == 0 && link == 0)
                    sums.begin(elements, tiles[i], place(number));
                else
                    sums.combine(elements, tiles[i], place(number + std::int64_t{i} * threads));
            }
            number += std::int64_t{loads} * threads;
        }
        mine.append(sums.joined());
    }
    if (number < end_whole) {
        accumulators<Elements> sums;
        tile tiles[loads - 1];
        FOLDWISE_UNROLLED
        for (int i = 0; i < loads - 1; ++i) {
            if (number + std::int64_t{i} * threads < end_whole)
                tiles[i] = elements.load(place(number + std::int64_t{i} * threads));
        }
        sums.begin(elements, tiles[0], place(number));
        FOLDWISE_UNROLLED
        for (int i = 1; i < loads - 1; ++i) {
            if (number + std::int64_t{i} * threads < end_whole)
                sums.combine(elements, tiles[i], place(number + std::int64_t{i} * threads));
        }
        mine.append(sums.joined());
    }
    if constexpr (width == 1) return;
    // Those before the first whole tile and behind the last one; of short rows, all.
    const std::int64_t whole_from = begin_whole * width, whole_to = end_whole * width;
    const std::int64_t ahead = whole_from < end ? whole_from : end;
    const std::int64_t behind = whole_to > ahead ? whole_to : ahead;
    for (std::int64_t single = first + thread; single < ahead; single += threads)
        mine.append(elements.mapped(place_of(range, single)));
    for (std::int64_t single = behind + thread; single < end; single += threads)
        mine.append(elements.mapped(place_of(range, single)));
}

/// The same if their order is kept: all elements in [begin, end) of a row, by a warp, whose first lane gets the result.
template <class Elements, class Steps, access Access>
__device__ inline void fold_chunk(const Elements& elements, const range<Access>& range, std::int64_t begin,
                                  std::int64_t end, partial<Steps>& mine) {
    constexpr int width = Elements::width;
    const std::int64_t lane = threadIdx.x % warp_size, first = first_of(range);
    for (std::int64_t row = begin; row < end; row += warp_size * width) {
        const std::int64_t from = row + lane * width, to = from + width;
        partial<Steps> part;
        if (from >= first && to <= end) {
            const auto at = place_of(range, from);
            const auto tile = elements.load(at);
            FOLDWISE_UNROLLED
            for (int k = 0; k < width; ++k) part.append(elements.mapped(tile, at, k));
        } else {
            FOLDWISE_NOT_UNROLLED
            for (std::int64_t i = from < first ? first : from; i < to && i < end; ++i)
                part.append(elements.mapped(place_of(range, i)));
        }
        fold_lanes(part, warp_size);
        if (lane == 0) mine.append(part);
    }
}

/// A warp for a row, a block, or several blocks.
template <int Threads, class Elements, access Access, class Steps>
__device__ inline void fold(Elements elements, const fold_range<Access>& range, const fold_target<Steps>& target) {
    wait_for_previous_kernel();
    const bool is_shared = range.blocks > 1;
    const unsigned int group = threadIdx.x >> range.lanes_log2, lanes = 1u << range.lanes_log2;
    const unsigned int thread = threadIdx.x & (lanes - 1);
    const unsigned int row = is_shared ? blockIdx.y : blockIdx.x * (Threads >> range.lanes_log2) + group;
    const unsigned int block = is_shared ? blockIdx.x : 0;
    if (row >= range.rows.count) return;  // only warps that have a row of their own
    elements.enter(range.rows.position(row));
    partial<Steps> mine;
    if constexpr (Steps::commutes) {
        fold_tiles(elements, range, block * Threads + thread, range.blocks << range.lanes_log2, mine);
    } else {
        const std::int64_t warp = std::int64_t{block} * (Threads / warp_size) + thread / warp_size;
        const std::int64_t begin = warp * range.chunk, all = end_of(range);
        fold_chunk(elements, range, begin, begin + range.chunk < all ? begin + range.chunk : all, mine);
    }
    if (lanes < Threads) {
        fold_lanes(mine, warp_size);
        if (thread == 0) target.finish(target.rows.offset(range.rows.position(row)), mine);
        return;
    }
    fold_block<Threads>(mine);
    if (is_shared) {
        partial<Steps>* const parts = target.parts + std::size_t{row} * range.blocks;
        if (threadIdx.x == 0) parts[block] = mine;
        if (!is_last_block(target.counters + row, range.blocks)) return;
        const unsigned int share = (range.blocks + Threads - 1) / Threads;
        mine = partial<Steps>();
        for (unsigned int i = threadIdx.x * share; i < (threadIdx.x + 1) * share && i < range.blocks; ++i)
            mine.append(parts[i]);
        fold_block<Threads>(mine);
    }
    if (threadIdx.x == 0) target.finish(target.rows.offset(range.rows.position(row)), mine);
}

/// Some lanes for a row, with a tile each, of several rows.
template <int Threads, class Elements, access Access, class Steps>
requires(is_row(Access)) __device__
    inline void fold(Elements elements, const fold_range<Access>& range, const fold_target<Steps>& target) {
    constexpr int rows = rows_per_thread, width = Elements::width;
    wait_for_previous_kernel();
    const unsigned int lanes = 1u << range.lanes_log2, lane = threadIdx.x & (lanes - 1);
    const unsigned int groups = Threads >> range.lanes_log2, last = range.rows.count - 1;
    const unsigned int first = blockIdx.x * groups * rows + (threadIdx.x >> range.lanes_log2);
    const int begin = static_cast<int>(lane) * width, left = range.length - begin;
    const row_place place = {begin, left < width ? left : width};
    const auto row = [&](int i) { return first + static_cast<unsigned int>(i) * groups; };
    const auto enter = [&](int i) {
        Elements own = elements;
        own.enter(range.rows.position(row(i) < last ? row(i) : last));  // beyond it, again
        return own;
    };
    typename Elements::tile tiles[rows];
    FOLDWISE_UNROLLED
    for (int i = 0; i < rows; ++i) {
        if (left > 0) tiles[i] = enter(i).load(place);
    }
    FOLDWISE_UNROLLED
    for (int i = 0; i < rows; ++i) {
        partial<Steps> mine;
        if (left > 0) {
            accumulators<Elements> sums;
            if (Access == access::rows || left >= width) {
                sums.begin(enter(i), tiles[i], place);
                mine = partial<Steps>(sums.joined());
            } else {
                FOLDWISE_UNROLLED
                for (int k = 0; k < width; ++k) {
                    if (k < left) mine.append(enter(i).mapped(tiles[i], place, k));
                }
            }
        }
        if (range.is_full)  // what is combined in the other lanes is nobody's
            fold_lanes(mine.value, 1 << range.lanes_log2, [](auto& a, const auto& b) { a = Steps::combine(a, b); });
        else
            fold_lanes(mine, 1 << range.lanes_log2);
        if (lane == 0 && row(i) <= last)
            target.out[target.rows.offset(range.rows.position(row(i)))] = target.finished(mine);
    }
}

/// One thread's share of its columns: `left` elements, begin, begin + step, ...
template <class Elements, class Steps, access Access, int Width>
__device__ inline void fold_down(const Elements& elements, const range<Access>& range, std::uint32_t begin,
                                 std::uint32_t step, int left, partial<Steps> (&mine)[Width]) {
    constexpr int loads = loads_of<Elements>;
    if (left <= 0) return;
    accumulators<Elements> all;
    bool is_some = false;
    const auto place = [&](int i) { return place_of(range, begin + static_cast<std::uint32_t>(i) * step); };
    const auto append = [&](const accumulators<Elements>& sums) {
        FOLDWISE_UNROLLED
        for (int k = 0; k < Width; ++k)
            all.lane[k] = is_some ? Steps::combine(all.lane[k], sums.lane[k]) : sums.lane[k];
        is_some = true;
    };
    FOLDWISE_NOT_UNROLLED
    while (left >= loads) {
        accumulators<Elements> sums;
        FOLDWISE_NOT_UNROLLED
        for (int link = 0; link < chain && left >= loads; link += loads) {
            typename Elements::tile tiles[loads];
            FOLDWISE_UNROLLED
            for (int i = 0; i < loads; ++i) tiles[i] = elements.load(place(i));
            FOLDWISE_UNROLLED
            for (int i = 0; i < loads; ++i) {
                if (i == 0 && link == 0)
                    sums.begin(elements, tiles[i], place(i));
                else
                    sums.combine(elements, tiles[i], place(i));
            }
            begin += loads * step;
            left -= loads;
        }
        append(sums);
    }
    if (left > 0) {
        accumulators<Elements> sums;
        typename Elements::tile tiles[loads - 1];
        FOLDWISE_UNROLLED
        for (int i = 0; i < loads - 1; ++i) {
            if (i < left) tiles[i] = elements.load(place(i));
        }
        sums.begin(elements, tiles[0], place(0));
        FOLDWISE_UNROLLED
        for (int i = 1; i < loads - 1; ++i) {
            if (i < left) sums.combine(elements, tiles[i], place(i));
        }
        append(sums);
    }
    FOLDWISE_UNROLLED
    for (int k = 0; k < Width; ++k) mine[k] = partial<Steps>(all.lane[k]);
}

/// Each thread folds neighbouring columns, and those behind one another in a block the same ones.
template <int Threads, class Elements, access Access, class Steps>
requires(is_column(Access)) __device__
    inline void fold(Elements elements, const fold_range<Access>& range, const fold_target<Steps>& target) {
    constexpr int width = Elements::width;
    wait_for_previous_kernel();
    const auto across = static_cast<unsigned int>(range.across), down = Threads / across;
    const unsigned int x = threadIdx.x & (across - 1), y = threadIdx.x / across;
    const std::uint32_t vector = blockIdx.x * across + x;
    const bool is_there = vector < range.vectors;
    std::uint32_t other = is_there ? vector : 0;
    const std::int64_t column = std::int64_t{range.vectors_per_row.split(other)} * width;
    partial<Steps> mine[width];
    if (is_there) {
        elements.enter(column_row{range.rows.position(other), column});
        const std::uint32_t begin = blockIdx.y * range.share;
        const std::uint32_t rest = range.folded.count - begin, share = rest < range.share ? rest : range.share;
        if constexpr (Steps::commutes) {
            fold_down(elements, range, begin + y, down, static_cast<int>((share + down - 1 - y) / down), mine);
        } else {
            const std::uint32_t chunk = (range.share + down - 1) / down, from = y * chunk;
            const int left = static_cast<int>(share) - static_cast<int>(from), most = static_cast<int>(chunk);
            fold_down(elements, range, begin + from, 1, left < most ? left : most, mine);
        }
    }
    if (down > 1) fold_columns_of_block<Threads>(mine, range.across);
    if (range.blocks > 1) {
        // Parts lie as the columns of the tile do, for each block anew.
        const unsigned int columns = across * width;
        partial<Steps>* const parts = target.parts + std::size_t{blockIdx.x} * range.blocks * columns + x * width;
        if (y == 0) {
            FOLDWISE_UNROLLED
            for (int k = 0; k < width; ++k) parts[blockIdx.y * columns + static_cast<unsigned int>(k)] = mine[k];
        }
        if (!is_last_block(target.counters + blockIdx.x, range.blocks)) return;
        const unsigned int share = (range.blocks + down - 1) / down, begin = y * share;
        const unsigned int end = begin + share < range.blocks ? begin + share : range.blocks;
        FOLDWISE_UNROLLED
        for (int k = 0; k < width; ++k) mine[k] = partial<Steps>();
        FOLDWISE_NOT_UNROLLED
        for (unsigned int i = begin; i < end; ++i) {
            FOLDWISE_UNROLLED
            for (int k = 0; k < width; ++k) mine[k].append(parts[i * columns + static_cast<unsigned int>(k)]);
        }
        fold_columns_of_block<Threads>(mine, range.across);
    }
    if (y > 0 || !is_there) return;
    const std::int64_t offset = target.rows.offset(range.rows.position(other)) + column * target.step;
    if (target.is_wide) {
        pack<typename Steps::result, width> results;
        FOLDWISE_UNROLLED
        for (int k = 0; k < width; ++k) results[k] = target.finished(mine[k]);
        device_code::store(target.out + offset, results);
    } else {
        FOLDWISE_UNROLLED
        for (int k = 0; k < width; ++k) target.out[offset + k * target.step] = target.finished(mine[k]);
    }
}

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
