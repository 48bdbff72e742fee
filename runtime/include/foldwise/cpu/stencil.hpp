// foldwise/cpu/stencil.hpp: how emitted stencil kernels compute their elements on a CPU thread.
#pragma once

#include <foldwise/cpu/kernel.hpp>  // first: it sets what the rest is compiled for
#include <foldwise/cpu/whole_array.hpp>
#include <foldwise/detail/stencil_kernel.hpp>
#include <foldwise/spec/around.hpp>

#include <cstdint>

// Into the kernels, so that they are compiled for what those are and keep what they compute in registers: the functions
// themselves, and all that they call, the user's code among it.
#define FOLDWISE_CPU_INTO_KERNEL __attribute__((always_inline)) inline
#define FOLDWISE_CPU_FLAT __attribute__((always_inline, flatten))

namespace foldwise::cpu {

using detail::edge_kind;

/// An element of a row, and how the lambda looks around from there: with `none`, its window is inside the arrays.
template <class Row, edge_kind Edge> struct stencil_position {
    const Row& row;
    std::int64_t column;
};

/// Elements that are neighbours along the last axis. If `IsDense`, they are neighbours in memory, too.
/// `Reach` has two numbers for each axis: how far the lambda looks before and behind an element.
template <bool IsDense, std::int64_t... Reach> struct stencil_row {
    static constexpr int rank = sizeof...(Reach) / 2;
    static constexpr bool is_dense = IsDense;
    std::int64_t first[rank];  ///< The first element of the row; its last coordinate is zero.
    std::int64_t extents[rank];

    FOLDWISE_CPU_INTO_KERNEL void copy_reach(std::int64_t (&to)[rank][2]) const {
        constexpr std::int64_t reach[] = {Reach...};
        detail::each_axis<2 * rank>([&](int i) { to[i / 2][i % 2] = reach[i]; });
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

    template <class Row, edge_kind Edge>
    FOLDWISE_CPU_INTO_KERNEL T& operator[](const stencil_position<Row, Edge>& at) const {
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

    template <class Row, edge_kind Edge>
    FOLDWISE_CPU_INTO_KERNEL T& operator[](const stencil_position<Row, Edge>& at) const {
        return this->first(at.row)[at.column * (Row::is_dense ? 1 : this->strides_[N - 1])];
    }
};

/// An array that the lambda looks around in.
template <class T, int N> struct stencil_around : stencil_elements<const T, N> {
    using stencil_elements<const T, N>::stencil_elements;

    /// Returns what is around an element; `beyond` is what is beyond constant edges.
    template <class Row, edge_kind Edge>
    FOLDWISE_CPU_INTO_KERNEL foldwise::around<const T, N> operator()(const stencil_position<Row, Edge>& at,
                                                                     const T* beyond = nullptr) const {
        std::int64_t from[N], strides[N], reach[N][2];
        at.row.copy_reach(reach);
        detail::each_axis<N>([&](int axis) {
            const bool is_last = axis == N - 1;
            from[axis] = is_last ? at.column : Edge == edge_kind::none ? 0 : at.row.first[axis];
            strides[axis] = Row::is_dense && is_last ? 1 : this->strides_[axis];
        });
        const T* const base = Edge == edge_kind::none ? this->first(at.row) : this->data_;
        return {base, from, at.row.extents, strides, Edge, beyond, reach};
    }
    template <class Row, edge_kind Edge>
    FOLDWISE_CPU_INTO_KERNEL foldwise::around<const T, N> operator()(const stencil_position<Row, Edge>& at,
                                                                     const T& beyond) const {
        return (*this)(at, &beyond);
    }
};

/// Calls compute(at) for the elements [begin, end), in row-major order. Those whose windows are inside the arrays are
/// one loop of each row, without tests. Where `Edge` is none, the others are left out.
template <edge_kind Edge, bool IsDense, std::int64_t... Reach, class Compute>
FOLDWISE_CPU_INTO_KERNEL void each_element(const detail::stencil_call& call, std::int64_t begin, std::int64_t end,
                                           const Compute& compute) {
    using row_type = stencil_row<IsDense, Reach...>;
    constexpr int last = row_type::rank - 1;
    constexpr std::int64_t reach[] = {Reach...};
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
            is_inside = is_inside && row.first[axis] >= reach[2 * axis] &&
                        row.first[axis] + reach[2 * axis + 1] < row.extents[axis];
        const auto within = [&](std::int64_t place) { return place < column ? column : place > stop ? stop : place; };
        const std::int64_t from = is_inside ? within(reach[2 * last]) : stop;
        const std::int64_t until = is_inside ? within(columns - reach[2 * last + 1]) : stop;
        const auto compute_edge = [&](std::int64_t i, std::int64_t before) {
            if constexpr (Edge != edge_kind::none)
                for (; i < before; ++i) compute(stencil_position<row_type, Edge>{row, i});
        };
        // A function of its own, so that its temporaries do not prevent vectorisation.
        const auto compute_inside = [&](std::int64_t i) {
            compute(stencil_position<row_type, edge_kind::none>{row, i});
        };
        if (until <= from) {
            compute_edge(column, stop);
        } else {
            compute_edge(column, from);
            FOLDWISE_CPU_SIMD
            for (std::int64_t i = from; i < until; ++i) compute_inside(i);
            compute_edge(until, stop);
        }
        for (int axis = last - 1; axis >= 0; --axis) {
            if (++row.first[axis] < row.extents[axis]) break;
            row.first[axis] = 0;
        }
    }
}

}  // namespace foldwise::cpu
