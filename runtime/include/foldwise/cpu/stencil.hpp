// foldwise/cpu/stencil.hpp: how emitted stencil kernels compute their elements on a CPU thread.
#pragma once

#include <foldwise/cpu/kernel.hpp>  // first: it sets what the rest is compiled for
#include <foldwise/cpu/operands.hpp>
#include <foldwise/cpu/whole_array.hpp>
#include <foldwise/detail/stencil_kernel.hpp>
#include <foldwise/detail/stencil_window.hpp>
#include <foldwise/spec/around.hpp>

#include <cstdint>

// Precedes a loop over a row whose neighbours are found in tables. Clang cannot vectorise some of these, and warns if
// it was told to.
#ifdef __clang__
#define FOLDWISE_CPU_MAPPED_SIMD
#else
#define FOLDWISE_CPU_MAPPED_SIMD FOLDWISE_CPU_SIMD
#endif

namespace foldwise::cpu {

using detail::edge_kind;

/// Elements that are neighbours along the last axis. `Reach` has two numbers for each axis: how far the lambda looks
/// before and behind an element.
template <edge_kind Edge, std::int64_t... Reach> struct stencil_row {
    using window = detail::stencil_window<Reach...>;
    static constexpr int rank = window::rank;
    static constexpr edge_kind edge = Edge;
    std::int64_t first[rank];  ///< The first element of the row; its last coordinate is zero.
    std::int64_t extents[rank];
    /// For each offset from the element that was mapped last, the coordinate that the edge gives.
    std::int64_t tables[rank][window::table_size];

    FOLDWISE_CPU_INTO_KERNEL void map(int axis, std::int64_t at) {
        if constexpr (window::has_tables)
            for (std::int64_t i = 0; i <= window::reach(axis, 0) + window::reach(axis, 1); ++i)
                tables[axis][i] = detail::inside_of(Edge, at - window::reach(axis, 0) + i, extents[axis]);
    }
};

/// An element of a row, and how the lambda looks around from there: along the last axis its window may leave the arrays
/// if it `IsAtEnd`, and along the others if it `IsMapped`. If `IsDense`, neighbours along the last axis are neighbours
/// in memory, too.
template <class Row, bool IsDense, bool IsMapped, bool IsAtEnd> struct stencil_position {
    using row_type = Row;
    static constexpr bool is_dense = IsDense, is_mapped = IsMapped;
    const Row& row;
    std::int64_t column;

    FOLDWISE_CPU_INTO_KERNEL const std::int64_t* places(int axis) const {
        const bool has_place = Row::window::has_tables && (axis == Row::rank - 1 ? IsAtEnd : IsMapped);
        return has_place ? row.tables[axis] + Row::window::reach(axis, 0) : nullptr;
    }
};

/// An operand with an element for each that is computed.
template <class T, int N> class stencil_elements {
  public:
    FOLDWISE_CPU_INTO_KERNEL stencil_elements(const detail::stencil_call& call, int operand)
        : data_(static_cast<T*>(call.arguments[operand].data)), is_value_(call.arguments[operand].is_value) {
        for (int axis = 0; axis < N; ++axis) strides_[axis] = is_value_ ? 0 : call.arguments[operand].strides[axis];
    }

    FOLDWISE_CPU_INTO_KERNEL bool is_dense() const { return strides_[N - 1] == 1; }

    template <class At> FOLDWISE_CPU_INTO_KERNEL T& operator[](const At& at) const {
        return first(at.row)[at.column * strides_[N - 1]];
    }

  protected:
    template <class Row> FOLDWISE_CPU_INTO_KERNEL T* first(const Row& row) const {
        std::int64_t offset = 0;
        detail::each_axis<N - 1>([&](int axis) { offset += row.first[axis] * strides_[axis]; });
        return data_ + offset;
    }

    T* data_;
    bool is_value_;
    std::int64_t strides_[N];
};

/// An output.
template <class T, int N> struct stencil_results : stencil_elements<T, N> {
    using stencil_elements<T, N>::stencil_elements;

    template <class At> FOLDWISE_CPU_INTO_KERNEL T& operator[](const At& at) const {
        return this->first(at.row)[at.column * (At::is_dense ? 1 : this->strides_[N - 1])];
    }
};

/// An array that the lambda looks around in.
template <class T, int N> struct stencil_around : stencil_elements<const T, N> {
    using stencil_elements<const T, N>::stencil_elements;

    /// Returns what is around an element; `beyond` is what is beyond constant edges.
    template <class At>
    FOLDWISE_CPU_INTO_KERNEL foldwise::around<const T, N> operator()(const At& at, const T* beyond = nullptr) const {
        using row_type = typename At::row_type;
        constexpr edge_kind edge = At::is_mapped && !row_type::window::has_tables ? row_type::edge : edge_kind::none;
        std::int64_t from[N], strides[N], reach[N][2];
        const std::int64_t* places[N];
        detail::each_axis<N>([&](int axis) {
            const bool is_last = axis == N - 1;
            reach[axis][0] = row_type::window::reach(axis, 0);
            reach[axis][1] = row_type::window::reach(axis, 1);
            places[axis] = at.places(axis);
            from[axis] = is_last ? at.column : At::is_mapped ? at.row.first[axis] : 0;
            strides[axis] = At::is_dense && is_last ? 1 : this->strides_[axis];
        });
        const T* const base = At::is_mapped ? this->data_ : this->first(at.row);
        return {base, from, at.row.extents, strides, edge, beyond, reach, places};
    }
    template <class At>
    FOLDWISE_CPU_INTO_KERNEL foldwise::around<const T, N> operator()(const At& at, const T& beyond) const {
        return (*this)(at, &beyond);
    }
};

/// Calls compute(at) for the elements [from, until) of a row, whose windows are inside the arrays along the last axis.
template <bool IsDense, bool IsMapped, class Row, class Compute>
FOLDWISE_CPU_INTO_KERNEL void each_inside(const Row& row, std::int64_t from, std::int64_t until,
                                          const Compute& compute) {
    // A function of its own, so that its temporaries do not prevent vectorisation.
    const auto compute_one = [&](std::int64_t i) __attribute__((always_inline)) {
        compute(stencil_position<Row, IsDense, IsMapped, false>{row, i});
    };
    if constexpr (IsMapped) {
        FOLDWISE_CPU_MAPPED_SIMD
        for (std::int64_t i = from; i < until; ++i) compute_one(i);
    } else {
        FOLDWISE_CPU_SIMD
        for (std::int64_t i = from; i < until; ++i) compute_one(i);
    }
}

/// Calls compute(at) for the elements [begin, end), one row after the other. Elements whose windows are inside the
/// arrays along the last axis are loops of their own, without tests. Where the edge is none, those whose windows are
/// not inside are left out.
///
/// Everything that calls compute() is a copy of the lambda, in each of the versions that a kernel is compiled in, so
/// there are few: one for the ends of all rows, and one for each kind of loop.
template <edge_kind Edge, std::int64_t... Reach, class Compute>
FOLDWISE_CPU_INTO_KERNEL void each_element(const detail::stencil_call& call, std::int64_t begin, std::int64_t end,
                                           bool is_dense, const Compute& compute) {
    using row_type = stencil_row<Edge, Reach...>;
    using window = typename row_type::window;
    constexpr int last = row_type::rank - 1;
    constexpr bool has_edge = Edge != edge_kind::none;
    row_type row;
    for (int axis = 0; axis <= last; ++axis) row.extents[axis] = call.extents[axis];
    const std::int64_t columns = row.extents[last];
    std::int64_t column = begin % columns, rest = begin / columns;
    row.first[last] = 0;
    for (int axis = last - 1; axis >= 0; --axis) {
        row.first[axis] = rest % row.extents[axis];
        rest /= row.extents[axis];
    }
    for (std::int64_t at = begin; at < end; column = 0) {
        const std::int64_t stop = columns - column < end - at ? columns : column + (end - at);
        at += stop - column;
        bool is_inside = true;
        for (int axis = 0; axis < last; ++axis)
            is_inside = is_inside && row.first[axis] >= window::reach(axis, 0) &&
                        row.first[axis] + window::reach(axis, 1) < row.extents[axis];
        // Where neither the row is inside nor its elements are neighbours in memory, a loop of their own gains nothing.
        const bool has_inside = is_inside || (has_edge && is_dense);
        const auto within = [&](std::int64_t place) { return place < column ? column : place > stop ? stop : place; };
        const std::int64_t from = within(window::reach(last, 0)), behind = within(columns - window::reach(last, 1)),
                           until = has_inside && behind > from ? behind : from;
        const auto compute_inside = [&]() __attribute__((always_inline)) {
            if (!is_inside) {
                if constexpr (has_edge) each_inside<true, true>(row, from, until, compute);
            } else if (is_dense) {
                each_inside<true, false>(row, from, until, compute);
            } else {
                each_inside<false, false>(row, from, until, compute);
            }
        };
        if constexpr (has_edge) {
            for (int axis = 0; axis < last; ++axis) row.map(axis, row.first[axis]);
            // In the order of memory: what the last elements look at has then been read for those before them.
            for (std::int64_t i = column; i < stop;) {
                if (i == from && from < until) {
                    compute_inside();
                    i = until;
                } else {
                    row.map(last, i);
                    compute(stencil_position<row_type, false, true, true>{row, i});
                    ++i;
                }
            }
        } else {
            compute_inside();
        }
        for (int axis = last - 1; axis >= 0; --axis) {
            if (++row.first[axis] < row.extents[axis]) break;
            row.first[axis] = 0;
        }
    }
}

}  // namespace foldwise::cpu
