// foldwise/device/forall/task.hpp: which task a thread runs.
#pragma once

#include <foldwise/detail/forall_code.hpp>
#include <foldwise/device/forall/in_order.hpp>
#include <foldwise/device/platform.hpp>
#include <foldwise/spec/index.hpp>

#include <type_traits>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

using detail::forall_grid;
using detail::task_grid;
using detail::view_layout;

/// The task of a thread.
template <int N, view_layout Layout> struct task {
    using coordinate = detail::view_number<Layout>;

    /// The task in the tile of the thread's block, or in the given one. Neighbouring lanes of `warps` kernels have the
    /// same.
    __device__ explicit task(const forall_grid<N>& grid) : task(grid, blockIdx.x) {}
    __device__ task(const forall_grid<N>& grid, unsigned int tile) : grid_(grid) {
        grid.place(tile, Layout == view_layout::warps ? threadIdx.x >> grid.lanes_log2 : threadIdx.x, coordinates_);
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

    /// Returns the lanes of a `warps` kernel that run the task.
    __device__ lanes_of_task lanes() const { return {grid_.lanes_log2}; }

  private:
    const forall_grid<N>& grid_;
    coordinate coordinates_[N];
};

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
