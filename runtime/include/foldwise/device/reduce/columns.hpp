// foldwise/device/reduce/columns.hpp: reductions of columns on a GPU; like reduce/groups.hpp, but down instead of
// along.
#pragma once

#include <foldwise/device/reduce/groups.hpp>

#include <cstdint>
#include <type_traits>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

/// Combines the k-th elements of `Count` tiles, starting with the `From`-th, as a tree: the results of both halves are
/// combined.
template <int From, int Count, class Elements, class Place>
__device__ inline auto fold_down(const Elements& elements, const typename Elements::tile* tiles, const Place* places,
                                 int k) -> typename Elements::steps::accumulator {
    if constexpr (Count == 1) {
        return elements.mapped(tiles[From], places[From], k);
    } else {
        constexpr int half = Count / 2;
        return Elements::steps::combine(fold_down<From, half>(elements, tiles, places, k),
                                        fold_down<From + half, Count - half>(elements, tiles, places, k));
    }
}

/// Columns whose elements lie along one axis: finds the places of elements by their numbers.
struct linear_columns {
    using place = column_place;

    template <int Count> __device__ void find(std::uint32_t first, std::uint32_t step, place (&places)[Count]) const {
        FOLDWISE_UNROLLED
        for (int i = 0; i < Count; ++i) places[i] = {first + static_cast<std::uint32_t>(i) * step};
    }
};

/// Reduces the last elements, fewer than 2 * `Count`, by groups of as many as powers of two, all of which are loaded
/// before any is waited for. Returns whether there are any. What accumulators hold besides elements, such as their
/// number, is a constant in each group, by which dividing is cheap.
template <int Count, class Elements, class Rows, class Accumulators>
__device__ inline bool fold_rest(const Elements& elements, const Rows& rows, std::uint32_t begin, std::uint32_t step,
                                 int left, Accumulators& all) {
    constexpr int width = Elements::width;
    const bool is_some = (left & Count) != 0;
    typename Elements::tile tiles[Count];
    typename Rows::place places[Count];
    if (is_some) {
        rows.find(begin, step, places);
        elements.load(places, tiles, Count);
        begin += Count * step;
    }
    bool is_more = false;
    if constexpr (Count > 1) is_more = fold_rest<Count / 2>(elements, rows, begin, step, left, all);
    if (is_some) {
        FOLDWISE_UNROLLED
        for (int k = 0; k < width; ++k) {
            const auto some = fold_down<0, Count>(elements, tiles, places, k);
            all[k] = is_more ? Elements::steps::combine(some, all[k]) : some;
        }
    }
    return is_some || is_more;
}

/// Reduces one thread's share of its columns: `left` elements, at least one, numbered begin, begin + step, ..., of
/// which `loads` are in flight at once.
template <int loads, class Elements, class Rows, class Accumulators>
__device__ inline void fold_down(const Elements& elements, const Rows& rows, std::uint32_t begin, std::uint32_t step,
                                 int left, Accumulators& all) {
    using tile = typename Elements::tile;
    using steps = typename Elements::steps;
    using place = typename Rows::place;
    constexpr int width = Elements::width;
    bool is_some = false;
    FOLDWISE_NOT_UNROLLED
    while (left >= loads) {
        Accumulators sums;
        FOLDWISE_NOT_UNROLLED
        for (int link = 0; link < chain && left >= loads; link += loads) {
            tile tiles[loads];
            place places[loads];
            rows.find(begin, step, places);
            elements.load(places, tiles, loads);
            FOLDWISE_UNROLLED
            for (int k = 0; k < width; ++k) {
                const auto some = fold_down<0, loads>(elements, tiles, places, k);
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
    Accumulators rest;
    // Several numbers are often expensive to combine. Several axes are expensive to find places along.
    if constexpr (sizeof(typename steps::accumulator) > 8 && std::is_same_v<Rows, linear_columns>) {
        fold_rest<loads / 2>(elements, rows, begin, step, left, rest);
    } else {
        tile tiles[loads - 1];
        place places[loads - 1];
        rows.find(begin, step, places);
        elements.load(places, tiles, left);
        FOLDWISE_UNROLLED
        for (int i = 0; i < loads - 1; ++i) {
            if (i >= left) break;
            FOLDWISE_UNROLLED
            for (int k = 0; k < width; ++k) {
                const auto one = elements.mapped(tiles[i], places[i], k);
                rest[k] = i > 0 ? steps::combine(rest[k], one) : one;
            }
        }
    }
    FOLDWISE_UNROLLED
    for (int k = 0; k < width; ++k) all[k] = is_some ? steps::combine(all[k], rest[k]) : rest[k];
}

/// Reduces one thread's share of a column whose elements lie along several axes. Places take most of the code, so those
/// of the last elements are computed by the loop's: behind the last one, a thread loads it again, which is not used.
template <int loads, class Elements, class Accumulators>
__device__ inline void fold_down(const Elements& elements, const strided_rows<Elements>& rows, std::uint32_t begin,
                                 std::uint32_t step, int left, Accumulators& all) {
    using steps = typename Elements::steps;
    static_assert(Elements::width == 1);
    const std::uint32_t last = begin + static_cast<std::uint32_t>(left - 1) * step;
    typename Elements::tile tiles[loads];
    strided_place<Elements::operands> places[loads];
    Accumulators sums;
    int link = 0;
    bool is_some = false;
    FOLDWISE_NOT_UNROLLED
    for (;;) {
        std::uint32_t numbers[loads];
        FOLDWISE_UNROLLED
        for (int i = 0; i < loads; ++i) {
            const std::uint32_t own = begin + static_cast<std::uint32_t>(i) * step;
            numbers[i] = own < last ? own : last;
        }
        find_places<Elements>(rows.folded, rows.strides, numbers, places);
        elements.load(places, tiles, loads);
        if (left < loads) break;
        const auto some = fold_down<0, loads>(elements, tiles, places, 0);
        sums[0] = link == 0 ? some : steps::combine(sums[0], some);
        begin += loads * step;
        left -= loads;
        link += loads;
        if (link < chain && left > 0) continue;
        all[0] = is_some ? steps::combine(all[0], sums[0]) : sums[0];
        if (left == 0) return;
        is_some = true;
        link = 0;
    }
    if (link > 0) {
        all[0] = is_some ? steps::combine(all[0], sums[0]) : sums[0];
        is_some = true;
    }
    auto rest = elements.mapped(tiles[0], places[0], 0);
    FOLDWISE_UNROLLED
    for (int i = 1; i < loads - 1; ++i) {
        if (i >= left) break;
        rest = steps::combine(rest, elements.mapped(tiles[i], places[i], 0));
    }
    all[0] = is_some ? steps::combine(all[0], rest) : rest;
}

/// Each thread reduces neighbouring columns; several threads of a block can share the same ones.
template <int Threads, class Elements, class Steps>
requires is_reduced_by<Elements, reducer::columns> __device__ inline void
fold(Elements elements, const operand_strides<Elements::operands>& strides,
     const reduce_range<Elements::instance>& range, const reduce_target<Steps>& target) {
    using accumulator = typename Steps::accumulator;
    constexpr int width = Elements::width, operands = Elements::operands;
    const unsigned int across = range.across.divisor, down = range.down.divisor;
    unsigned int y = threadIdx.x;
    const unsigned int x = range.across.split(y);
    const std::uint32_t vector = blockIdx.x * across + x;
    const std::uint32_t begin = blockIdx.y * range.share, rest = range.folded.count - begin;
    const std::uint32_t share = rest < range.share ? rest : range.share;
    // The number of threads that share the same columns and have elements.
    unsigned int filled = share < down ? share : down;
    const std::uint32_t chunk = range.down.quotient(range.share + down - 1);
    if constexpr (!Steps::commutes) filled = share == 0 ? 0 : (share + chunk - 1) / chunk;

    std::uint32_t kept = vector;
    const std::int64_t first_column = std::int64_t{range.vectors_per_row.split(kept)} * width;
    strided_place<operands> ahead;
    FOLDWISE_UNROLLED
    for (int operand = 0; operand < operands; ++operand)
        ahead.offsets[operand] = first_column * strides.of[operand].column;
    add_row(range.rows, strides, kept, ahead);
    elements.enter(ahead);
    if constexpr (Elements::takes_index) elements.space.refer(0);
    const std::uint32_t first_row = Steps::commutes ? y : y * chunk, step = Steps::commutes ? down : 1;
    const std::uint32_t left = Steps::commutes             ? range.down.quotient(share + down - 1 - y)
                               : share - first_row < chunk ? share - first_row
                                                           : chunk;
    pack<accumulator, width> mine;
    wait_for_previous_kernel();
    if (vector < range.vectors && y < filled) {
        constexpr int loads = loads_of<Elements>;
        bool has_one_axis = true;
        if constexpr (has_several_axes(Elements::instance)) {
            if (range.folded.rank > 1) {
                // Half as many, because each place is a 64-bit offset in every operand.
                const strided_rows<Elements> rows = {range.folded, strides};
                fold_down<loads / 2>(elements, rows, begin + first_row, step, static_cast<int>(left), mine);
                has_one_axis = false;
            }
        }
        if (has_one_axis)
            fold_down<loads>(elements, linear_columns{}, begin + first_row, step, static_cast<int>(left), mine);
    }
    const auto offset_of = [&](std::uint32_t at, unsigned int k) {
        const std::int64_t first = std::int64_t{range.vectors_per_row.split(at)} * width;
        return offset_along(range.rows, at, target.place.rows) + (first + k) * target.place.column;
    };
    if (down == 1) {
        if (vector >= range.vectors || y > 0) return;
        const std::int64_t offset = offset_of(vector, 0);
        pack<accumulator, width> whole;
        FOLDWISE_UNROLLED
        for (int k = 0; k < width; ++k)
            whole[k] = target.whole(filled > 0 ? partial<Steps>(mine[k]) : partial<Steps>());
        if (target.place.is_wide) {
            pack<typename Steps::result, width> results;
            FOLDWISE_UNROLLED
            for (int k = 0; k < width; ++k) results[k] = Steps::finish(whole[k]);
            return device_code::store(target.out() + offset, results);
        }
        FOLDWISE_UNROLLED
        for (int k = 0; k < width; ++k)
            target.store(target.place.out, target.place.is_partial, offset + k * target.place.column, whole[k]);
        return;
    }

    const unsigned int columns = across * width;
    const auto memory = column_memory<Threads, width, accumulator>::shared();
    fold_columns_of_block<Threads, width, Steps>(mine, range.across, x, y, filled, memory);
    const bool is_shared = range.blocks > 1;
    // Columns whose results are in shared memory.
    const unsigned int together = is_shared ? range.together.divisor : columns;
    // The partial results of a block's columns are stored in the order of its columns, for each block.
    accumulator* const parts = target.column_parts() + std::size_t{blockIdx.x} * range.blocks * columns;
    if (is_shared) {
        FOLDWISE_NOT_UNROLLED
        for (unsigned int i = threadIdx.x; i < columns; i += blockDim.x) parts[blockIdx.y * columns + i] = memory[i];
        if (!is_last_block(target.place.counters + blockIdx.x, range.blocks)) return;
    }
    FOLDWISE_NOT_UNROLLED
    for (unsigned int first = 0; first < columns; first += together) {
        if (is_shared) {
            // As many threads per column as there are.
            const unsigned int rows = range.together.quotient(blockDim.x), each = (range.blocks + rows - 1) / rows;
            std::uint32_t row = threadIdx.x;
            const unsigned int column = range.together.split(row);
            const unsigned int number = first + column < columns ? first + column : columns - 1;
            const unsigned int from = row * each, to = from + each < range.blocks ? from + each : range.blocks;
            pack<accumulator, 1> one;
            constexpr unsigned int in_flight = sizeof(accumulator) <= 8 ? 8 : 4;
            if (from < range.blocks)
                one[0] = fold_apart<Steps, in_flight>(parts + from * columns + number, columns, to - from);
            if (first > 0) __syncthreads();  // the next columns reuse the memory
            fold_columns_of_block<Threads, 1, Steps>(one, range.together, column, row, (range.blocks + each - 1) / each,
                                                     column_memory<Threads, 1, accumulator>{memory.parts});
        }
        FOLDWISE_NOT_UNROLLED
        for (unsigned int i = threadIdx.x; i < together; i += blockDim.x) {
            const unsigned int number = first + i;
            if (number >= columns) break;
            const std::uint32_t at = blockIdx.x * across + number / width;
            const accumulator& folded = is_shared ? memory.parts[i] : memory[i];
            if (at < range.vectors) target.store(offset_of(at, number % width), partial<Steps>(folded));
        }
    }
}

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
