// foldwise/device/fold_kernel.hpp: what emitted reductions run on a GPU.
//
// One launch folds everything. Where several blocks fold one result, each leaves its part in the workspace, and the one
// that is last to do so folds all of them, in their order. So results are the same bits in every run; they depend on
// the shape, on how the elements lie and are aligned, and on how many blocks of the kernel the GPU runs at once,
// unless they are to be reproducible (reduce.hpp).
//
// A thread folds what it loads together as a tree, combines at most `chain` of these one after the other, or of
// elements of a column, then goes on from what that made: errors of rounding grow with the logarithm of the number of
// elements, and with a sixteenth of how many loads each thread has.
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

    /// The same of columns, none of which is without elements.
    __device__ typename Steps::accumulator* column_parts() const {
        return reinterpret_cast<typename Steps::accumulator*>(parts);
    }

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
    if constexpr (is_strided(Access))
        return 0;
    else
        return elements.begin;
}
template <access Access> __device__ inline std::int64_t end_of(const range<Access>& range) {
    if constexpr (is_strided(Access))
        return range.elements.count;
    else
        return range.end;
}

/// The same of a row.
struct row_bounds {
    std::int64_t first, end;
};

/// Where an element lies.
template <access Access> __device__ inline auto place_of(const range<Access>& range, std::int64_t number) {
    if constexpr (is_strided(Access))
        return range.elements.position(static_cast<std::uint32_t>(number));
    else
        return position{number, 0};
}
__device__ inline strided_position place_of(const range<access::column>& range, std::uint32_t number) {
    return range.folded.position(number);
}
__device__ inline column_place place_of(const range<access::columns>&, std::uint32_t number) { return {number}; }

/// What `Count` elements of a tile make, beginning with the `From`-th: both halves of them, combined.
template <int From, int Count, class Elements, class Place>
__device__ inline auto fold_tile(const Elements& elements, const typename Elements::tile& loaded, const Place& at) ->
    typename Elements::steps::accumulator {
    if constexpr (Count == 1) {
        return elements.mapped(loaded, at, From);
    } else {
        constexpr int half = Count / 2;
        return Elements::steps::combine(fold_tile<From, half>(elements, loaded, at),
                                        fold_tile<From + half, Count - half>(elements, loaded, at));
    }
}
template <class Elements, class Place>
__device__ inline auto fold_tile(const Elements& elements, const typename Elements::tile& loaded, const Place& at) {
    return fold_tile<0, Elements::width>(elements, loaded, at);
}

/// The same of `Count` tiles; place(i) is where the i-th begins.
template <int From, int Count, class Elements, class Place>
__device__ inline auto fold_all(const Elements& elements, const typename Elements::tile* tiles, const Place& place) ->
    typename Elements::steps::accumulator {
    if constexpr (Count == 1) {
        return fold_tile(elements, tiles[From], place(From));
    } else {
        constexpr int half = Count / 2;
        return Elements::steps::combine(fold_all<From, half>(elements, tiles, place),
                                        fold_all<From + half, Count - half>(elements, tiles, place));
    }
}

/// What one of `threads` threads folds of a row if its elements may be combined in any order: tiles of neighbours,
/// those of all threads side by side.
template <bool HasEnds, class Elements, class Steps, class PlaceOf>
__device__ inline void fold_tiles(const Elements& elements, row_bounds bounds, unsigned int thread,
                                  unsigned int threads, const PlaceOf& place_of, partial<Steps>& mine) {
    using tile = typename Elements::tile;
    constexpr int width = Elements::width;
    constexpr int loads = loads_of<Elements>;
    const std::int64_t first = bounds.first, end = bounds.end;
    const std::int64_t begin_whole = (first + width - 1) / width, end_whole = end / width;
    const auto place = [&](std::int64_t number) { return place_of(number * width); };
    std::int64_t number = begin_whole + thread;
    const auto place_in = [&](int i) { return place(number + std::int64_t{i} * threads); };
    FOLDWISE_NOT_UNROLLED
    while (number + (loads - 1) * std::int64_t{threads} < end_whole) {
        partial<Steps> sums;
        FOLDWISE_NOT_UNROLLED
        for (int link = 0; link < chain && number + (loads - 1) * std::int64_t{threads} < end_whole; ++link) {
            tile tiles[loads];
            FOLDWISE_UNROLLED
            for (int i = 0; i < loads; ++i) tiles[i] = elements.load(place_in(i));
            sums.append(fold_all<0, loads>(elements, tiles, place_in));
            number += std::int64_t{loads} * threads;
        }
        mine.append(sums.value);
    }
    if (number < end_whole) {
        tile tiles[loads - 1];
        FOLDWISE_UNROLLED
        for (int i = 0; i < loads - 1; ++i) {
            if (number + std::int64_t{i} * threads < end_whole) tiles[i] = elements.load(place_in(i));
        }
        FOLDWISE_UNROLLED
        for (int i = 0; i < loads - 1; ++i) {
            if (number + std::int64_t{i} * threads < end_whole) mine.append(fold_tile(elements, tiles[i], place_in(i)));
        }
    }
    if constexpr (width == 1 || !HasEnds) return;  // whole tiles, all of them
    // Those before the first whole tile and behind the last one; of short rows, all.
    const std::int64_t whole_from = begin_whole * width, whole_to = end_whole * width;
    const std::int64_t ahead = whole_from < end ? whole_from : end;
    const std::int64_t behind = whole_to > ahead ? whole_to : ahead;
    for (std::int64_t single = first + thread; single < ahead; single += threads)
        mine.append(elements.mapped(place_of(single)));
    for (std::int64_t single = behind + thread; single < end; single += threads)
        mine.append(elements.mapped(place_of(single)));
}

/// The same if their order is kept: all elements in [begin, end) of a row, by a warp, whose first lane gets the result.
template <class Elements, class Steps, access Access>
__device__ inline void fold_chunk(const Elements& elements, const range<Access>& range, std::int64_t first,
                                  std::int64_t begin, std::int64_t end, partial<Steps>& mine) {
    constexpr int width = Elements::width;
    const std::int64_t lane = threadIdx.x % warp_size;
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
    const unsigned int row = is_shared ? blockIdx.y : blockIdx.x * (blockDim.x >> range.lanes_log2) + group;
    const unsigned int block = is_shared ? blockIdx.x : 0;
    if (row >= range.rows.count) return;  // only warps that have a row of their own
    row_bounds bounds{first_of(range), end_of(range)};
    if constexpr (Access == access::staggered) {
        const strided_position place = range.rows.position(row);
        const std::int64_t first = (bounds.first + range.phases.offset(place)) % Elements::width;
        const std::int64_t shift = bounds.first - first;
        bounds = {first, bounds.end - shift};
        elements.enter(shifted_row{place, shift});
    } else {
        elements.enter(range.rows.position(row));
    }
    partial<Steps> mine;
    if constexpr (Steps::commutes) {
        const unsigned int first = block * lanes + thread, step = range.blocks << range.lanes_log2;
        const auto any_place = [&](std::int64_t number) { return place_of(range, number); };
        if constexpr (Access == access::runs) {
            if (range.elements.rank == 2) {
                const auto pair = [&](std::int64_t number) {
                    auto outer = static_cast<std::uint32_t>(number);
                    const std::uint32_t inner = range.elements.extents[0].split(outer);
                    return pair_position{inner, outer};
                };
                fold_tiles<false>(elements, bounds, first, step, pair, mine);
            } else {
                fold_tiles<false>(elements, bounds, first, step, any_place, mine);
            }
        } else {
            fold_tiles<true>(elements, bounds, first, step, any_place, mine);
        }
    } else {
        const std::int64_t warp = std::int64_t{block} * (lanes / warp_size) + thread / warp_size;
        const std::int64_t begin = warp * range.chunk, end = begin + range.chunk;
        fold_chunk(elements, range, bounds.first, begin, end < bounds.end ? end : bounds.end, mine);
    }
    if (lanes < blockDim.x) {
        fold_lanes(mine, warp_size);
        if (thread == 0) target.finish(target.rows.offset(range.rows.position(row)), mine);
        return;
    }
    fold_block<Threads>(mine);
    if (is_shared) {
        partial<Steps>* const parts = target.parts + std::size_t{row} * range.blocks;
        if (threadIdx.x == 0) parts[block] = mine;
        if (range.blocks <= warp_size) {
            // Few parts: one warp, which waits for no other.
            if (threadIdx.x >= warp_size) return;
            int is_last = 0;
            if (threadIdx.x == 0) is_last = is_last_of(target.counters + row, range.blocks);
            if (!__shfl_sync(0xffffffffu, is_last, 0)) return;
            __syncwarp();
            mine = partial<Steps>();
            if (threadIdx.x < range.blocks) mine = parts[threadIdx.x];
            fold_first_lanes(mine, range.blocks);
            if (threadIdx.x == 0) target.finish(target.rows.offset(range.rows.position(row)), mine);
            return;
        }
        if (!is_last_block(target.counters + row, range.blocks)) return;
        const unsigned int share = (range.blocks + lanes - 1) / lanes;
        mine = partial<Steps>();
        for (unsigned int i = threadIdx.x * share; i < (threadIdx.x + 1) * share && i < range.blocks; ++i)
            mine.append(parts[i]);
        fold_block<Threads>(mine);
    }
    if (threadIdx.x == 0) target.finish(target.rows.offset(range.rows.position(row)), mine);
}

/// Some lanes for a row, with a tile each, of several rows; position_of(number) is where a row begins.
template <class Elements, access Access, class Steps, class PositionOf>
__device__ inline void fold_rows(const Elements& elements, const fold_range<Access>& range,
                                 const fold_target<Steps>& target, const PositionOf& position_of) {
    constexpr int rows = rows_per_thread, width = Elements::width;
    const unsigned int lanes = 1u << range.lanes_log2, lane = threadIdx.x & (lanes - 1);
    const unsigned int groups = blockDim.x >> range.lanes_log2, last = range.rows.count - 1;
    const unsigned int first = blockIdx.x * groups * rows + (threadIdx.x >> range.lanes_log2);
    const int begin = static_cast<int>(lane) * width, left = range.length - begin;
    // Lanes behind the end of a row, and threads behind the last row, read the first tile or row again.
    const int tile_begin = left > 0 ? begin : 0, tile_left = range.length - tile_begin;
    const row_place place = {tile_begin, tile_left < width ? tile_left : width};
    const auto row = [&](int i) { return first + static_cast<unsigned int>(i) * groups; };
    const auto position = [&](int i) { return position_of(row(i) < last ? row(i) : last); };
    const auto enter = [&](const auto& at) {
        Elements own = elements;
        own.enter(at);
        return own;
    };
    typename Elements::tile tiles[rows];
    FOLDWISE_UNROLLED
    for (int i = 0; i < rows; ++i) {
        if (range.length > 0) tiles[i] = enter(position(i)).load(place);
    }
    FOLDWISE_UNROLLED
    for (int i = 0; i < rows; ++i) {
        partial<Steps> mine;
        if (left > 0) {
            const Elements own = enter(position(i));
            if (Access == access::rows || left >= width) {
                mine = partial<Steps>(fold_tile(own, tiles[i], place));
            } else {
                mine = partial<Steps>(own.mapped(tiles[i], place, 0));
                FOLDWISE_UNROLLED
                for (int k = 1; k < width - 1; ++k)
                    if (k < left) mine.value = Steps::combine(mine.value, own.mapped(tiles[i], place, k));
            }
        }
        if (range.is_full)  // what is combined in the other lanes is nobody's
            fold_lanes(mine.value, 1 << range.lanes_log2, [](auto& a, const auto& b) { a = Steps::combine(a, b); });
        else
            fold_lanes(mine, 1 << range.lanes_log2);
        if (lane == 0 && row(i) <= last) target.out[target.rows.offset(position(i))] = target.finished(mine);
    }
}
template <int Threads, class Elements, access Access, class Steps>
requires(is_row(Access)) __device__
    inline void fold(Elements elements, const fold_range<Access>& range, const fold_target<Steps>& target) {
    wait_for_previous_kernel();
    if (range.rows.rank == 1)
        fold_rows(elements, range, target, [](unsigned int row) { return linear_position{row}; });
    else
        fold_rows(elements, range, target, [&](unsigned int row) { return range.rows.position(row); });
}

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
