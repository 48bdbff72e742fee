// foldwise/device/guvectorize.hpp: assigns items to threads, and passes their elements to guvectorize kernels.
#pragma once

#include <foldwise/detail/guvectorize_code.hpp>
#include <foldwise/device/launch.hpp>
#include <foldwise/device/platform.hpp>
#include <foldwise/spec/view.hpp>

#include <cstdint>
#include <type_traits>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

using detail::item_grid;
using detail::item_layout;

/// Where an item is, along each axis of the launch.
template <item_layout Layout> struct item {
    std::int64_t at[detail::item_axes<Layout>];

    /// Returns the place of an operand's part of the item.
    template <class T> __device__ T* of(const detail::item_place<Layout>& place) const {
        std::int64_t offset = 0;
        for (int axis = 0; axis < detail::item_axes<Layout>; ++axis) offset += at[axis] * place.strides[axis];
        return static_cast<T*>(place.data) + offset;
    }
};

/// An operand as a kernel's parameter. `[item]` is what the user's lambda takes: a view of the item's elements, or a
/// single value.
template <class T, int Axes, item_layout Layout> struct core_parameter {
    detail::item_place<Layout> place;
    std::int64_t extents[Axes];
    std::int64_t strides[Axes];

    __device__ foldwise::view<T, Axes> operator[](const item<Layout>& one) const {
        return {one.template of<T>(place), extents, strides};
    }
};

/// A value that is read, which may be one for all items.
template <class T, item_layout Layout> struct core_parameter<const T, 0, Layout> {
    detail::item_place<Layout> place;
    T value;

    __device__ const T& operator[](const item<Layout>& one) const {
        return place.data ? *one.template of<const T>(place) : value;
    }
};

/// A value that is written.
template <class T, item_layout Layout> struct core_parameter<T, 0, Layout> {
    detail::item_place<Layout> place;

    __device__ T& operator[](const item<Layout>& one) const { return *one.template of<T>(place); }
};

/// Calls run(item) for the items of the calling thread.
template <item_layout Layout, class Run> __device__ void each_item(const item_grid<Layout>& items, const Run& run) {
    const std::int64_t threads = std::int64_t{gridDim.x} * blockDim.x;
    for (std::int64_t number = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; number < items.count;
         number += threads) {
        item<Layout> one;
        if constexpr (Layout == item_layout::even) {
            one.at[0] = number;
        } else {
            auto rest = static_cast<std::uint32_t>(number);
            FOLDWISE_UNROLLED
            for (int axis = detail::max_axes - 1; axis > 0; --axis) one.at[axis] = items.extents[axis].split(rest);
            one.at[0] = rest;
        }
        run(one);
    }
}

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
