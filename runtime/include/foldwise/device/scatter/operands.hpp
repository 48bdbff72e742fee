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

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

using detail::scatter_instance;
using detail::scatter_operation;

/// The numbers of a thread's elements: `Count` vectors of `Width` neighbours, which are `apart` elements apart.
template <int Count, int Width> struct scatter_vectors {
    static constexpr int size = Count * Width;

    std::int64_t first, apart;

    __device__ std::int64_t operator[](int k) const { return first + k / Width * apart + k % Width; }
};

/// The elements of such vectors.
template <class T, int Count, int Width> struct scatter_elements {
    assembly<T, Width> vectors[Count];

    __device__ T operator[](int k) const { return vectors[k / Width][k % Width]; }
};

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

    /// Returns elements of a contiguous input.
    template <int Count, int Width>
    __device__ scatter_elements<T, Count, Width> load(const scatter_vectors<Count, Width>& numbers) const {
        scatter_elements<T, Count, Width> loaded;
        const T* const from = static_cast<const T*>(place.data);
        if (place.is_wide) {
            FOLDWISE_UNROLLED
            for (int i = 0; i < Count; ++i) loaded.vectors[i] = assemble<Width>(from + numbers[i * Width]);
        } else {
            FOLDWISE_UNROLLED
            for (int k = 0; k < numbers.size; ++k)
                loaded.vectors[k / Width].set(k % Width, place.data ? from[numbers[k]] : value);
        }
        return loaded;
    }
};

/// Converts elements' numbers to the index of rank N that a map takes, as a kernel's parameter.
template <int N> struct scatter_space : detail::scatter_space<N> {
    __device__ index<N> at(std::int64_t number) const {
        index<N> result;
        auto rest = static_cast<std::uint64_t>(this->origin + number);
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

    /// Returns whether a place is inside, and then the number of its bin; a checked build reports one that is not.
    template <class Placed> __device__ bool find(const Placed& one, std::int64_t& number) const {
        return find(one, number, bins.extents);
    }
    /// Does what find() above does where 32 bits can number the bins; it takes fewer instructions.
    template <class Placed> __device__ bool find(const Placed& one, std::int32_t& number) const {
        return find(one, number, few_extents);
    }

    /// Does so for copies of the bins along the only axis that have more rows than the output has bins, whose number
    /// takes no load; a checked build still asks for the bin.
    template <class Placed> __device__ bool find_row(const Placed& one, std::int32_t& number, int rows) const {
#ifdef FOLDWISE_LOOKS
        return find(one, number);
#else
        const auto end = static_cast<std::uint32_t>(rows);
        return find(one, number, &end);
#endif
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

  private:
    __device__ static bool is_below(std::int64_t place, std::int64_t extent) {
        return static_cast<std::uint64_t>(place) < static_cast<std::uint64_t>(extent);
    }
    __device__ static bool is_below(std::int64_t place, std::uint32_t extent) {
        return place >> 32 == 0 && static_cast<std::uint32_t>(place) < extent;
    }
    template <class Placed, class Number, class Extent>
    __device__ static bool find(const Placed& one, Number& number, const Extent* extents) {
        static_assert(Placed::axes == Steps::bin_axes);
        bool is_inside = true;
        number = 0;
        for (int axis = 0; axis < Steps::bin_axes; ++axis) {
            const std::int64_t place = one.place[axis];
            const Extent extent = extents[axis];
            if (!is_below(place, extent)) {
#ifdef FOLDWISE_LOOKS
                if (place != nowhere)
                    foldwise::detail::stop(foldwise::detail::finding::of_index(
                        one.file, one.line, place, static_cast<std::int64_t>(extent), axis));
#endif
                is_inside = false;
            }
            number = number * static_cast<Number>(extent) + static_cast<Number>(place);
        }
        return is_inside;
    }
};

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
