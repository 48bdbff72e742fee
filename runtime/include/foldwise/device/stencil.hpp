// foldwise/device/stencil.hpp: assigns elements to threads, and gives stencil kernels what is around them.
#pragma once

#include <foldwise/detail/stencil_code.hpp>
#include <foldwise/device/launch.hpp>
#include <foldwise/device/pack.hpp>
#include <foldwise/device/platform.hpp>
#include <foldwise/device/view_parameter.hpp>
#include <foldwise/spec/around.hpp>

#include <cstdint>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

using detail::edge_kind;
using detail::stencil_grid;
using detail::stencil_layout;

/// An element of a lane, and how the lambda looks around from there: with `none`, its window is inside the arrays.
template <class Lane, edge_kind Edge> struct stencil_position {
    const Lane& lane;
    int number;  ///< Among the lane's elements.

    /// Returns how far the element is from the lane's first one along an axis.
    __device__ std::int64_t ahead(int axis) const { return axis == Lane::marched ? number * Lane::step : 0; }
};

/// The elements of one thread: `Count` of them, one behind the other along the marched axis, so that what is around one
/// and around the next is loaded once. Along a single axis they are a block apart, because threads that are neighbours
/// load neighbours. `Reach` has two numbers for each axis: how far the lambda looks before and behind an element. Where
/// `Edge` is none, elements whose window leaves the arrays are left out.
template <int Threads, int Count, edge_kind Edge, std::int64_t... Reach> class stencil_lane {
  public:
    static constexpr int rank = sizeof...(Reach) / 2, count = Count, marched = detail::marched_axis(rank);
    static constexpr std::int64_t step = rank == 1 ? Threads : 1;

    __device__ explicit stencil_lane(const stencil_grid<rank>& grid) : extents_(grid.extents) {
        const int log2 = grid.columns_log2, column = static_cast<int>(threadIdx.x) & ((1 << log2) - 1),
                  row = static_cast<int>(threadIdx.x) >> log2;
        std::uint32_t rest = blockIdx.x;
        FOLDWISE_UNROLLED
        for (int axis = rank - 1; axis >= 0; --axis) {
            const std::int64_t tile = axis > 0 ? grid.tiles[axis].split(rest) : rest;
            std::int64_t& first = first_[axis];
            if (rank == 1) {
                first = tile * (Threads * Count) + threadIdx.x;
            } else if (axis == rank - 1) {
                first = (tile << log2) + column;
            } else {
                first = axis == rank - 2 ? tile * (Threads >> log2) + row : tile;
                if (axis == marched) first *= Count;
            }
        }
    }

    /// Returns whether the windows of all elements are inside the arrays.
    __device__ bool is_inside() const { return window_fits(0, (Count - 1) * step); }

    /// Returns whether an element is one to compute.
    __device__ bool has(int number) const {
        if constexpr (Edge == edge_kind::none) return window_fits(number * step, number * step);
        bool is_there = true;
        for (int axis = 0; axis < rank; ++axis)
            is_there = is_there && first_[axis] + (axis == marched ? number * step : 0) < extents_[axis];
        return is_there;
    }

    __device__ stencil_position<stencil_lane, edge_kind::none> inside(int number) const { return {*this, number}; }
    __device__ stencil_position<stencil_lane, Edge> at_edge(int number) const { return {*this, number}; }

    __device__ std::int64_t first(int axis) const { return first_[axis]; }
    __device__ const std::int64_t (&extents() const)[rank] { return extents_; }

    static __device__ void copy_reach(std::int64_t (&to)[rank][2]) {
        constexpr std::int64_t reach[] = {Reach...};
        for (int i = 0; i < 2 * rank; ++i) to[i / 2][i % 2] = reach[i];
    }

  private:
    /// Whether windows are inside the arrays whose elements are `least` to `most` ahead of the first.
    __device__ bool window_fits(std::int64_t least, std::int64_t most) const {
        std::int64_t reach[rank][2];
        copy_reach(reach);
        bool fits = true;
        for (int axis = 0; axis < rank; ++axis) {
            const bool moves = axis == marched;
            fits = fits && first_[axis] + (moves ? least : 0) >= reach[axis][0] &&
                   first_[axis] + (moves ? most : 0) + reach[axis][1] < extents_[axis];
        }
        return fits;
    }

    std::int64_t first_[rank];
    const std::int64_t (&extents_)[rank];
};

/// Where an operand's elements are. Along the last axis of `rows` they are neighbours.
template <class T, int N, stencil_layout Layout> struct stencil_elements {
    detail::stencil_place<N> place;

    __device__ std::int64_t stride(int axis) const {
        return Layout == stencil_layout::rows && axis == N - 1 ? 1 : place.strides[axis];
    }

    /// Returns the address of the first element of a lane.
    template <class Lane> __device__ T* first(const Lane& lane) const {
        T* address = static_cast<T*>(place.data);
        FOLDWISE_UNROLLED
        for (int axis = 0; axis < N; ++axis) address += lane.first(axis) * stride(axis);
        return address;
    }

    template <class Lane, edge_kind Edge> __device__ T& operator[](const stencil_position<Lane, Edge>& at) const {
        return first(at.lane)[at.ahead(Lane::marched) * stride(Lane::marched)];
    }
};

/// An array that the lambda looks around in, as a kernel's parameter.
template <class T, int N, stencil_layout Layout> struct around_parameter : stencil_elements<const T, N, Layout> {
    /// Returns what is around an element; `beyond` is what is beyond constant edges.
    template <class Lane, edge_kind Edge>
    __device__ foldwise::around<const T, N> operator()(const stencil_position<Lane, Edge>& at,
                                                       const T* beyond = nullptr) const {
        std::int64_t from[N], strides[N], reach[N][2];
        Lane::copy_reach(reach);
        FOLDWISE_UNROLLED
        for (int axis = 0; axis < N; ++axis) {
            from[axis] = at.ahead(axis) + (Edge == edge_kind::none ? 0 : at.lane.first(axis));
            strides[axis] = this->stride(axis);
        }
        const T* const base = Edge == edge_kind::none ? this->first(at.lane) : static_cast<const T*>(this->place.data);
        return {base, from, at.lane.extents(), strides, Edge, beyond, reach};
    }
    template <class Lane, edge_kind Edge>
    __device__ foldwise::around<const T, N> operator()(const stencil_position<Lane, Edge>& at, const T& beyond) const {
        return (*this)(at, &beyond);
    }
};

/// Values that broadcast: one for each element, or one for all of them.
template <class T, int N> struct stencil_values : stencil_elements<const T, N, stencil_layout::strided> {
    T value;

    template <class Lane, edge_kind Edge> __device__ const T& operator[](const stencil_position<Lane, Edge>& at) const {
        return this->place.data ? stencil_elements<const T, N, stencil_layout::strided>::operator[](at) : value;
    }
};

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
