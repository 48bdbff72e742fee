// foldwise/device/forall.hpp: which thread runs which task, and how views reach a kernel.
#pragma once

#include <foldwise/detail/forall_code.hpp>
#include <foldwise/device/launch.hpp>
#include <foldwise/device/platform.hpp>
#include <foldwise/spec/index.hpp>
#include <foldwise/spec/view.hpp>

#include <cstdint>
#include <type_traits>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

using detail::view_layout;

/// A view on its way into a kernel. From extents and strides of 32 bits, products of coordinates are one instruction.
template <class T, int N, view_layout Layout> struct view_parameter {
    static constexpr bool is_plain = Layout == view_layout::plain;
    using number = detail::view_number<Layout>;

    T* data;
    number extents[N];
    number strides[N];

    __device__ foldwise::view<T, N> view() const {
        std::int64_t wide_extents[N], wide_strides[N];
        for (int axis = 0; axis < N; ++axis) {
            wide_extents[axis] = extents[axis];
            wide_strides[axis] = is_plain && axis == N - 1 ? 1 : strides[axis];
        }
        return {data, wide_extents, wide_strides, is_plain};
    }
};

using detail::forall_grid;

/// A thread's task.
template <int N, view_layout Layout> struct task {
    using coordinate = detail::view_number<Layout>;

    __device__ explicit task(const forall_grid<N>& grid) : grid_(grid) {
        grid.place(blockIdx.x, threadIdx.x, coordinates_);
    }

    /// Tiles reach over the tasks' edges.
    __device__ bool exists() const {
        using number = std::make_unsigned_t<coordinate>;  // in which what is beyond the largest extent is so, too
        bool inside = true;
        for (int axis = 0; axis < N; ++axis)
            inside = inside && static_cast<number>(coordinates_[axis]) < static_cast<number>(grid_.extents[axis]);
        return inside;
    }

    __device__ index<N> at() const {
        index<N> result;
        for (int axis = 0; axis < N; ++axis) result[axis] = coordinates_[axis];
        return result;
    }

  private:
    const forall_grid<N>& grid_;
    coordinate coordinates_[N];
};

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
