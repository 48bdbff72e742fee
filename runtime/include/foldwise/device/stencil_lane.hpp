// foldwise/device/stencil_lane.hpp: assigns the elements of a stencil kernel to threads.
#pragma once

#include <foldwise/detail/stencil_code.hpp>
#include <foldwise/detail/stencil_window.hpp>
#include <foldwise/device/platform.hpp>
#include <foldwise/spec/around.hpp>

#include <cstdint>
#include <type_traits>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

using detail::edge_kind;
using detail::stencil_grid;
using detail::stencil_layout;

/// Keeps the loads before a call ahead of what is computed after it, where that has branches, such as those of a
/// division: compilers would move loads behind them, to where their values are used, and each part of the loads would
/// be waited for alone. In tiles, which are loaded from shared memory, not all threads of a warp have elements in each
/// step, and those that have none wait for the next step.
template <class Lane> __device__ inline void end_loads() {
#ifndef FOLDWISE_SIMULATOR
    if constexpr (!Lane::has_tile) __syncwarp();
#endif
}

/// Counts elements along an axis, and from one to the next in memory: in the other layouts all such numbers are below
/// 2^30, for which GPUs have registers and multipliers.
template <stencil_layout Layout>
using stencil_number = std::conditional_t<Layout == stencil_layout::strided, std::int64_t, std::int32_t>;

/// The elements of one thread: `Width` neighbours along the last axis, and such a vector `Planes` times. Those lie one
/// behind the other along the marched axis; along a single axis they are a block apart, because threads that are
/// neighbours load neighbours. A thread whose elements would not all be in the arrays has those before them, which are
/// then computed twice, by the same operations; along these two axes the arrays have as many elements as a thread.
template <class Number, int Threads, int Width, int Planes, int Rank> class stencil_thread {
  public:
    using number = Number;
    static constexpr int rank = Rank, last = Rank - 1, marched = detail::marched_axis(Rank);
    static constexpr int width = Width, planes = Planes, runs = Rank == 1 ? Planes : 1;

    __device__ explicit stencil_thread(const stencil_grid<Rank>& grid) : grid_(grid) {
        const int column = static_cast<int>(threadIdx.x) & ((1 << grid.columns_log2) - 1),
                  others = static_cast<int>(threadIdx.x) >> grid.columns_log2;
        std::uint32_t rest = blockIdx.x;
        FOLDWISE_UNROLLED
        for (int axis = last; axis >= 0; --axis) {
            const auto tile = static_cast<Number>(axis > 0 ? grid.tiles[axis].split(rest) : rest);
            Number& first = first_[axis];
            if (Rank == 1) {
                first = tile * (Threads * Width * Planes) + static_cast<int>(threadIdx.x) * Width;
            } else if (axis == last) {
                first = ((tile << grid.columns_log2) + column) * Width;
            } else if (axis == last - 1) {
                first = Rank == 2 ? tile * (Threads >> grid.columns_log2) + others
                                  : (tile << grid.rows_log2) + (others & ((1 << grid.rows_log2) - 1));
            } else if (axis == last - 2) {
                first = tile * (Threads >> grid.columns_log2 >> grid.rows_log2) + (others >> grid.rows_log2);
            } else {
                first = tile;
            }
            if (Rank > 1 && axis == marched) first *= Planes;
            is_used_ = is_used_ && first < extent(axis);
            if (Rank > 1 && axis == marched && Planes > 1) first = within(first, extent(axis) - Planes);
        }
        FOLDWISE_UNROLLED
        for (int run = 0; run < runs; ++run) {
            columns_[run] = first_[last] + run * Threads * Width;
            if (Rank == 1 && Width * Planes > 1) columns_[run] = within(columns_[run], extent(last) - Width);
        }
    }

    /// A thread whose elements begin at `first`, and along a single axis follow each other `apart` elements apart, none
    /// of them behind `most`.
    __device__ stencil_thread(const stencil_grid<Rank>& grid, const Number (&first)[Rank], int apart, Number most)
        : grid_(grid) {
        FOLDWISE_UNROLLED
        for (int axis = 0; axis < Rank; ++axis) first_[axis] = first[axis];
        FOLDWISE_UNROLLED
        for (int run = 0; run < runs; ++run) columns_[run] = within(first[last] + run * apart, most);
    }

    /// Whether the thread has any element.
    __device__ bool is_used() const { return is_used_; }

    /// Returns a coordinate of one of the thread's elements.
    __device__ Number coordinate(int axis, int plane, int column) const {
        if (axis == last) return columns_[Rank == 1 ? plane : 0] + column;
        return first_[axis] + (axis == marched ? plane : 0);
    }
    /// Returns where that is in the arrays.
    __device__ Number place(int axis, int plane, int column) const { return coordinate(axis, plane, column); }
    __device__ Number extent(int axis) const { return static_cast<Number>(grid_.extents[axis]); }
    __device__ const std::int64_t (&extents() const)[Rank] { return grid_.extents; }

    /// Whether a vector of the thread begins where vectors of the array do. Along a single axis the last one may not.
    __device__ bool is_aligned(int plane) const { return Rank > 1 || coordinate(last, plane, 0) % Width == 0; }

  private:
    static __device__ Number within(Number first, Number most) { return first < most ? first : most; }

    Number first_[Rank], columns_[runs];
    const stencil_grid<Rank>& grid_;
    bool is_used_ = true;
};

/// One of the elements of a thread. With the edge `none`, what is around it is inside the arrays.
template <class Lane, edge_kind Edge = edge_kind::none> struct stencil_position {
    const Lane& lane;
    int plane = 0, column = 0;

    __device__ auto operator[](int axis) const { return lane.place(axis, plane, column); }
};

/// A thread that has what is around its elements in registers. `Reach` has two numbers for each axis: how far the
/// lambda looks before and behind an element. Where `Edge` is none, elements whose window leaves the arrays are left
/// out.
template <class Number, int Threads, int Width, int Planes, edge_kind Edge, std::int64_t... Reach>
class window_lane : public stencil_thread<Number, Threads, Width, Planes, sizeof...(Reach) / 2> {
  public:
    using thread = stencil_thread<Number, Threads, Width, Planes, sizeof...(Reach) / 2>;
    using thread::coordinate, thread::extent, thread::last, thread::marched, thread::rank;
    static constexpr bool has_windows = true, has_tile = false;
    static constexpr edge_kind edge = Edge;

    FOLDWISE_HD static constexpr int reach(int axis, int side) {
        return static_cast<int>(detail::stencil_window<Reach...>::reach(axis, side));
    }
    /// How many coordinates the windows of all of the thread's elements have along an axis; along a single axis, those
    /// of one of its vectors. They are numbered from 0, as `cell`.
    FOLDWISE_HD static constexpr int cells(int axis) {
        return (axis == last ? Width : axis == marched ? Planes : 1) + reach(axis, 0) + reach(axis, 1);
    }

    /// Whether a cell is beside those of the elements themselves, which are inside the arrays.
    FOLDWISE_HD static constexpr bool is_beside(int axis, int cell) {
        return cell < reach(axis, 0) || cell >= cells(axis) - reach(axis, 1);
    }

    using thread::thread;

    /// Whether all cells along an axis are inside the arrays; along a single axis, those of vector `run`.
    __device__ bool is_inside(int axis, int run = 0) const {
        const Number first = coordinate(axis, run, 0) - reach(axis, 0);
        return first >= 0 && first + cells(axis) <= extent(axis);
    }

    /// Whether a cell along an axis is outside of the arrays.
    __device__ bool is_beyond(int axis, int cell, int run = 0) const {
        const Number at = coordinate(axis, run, 0) - reach(axis, 0) + cell;
        return at < 0 || at >= extent(axis);
    }

    /// Returns the coordinate in the arrays that a cell along an axis is read from; -1 if it is beyond constant edges.
    __device__ Number inside_of(int axis, int cell, int run = 0) const {
        // What is around elements that are left out is not looked at.
        constexpr edge_kind mapping = Edge == edge_kind::none ? edge_kind::nearest : Edge;
        return detail::inside_of(mapping, coordinate(axis, run, 0) - reach(axis, 0) + cell, extent(axis));
    }

    /// Whether an element is computed: where `Edge` is none, only if its window is inside the arrays.
    __device__ bool has(int plane, int column) const {
        if constexpr (Edge != edge_kind::none) return true;
        bool fits = true;
        FOLDWISE_UNROLLED
        for (int axis = 0; axis < rank; ++axis) {
            const Number at = coordinate(axis, plane, column);
            fits = fits && at >= reach(axis, 0) && at + reach(axis, 1) < extent(axis);
        }
        return fits;
    }

    /// Whether all elements of the thread are computed. No element is beyond the first and the last along any axis, so
    /// that these two decide.
    __device__ bool has_all() const {
        if constexpr (Edge != edge_kind::none) return true;
        return has(0, 0) && has(Planes - 1, Width - 1);
    }

    /// Calls compute(at), with a stencil_position, for each element that is computed.
    template <class Compute> __device__ void each(const Compute& compute) const {
        if (has_all())
            each_of<true>(compute);
        else if constexpr (Edge == edge_kind::none)
            each_of<false>(compute);
    }

  private:
    template <bool HasAll, class Compute> __device__ void each_of(const Compute& compute) const {
        FOLDWISE_UNROLLED
        for (int plane = 0; plane < Planes; ++plane) {
            FOLDWISE_UNROLLED
            for (int column = 0; column < Width; ++column)
                if (HasAll || has(plane, column)) compute(stencil_position<window_lane>{*this, plane, column});
        }
    }
};

/// A thread of one element that looks around in memory, where offsets are not known while compiling or are many.
template <int Threads, edge_kind Edge, std::int64_t... Reach>
class element_lane : public window_lane<std::int64_t, Threads, 1, 1, Edge, Reach...> {
  public:
    using lane = window_lane<std::int64_t, Threads, 1, 1, Edge, Reach...>;
    static constexpr bool has_windows = false;

    using lane::lane;

    template <class Compute> __device__ void each(const Compute& compute) const {
        bool is_inside = true;
        FOLDWISE_UNROLLED
        for (int axis = 0; axis < lane::rank; ++axis) is_inside = is_inside && lane::is_inside(axis);
        if (is_inside)
            compute(stencil_position<element_lane>{*this});
        else if constexpr (Edge != edge_kind::none)
            compute(stencil_position<element_lane, Edge>{*this});
    }
};

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
