// foldwise/device/forall.hpp: assigns tasks to threads, and passes views to forall kernels.
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

/// A view as a kernel's parameter. With 32-bit extents and strides, a product with a coordinate is a single
/// instruction.
template <class T, int N, view_layout Layout> struct view_parameter {
    static constexpr bool is_plain = Layout == view_layout::plain;
    using number = detail::view_number<Layout>;

    T* data;
    number extents[N];
    number strides[N];

    /// Returns the view that the user's lambda takes.
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

/// The task of a thread.
template <int N, view_layout Layout> struct task {
    using coordinate = detail::view_number<Layout>;

    __device__ explicit task(const forall_grid<N>& grid) : grid_(grid) {
        grid.place(blockIdx.x, threadIdx.x, coordinates_);
    }

    /// Returns whether the task exists: tiles extend beyond the edges of the index space.
    __device__ bool exists() const {
        using number = std::make_unsigned_t<coordinate>;  // keeps coordinates past the largest extent beyond it
        bool inside = true;
        for (int axis = 0; axis < N; ++axis)
            inside = inside && static_cast<number>(coordinates_[axis]) < static_cast<number>(grid_.extents[axis]);
        return inside;
    }

    /// Returns the index of the task.
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
