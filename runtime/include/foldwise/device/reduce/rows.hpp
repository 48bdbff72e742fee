// foldwise/device/reduce/rows.hpp: where the elements of a row lie, and how the tiles that a thread has loaded are
// combined.
#pragma once

#include <foldwise/device/reduce/operands.hpp>
#include <foldwise/device/strided.hpp>

#include <cstdint>
#include <type_traits>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

/// Finds the places of elements that are counted along several axes: their offsets in all operands.
template <class Elements, int Count>
__device__ inline void find_places(const detail::strided_range& folded,
                                   const operand_strides<Elements::operands>& strides, std::uint32_t (&numbers)[Count],
                                   strided_place<Elements::operands> (&places)[Count]) {
    FOLDWISE_UNROLLED
    for (int i = 0; i < Count; ++i) places[i] = {};
    walk_axes<2>(folded, numbers, [&](int axis, int i, std::uint32_t coordinate) {
        FOLDWISE_UNROLLED
        for (int operand = 0; operand < Elements::operands; ++operand)
            places[i].offsets[operand] += coordinate * strides.of[operand].folded(axis);
    });
}

/// Adds the offsets of one of a row's lines, which are numbered along the folded axes beyond the innermost `inner`.
template <int Operands>
__device__ inline void add_line(const detail::strided_range& lines, int inner, const operand_strides<Operands>& strides,
                                std::uint32_t line, strided_place<Operands>& at) {
    std::uint32_t numbers[] = {line};
    walk_axes(lines, numbers, [&](int axis, int, std::uint32_t coordinate) {
        FOLDWISE_UNROLLED
        for (int operand = 0; operand < Operands; ++operand)
            at.offsets[operand] += coordinate * strides.of[operand].folded(axis + inner);
    });
}

/// Adds the offsets of a row's beginning in all operands.
template <int Operands>
__device__ inline void add_row(const detail::strided_range& rows, const operand_strides<Operands>& strides,
                               std::uint32_t row, strided_place<Operands>& at) {
    std::uint32_t numbers[] = {row};
    walk_axes(rows, numbers, [&](int axis, int, std::uint32_t coordinate) {
        FOLDWISE_UNROLLED
        for (int operand = 0; operand < Operands; ++operand)
            at.offsets[operand] += coordinate * strides.of[operand].rows(axis);
    });
}

/// Combines `Count` elements of a tile, starting with the `From`-th, as a tree: the results of both halves are
/// combined.
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
/// Combines all elements of a tile as a tree.
template <class Elements, class Place>
__device__ inline auto fold_tile(const Elements& elements, const typename Elements::tile& loaded, const Place& at) {
    constexpr bool has_neighbours =
        std::is_same_v<Place, linear_place> || std::is_same_v<Place, lane_place<Elements::operands>>;
    if constexpr (Elements::takes_index && Elements::width > 1 && has_neighbours)
        if (elements.space.has_one_axis())
            return fold_tile<0, Elements::width>(elements, loaded, elements.space.known(at));
    return fold_tile<0, Elements::width>(elements, loaded, at);
}

/// Combines `Count` tiles, which begin at these places, as a tree.
template <int From, int Count, class Elements, class Place>
__device__ inline auto fold_all(const Elements& elements, const typename Elements::tile* tiles, const Place* places) ->
    typename Elements::steps::accumulator {
    if constexpr (Count == 1) {
        return fold_tile(elements, tiles[From], places[From]);
    } else {
        constexpr int half = Count / 2;
        return Elements::steps::combine(fold_all<From, half>(elements, tiles, places),
                                        fold_all<From + half, Count - half>(elements, tiles, places));
    }
}

/// Rows whose elements have equal distances: finds the places of tiles by the numbers of their elements.
template <class Elements> struct linear_rows {
    using place = linear_place;

    template <int Count> __device__ void find(std::int64_t first, std::int64_t step, place (&places)[Count]) const {
        FOLDWISE_UNROLLED
        for (int i = 0; i < Count; ++i) places[i] = {first + i * step};
    }
};

/// Rows that extend along several axes: finds the places of tiles by the numbers of their elements.
template <class Elements> struct strided_rows {
    using place = strided_place<Elements::operands>;

    const detail::strided_range& folded;
    const operand_strides<Elements::operands>& strides;

    template <int Count> __device__ void find(std::int64_t first, std::int64_t step, place (&places)[Count]) const {
        std::uint32_t numbers[Count];
        FOLDWISE_UNROLLED
        for (int i = 0; i < Count; ++i) numbers[i] = static_cast<std::uint32_t>(first + i * step);
        find_places<Elements>(folded, strides, numbers, places);
    }
};

/// The range of a row's elements, by number.
struct row_bounds {
    std::int64_t first, end;
};

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
