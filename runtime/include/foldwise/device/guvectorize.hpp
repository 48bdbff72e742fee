// foldwise/device/guvectorize.hpp: assigns items to threads, and passes their elements to guvectorize kernels.
#pragma once

#include <foldwise/detail/guvectorize_code.hpp>
#include <foldwise/device/launch.hpp>
#include <foldwise/device/platform.hpp>
#include <foldwise/device/reduce/stage.hpp>
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

/// Copies `count` items from `first` on, which follow one another in global memory, to shared memory or back. All
/// threads of the block must call it.
template <class T> struct staged_items {
    static constexpr int word = detail::staged_word(alignof(T));

    const detail::item_place<item_layout::staged>& place;

    /// Returns the calling thread's item.
    __device__ T* own() const { return reinterpret_cast<T*>(memory() + threadIdx.x * place.stage.pitch); }

    /// Complete after wait_for_copies().
    __device__ void begin_to_bring(std::int64_t first, std::uint32_t count) const {
        const auto* const from =
            reinterpret_cast<const unsigned char*>(static_cast<const T*>(place.data) + first * place.strides[0]);
        if (place.stage.is_read)
            each_word(count, [&](unsigned char* to, std::uint32_t i) { begin_copy<word>(to, from + i * word); });
    }

    __device__ void take_back(std::int64_t first, std::uint32_t count) const {
        auto* const to = reinterpret_cast<unsigned char*>(static_cast<T*>(place.data) + first * place.strides[0]);
        each_word(count, [&](const unsigned char* from, std::uint32_t i) {
            device_code::store(to + i * word, device_code::load<word>(from));
        });
    }

  private:
    __device__ unsigned char* memory() const { return dynamic_shared<unsigned char>() + place.stage.begin; }

    /// Calls run(address in shared memory, number) for the calling thread's words of these items.
    template <class Run> __device__ void each_word(std::uint32_t count, const Run& run) const {
        const detail::item_stage& stage = place.stage;
        const std::uint32_t words = (stage.pitch == 0 ? 1 : count) * stage.words.divisor;
        for (std::uint32_t i = threadIdx.x; i < words; i += blockDim.x) {
            std::uint32_t item = i;
            const std::uint32_t at = stage.words.split(item);
            run(memory() + item * stage.pitch + at * word, i);
        }
    }
};

/// A value that an item's function assigns, in a register while the function runs. It begins with what is in memory,
/// because the function need not assign it.
template <class T> class assigned_value {
  public:
    __device__ explicit assigned_value(T* place) : place_(place), value_(*place) {}
    assigned_value(const assigned_value&) = delete;
    assigned_value& operator=(const assigned_value&) = delete;
    __device__ ~assigned_value() { *place_ = value_; }

    __device__ T& value() { return value_; }

  private:
    T* place_;
    T value_;
};

/// An operand as a kernel's parameter. `[item]` is what the user's lambda takes: a view of the item's elements, or a
/// single value.
template <class T, int Axes, item_layout Layout> struct core_parameter {
    detail::item_place<Layout> place;
    std::int64_t extents[Axes];
    std::int64_t strides[Axes];

    __device__ foldwise::view<T, Axes> operator[](const item<Layout>& one) const {
        if constexpr (Layout == item_layout::staged)
            return {staged_items<T>{place}.own(), extents, strides, /*fits_32_bits=*/true};
        else
            return {one.template of<T>(place), extents, strides};
    }

    __device__ void begin_to_bring(std::int64_t first, std::uint32_t count) const {
        staged_items<std::remove_const_t<T>>{place}.begin_to_bring(first, count);
    }
    __device__ void take_back(std::int64_t first, std::uint32_t count) const {
        if constexpr (!std::is_const_v<T>) staged_items<T>{place}.take_back(first, count);
    }
};

/// A value that is read, which may be one for all items.
template <class T, item_layout Layout> struct core_parameter<const T, 0, Layout> {
    detail::item_place<Layout> place;
    T value;

    __device__ const T& operator[](const item<Layout>& one) const {
        return place.data ? *one.template of<const T>(place) : value;
    }
    __device__ void begin_to_bring(std::int64_t, std::uint32_t) const {}
    __device__ void take_back(std::int64_t, std::uint32_t) const {}
};

/// A value that is assigned.
template <class T, item_layout Layout> struct core_parameter<T, 0, Layout> {
    detail::item_place<Layout> place;

    __device__ assigned_value<T> operator[](const item<Layout>& one) const {
        return assigned_value<T>(one.template of<T>(place));
    }
    __device__ void begin_to_bring(std::int64_t, std::uint32_t) const {}
    __device__ void take_back(std::int64_t, std::uint32_t) const {}
};

/// Calls run(item) for the items of the calling thread. Those of a `staged` kernel are in shared memory meanwhile.
template <item_layout Layout, class Run, class... Operands>
__device__ void each_item(const item_grid<Layout>& items, const Run& run, const Operands&... operands) {
    if constexpr (Layout == item_layout::staged) {
        const std::int64_t step = std::int64_t{gridDim.x} * items.together;
        for (std::int64_t first = std::int64_t{blockIdx.x} * items.together; first < items.count; first += step) {
            const std::int64_t rest = items.count - first;
            const std::uint32_t count = rest < items.together ? static_cast<std::uint32_t>(rest) : items.together;
            (operands.begin_to_bring(first, count), ...);
            wait_for_copies();
            if (threadIdx.x < count) run(item<Layout>{{first + threadIdx.x}});
            __syncthreads();
            (operands.take_back(first, count), ...);
            if (first + step < items.count) __syncthreads();  // the next items take the place of these
        }
    } else {
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
}

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
