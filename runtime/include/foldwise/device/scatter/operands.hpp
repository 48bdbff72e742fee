// foldwise/device/scatter/operands.hpp: what the kernels of a scattered fold read, and where they combine it into.
//
// Bins are numbered in row-major order.
#pragma once

#include <foldwise/detail/loop_hints.hpp>
#include <foldwise/detail/scatter_code.hpp>
#include <foldwise/device/launch.hpp>
#include <foldwise/device/pack.hpp>
#include <foldwise/spec/index.hpp>
#include <foldwise/spec/placed.hpp>

#include <cstdint>
#include <type_traits>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

using detail::scatter_instance;
using detail::scatter_operation;

/// An input of a scattered fold, as a kernel's parameter.
template <class T> struct scatter_input {
    detail::scatter_operand place;
    union {
        T value;
    };

    /// Returns an element by its number in the call.
    __device__ T at(const detail::scatter_range& range, std::int64_t number) const {
        if (!place.data) return value;
        std::int64_t offset = 0;
        auto rest = static_cast<std::uint64_t>(number);
        FOLDWISE_NOT_UNROLLED
        for (int axis = 0; axis < range.rank; ++axis) {
            const std::uint64_t coordinate = axis + 1 < range.rank ? range.extents[axis].split(rest) : rest;
            offset += static_cast<std::int64_t>(coordinate) * place.strides[axis];
        }
        return static_cast<const T*>(place.data)[offset];
    }

    /// Returns Width neighbouring elements of a contiguous input.
    template <int Width> __device__ pack<T, Width> load(std::int64_t first) const {
        const T* const from = static_cast<const T*>(place.data) + first;
        if (place.is_wide) return device_code::load<Width>(from);
        pack<T, Width> loaded;
        for (int k = 0; k < Width; ++k) loaded[k] = place.data ? from[k] : value;
        return loaded;
    }
};

/// Converts elements' numbers to the index of rank N that a map takes, as a kernel's parameter.
template <int N> struct scatter_space : detail::scatter_space<N> {
    __device__ index<N> at(std::int64_t number) const {
        index<N> result;
        auto rest = static_cast<std::uint64_t>(number);
        for (int axis = N - 1; axis > 0; --axis)
            result[axis] = static_cast<std::int64_t>(this->extents[axis].split(rest));
        result[0] = static_cast<std::int64_t>(rest);
        return result;
    }
};

/// Where a launch combines values into, as a kernel's parameter.
template <class Steps> struct scatter_target : detail::scatter_target {
    using accumulator = typename Steps::accumulator;

    __device__ accumulator* output() const { return static_cast<accumulator*>(bins.data); }

    /// Returns the number of the bin at a place, or -1 outside; there, a checked build reports the place. Where the
    /// number of bins fits, Number has 32 bits.
    template <class Number = std::int64_t, class Placed> __device__ Number number_of(const Placed& one) const {
        static_assert(Placed::axes == Steps::bin_axes);
        Number number = 0;
        for (int axis = 0; axis < Steps::bin_axes; ++axis) {
            const std::int64_t place = one.place[axis];
            const auto extent = static_cast<std::make_unsigned_t<Number>>(bins.extents[axis]);
            if (static_cast<std::uint64_t>(place) >= std::uint64_t{extent}) {
#ifdef FOLDWISE_LOOKS
                foldwise::detail::stop(
                    foldwise::detail::finding::of_index(one.file, one.line, place, bins.extents[axis], axis));
#endif
                return -1;
            }
            number = number * static_cast<Number>(extent) + static_cast<Number>(place);
        }
        return number;
    }

    /// Returns a bin of the output by its number.
    __device__ accumulator* bin(std::int64_t number) const {
        if constexpr (Steps::bin_axes == 1) return output() + number * bins.strides[0];
        std::int64_t offset = 0;
        for (int axis = Steps::bin_axes - 1; axis > 0; --axis) {
            offset += number % bins.extents[axis] * bins.strides[axis];
            number /= bins.extents[axis];
        }
        return output() + offset + number * bins.strides[0];
    }

    /// Returns the bin at a place, which is inside.
    template <class Placed> __device__ accumulator* bin_at(const Placed& one) const {
        std::int64_t offset = 0;
        for (int axis = 0; axis < Steps::bin_axes; ++axis) offset += one.place[axis] * bins.strides[axis];
        return output() + offset;
    }
};

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
