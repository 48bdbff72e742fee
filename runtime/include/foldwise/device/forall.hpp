// foldwise/device/forall.hpp: assigns tasks to threads, and passes views to forall kernels.
#pragma once

#include <foldwise/detail/forall_code.hpp>
#include <foldwise/detail/loop_hints.hpp>
#include <foldwise/device/forall/in_order.hpp>
#include <foldwise/device/forall/several.hpp>
#include <foldwise/device/forall/task.hpp>
#include <foldwise/device/forall/vectors.hpp>
#include <foldwise/device/launch.hpp>
#include <foldwise/device/platform.hpp>
#include <foldwise/device/shared_sum.hpp>
#include <foldwise/device/view_parameter.hpp>
#include <foldwise/spec/index.hpp>

#include <cstdint>
#include <type_traits>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

/// A view of numbers that tasks only add to, as a kernel's parameter. In `summed` kernels the lambda's view is of sums
/// in the block's shared memory, which are added to the elements when the block has run its tasks.
template <class T, int N, view_layout Layout> struct sum_parameter : view_parameter<T, N, Layout> {
    detail::view_number<Layout> sums;  ///< Where the sums begin in the shared memory, in bytes.

    __device__ foldwise::view<T, N> view() const {
        if constexpr (Layout == view_layout::summed)
            return this->view_at(own());
        else
            return this->view_at(this->data);
    }
    __device__ void clear() const {
        for (unsigned int i = threadIdx.x; i < count(); i += blockDim.x) own()[i] = nothing;
    }
    __device__ void add() const {
        using addend = atomic_addend<T>;
        for (unsigned int i = threadIdx.x; i < count(); i += blockDim.x)
            if (const T sum = own()[i]; is_something(sum))
                atomicAdd(reinterpret_cast<addend*>(this->data + i), static_cast<addend>(sum));
    }

  private:
    /// What leaves every number as it is, and zeros their signs.
    static constexpr T nothing = std::is_integral_v<T> ? T(0) : T(-0.0);

    __device__ static bool is_something(T sum) {
        if constexpr (std::is_integral_v<T>)
            return sum != 0;
        else
            return sum != 0 || !__builtin_signbit(sum);
    }
    __device__ T* own() const { return reinterpret_cast<T*>(dynamic_shared<unsigned char>() + sums); }
    __device__ unsigned int count() const {
        unsigned int product = 1;
        for (int axis = 0; axis < N; ++axis) product *= static_cast<unsigned int>(this->extents[axis]);
        return product;
    }
};

/// Sets a block's sums to zero. Only `summed` kernels have any.
template <view_layout Layout, class... Sum> __device__ void begin_sums(const Sum&... all) {
    if constexpr (Layout == view_layout::summed) {
        (all.clear(), ...);
        __syncthreads();
    }
}

/// Adds a block's sums to the elements.
template <view_layout Layout, class... Sum> __device__ void end_sums(const Sum&... all) {
    if constexpr (Layout == view_layout::summed) {
        __syncthreads();
        (all.add(), ...);
    }
}

/// Calls run(index) for the thread's task, or in `summed` kernels for its tasks in the block's tiles. There, four tasks
/// follow one another without a branch between them where they exist, so that they wait for their loads together.
template <int N, view_layout Layout, class Run> __device__ void each_task(const forall_grid<N>& grid, const Run& run) {
    if constexpr (Layout != view_layout::summed) {
        const task<N, Layout> own(grid);
        if (own.exists()) run(own.at());
    } else {
        constexpr unsigned int together = 4;
        for (unsigned int tile = blockIdx.x; tile < grid.blocks; tile += together * gridDim.x) {
            const auto task_of = [&](unsigned int k) { return task<N, Layout>(grid, tile + k * gridDim.x); };
            const auto exists = [&](unsigned int k) {
                return tile + k * gridDim.x < grid.blocks && task_of(k).exists();
            };
            if (exists(0) && exists(1) && exists(2) && exists(3)) {
                FOLDWISE_UNROLL_FULLY
                for (unsigned int k = 0; k < together; ++k) run(task_of(k).at());
            } else {
                FOLDWISE_NOT_UNROLLED
                for (unsigned int k = 0; k < together; ++k)
                    if (exists(k)) run(task_of(k).at());
            }
        }
    }
}

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
