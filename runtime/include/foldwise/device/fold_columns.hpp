// foldwise/device/fold_columns.hpp: what emitted reductions of columns run on a GPU; as fold_kernel.hpp, down instead
// of along.
#pragma once

#include <foldwise/device/fold_kernel.hpp>

#include <cstdint>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

/// What the k-th elements of `Count` tiles, beginning with the `From`-th, make: both halves of them, combined.
template <int From, int Count, class Elements, class Place>
__device__ inline auto fold_down(const Elements& elements, const typename Elements::tile* tiles, const Place& place,
                                 int k) -> typename Elements::steps::accumulator {
    if constexpr (Count == 1) {
        return elements.mapped(tiles[From], place(From), k);
    } else {
        constexpr int half = Count / 2;
        return Elements::steps::combine(fold_down<From, half>(elements, tiles, place, k),
                                        fold_down<From + half, Count - half>(elements, tiles, place, k));
    }
}

/// One thread's share of its columns: `left` elements, at least one, begin, begin + step, ...
template <class Elements, class PlaceOf, class Accumulators>
__device__ inline void fold_down(const Elements& elements, const PlaceOf& place_of, std::uint32_t begin,
                                 std::uint32_t step, int left, Accumulators& all) {
    using tile = typename Elements::tile;
    using steps = typename Elements::steps;
    constexpr int loads = loads_of<Elements>, width = Elements::width;
    const auto place = [&](int i) { return place_of(begin + static_cast<std::uint32_t>(i) * step); };
    bool is_some = false;
    FOLDWISE_NOT_UNROLLED
    while (left >= loads) {
        Accumulators sums;
        FOLDWISE_NOT_UNROLLED
        for (int link = 0; link < chain && left >= loads; link += loads) {
            tile tiles[loads];
            FOLDWISE_UNROLLED
            for (int i = 0; i < loads; ++i) tiles[i] = elements.load(place(i));
            FOLDWISE_UNROLLED
            for (int k = 0; k < width; ++k) {
                const auto some = fold_down<0, loads>(elements, tiles, place, k);
                sums[k] = link == 0 ? some : steps::combine(sums[k], some);
            }
            begin += loads * step;
            left -= loads;
        }
        FOLDWISE_UNROLLED
        for (int k = 0; k < width; ++k) all[k] = is_some ? steps::combine(all[k], sums[k]) : sums[k];
        is_some = true;
    }
    if (left == 0) return;
    tile tiles[loads - 1];
    FOLDWISE_UNROLLED
    for (int i = 0; i < loads - 1; ++i) {
        if (i < left) tiles[i] = elements.load(place(i));
    }
    FOLDWISE_UNROLLED
    for (int i = 0; i < loads - 1; ++i) {
        if (i >= left) break;
        FOLDWISE_UNROLLED
        for (int k = 0; k < width; ++k) {
            const auto one = elements.mapped(tiles[i], place(i), k);
            all[k] = is_some || i > 0 ? steps::combine(all[k], one) : one;
        }
    }
}

/// Each thread folds neighbouring columns, and those behind one another in a block the same ones.
template <int Threads, class Elements, access Access, class Steps>
requires(is_column(Access)) __device__
    inline void fold(Elements elements, const fold_range<Access>& range, const fold_target<Steps>& target) {
    using accumulator = typename Steps::accumulator;
    constexpr int width = Elements::width;
    wait_for_previous_kernel();
    const unsigned int across = 1u << range.across_log2, down = Threads >> range.across_log2;
    const unsigned int x = threadIdx.x & (across - 1), y = threadIdx.x >> range.across_log2;
    const std::uint32_t vector = blockIdx.x * across + x;
    const std::uint32_t begin = blockIdx.y * range.share, rest = range.folded.count - begin;
    const std::uint32_t share = rest < range.share ? rest : range.share;
    // Threads behind one another that have elements, of the same columns.
    unsigned int filled = share < down ? share : down;
    const std::uint32_t chunk = (range.share + down - 1) / down;
    if constexpr (!Steps::commutes) filled = share == 0 ? 0 : (share + chunk - 1) / chunk;

    pack<accumulator, width> mine;
    std::uint32_t other = vector < range.vectors ? vector : 0;
    const std::int64_t column = std::int64_t{range.vectors_per_row.split(other)} * width;
    if (vector < range.vectors && y < filled) {
        elements.enter(column_row{range.rows.position(other), column});
        const std::uint32_t from = Steps::commutes ? y : y * chunk, step = Steps::commutes ? down : 1;
        const std::uint32_t left = Steps::commutes        ? (share + down - 1 - y) / down
                                   : share - from < chunk ? share - from
                                                          : chunk;
        const auto any_place = [&](std::uint32_t number) { return place_of(range, number); };
        if constexpr (Access == access::column) {
            if (range.folded.rank == 1)
                fold_down(
                    elements, [](std::uint32_t number) { return column_place{number}; }, begin + from, step,
                    static_cast<int>(left), mine);
            else
                fold_down(elements, any_place, begin + from, step, static_cast<int>(left), mine);
        } else {
            fold_down(elements, any_place, begin + from, step, static_cast<int>(left), mine);
        }
    }
    if (down == 1) {
        if (vector >= range.vectors) return;
        const std::int64_t offset = target.rows.offset(range.rows.position(other)) + column * target.step;
        pack<typename Steps::result, width> results;
        FOLDWISE_UNROLLED
        for (int k = 0; k < width; ++k)
            results[k] = target.finished(filled > 0 ? partial<Steps>(mine[k]) : partial<Steps>());
        if (target.is_wide) return device_code::store(target.out + offset, results);
        FOLDWISE_UNROLLED
        for (int k = 0; k < width; ++k) target.out[offset + k * target.step] = results[k];
        return;
    }
    const auto finish = [&](unsigned int number, const accumulator& folded) {
        std::uint32_t at = blockIdx.x * across + number / width;
        if (at >= range.vectors) return;
        const std::int64_t first = std::int64_t{range.vectors_per_row.split(at)} * width;
        target.out[target.rows.offset(range.rows.position(at)) + (first + number % width) * target.step] =
            target.finished(partial<Steps>(folded));
    };
    const auto memory = column_memory<Threads, width, accumulator>::shared();
    if (range.blocks == 1)
        return fold_columns_of_block<Threads, width, Steps>(mine, range.across_log2, filled, memory, finish);

    // Parts lie as the columns of the tile do, for each block anew.
    const unsigned int columns = across * width;
    accumulator* const parts = target.column_parts() + std::size_t{blockIdx.x} * range.blocks * columns;
    fold_columns_of_block<Threads, width, Steps>(
        mine, range.across_log2, filled, memory,
        [&](int number, const accumulator& folded) { parts[blockIdx.y * columns + number] = folded; });
    if (!is_last_block(target.counters + blockIdx.x, range.blocks)) return;
    const auto fold_parts = [&](unsigned int number, unsigned int from, unsigned int to) {
        accumulator folded = parts[from * columns + number];
        for (unsigned int i = from + 1; i < to; ++i) folded = Steps::combine(folded, parts[i * columns + number]);
        return folded;
    };
    if (columns >= Threads) {
        for (unsigned int number = threadIdx.x; number < columns; number += Threads)
            finish(number, fold_parts(number, 0, range.blocks));
        return;
    }
    int columns_log2 = range.across_log2;
    while (1u << columns_log2 < columns) ++columns_log2;
    const unsigned int rows = Threads >> columns_log2, each = (range.blocks + rows - 1) / rows;
    const unsigned int from = (threadIdx.x >> columns_log2) * each, to = from + each;
    pack<accumulator, 1> one;
    if (from < range.blocks)
        one[0] = fold_parts(threadIdx.x & (columns - 1), from, to < range.blocks ? to : range.blocks);
    fold_columns_of_block<Threads, 1, Steps>(one, columns_log2, static_cast<int>((range.blocks + each - 1) / each),
                                             column_memory<Threads, 1, accumulator>{memory.parts}, finish);
}

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
