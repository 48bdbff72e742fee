// foldwise/device/vectorize/flat.hpp: positions in flat launches: vectors of contiguous outputs, with inputs of any
// layout.
//
// A thread has one or two vectors of the outputs, in memory order. It divides the number of a vector's first element
// into coordinates once; for inputs that cannot be read by vectors, it steps from there to the other elements.
#pragma once

#include <foldwise/detail/vectorize_code.hpp>
#include <foldwise/device/pack.hpp>

#include <cstdint>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

/// The position of an element: the start of a block of elements, and an offset from there. They are separate because
/// the first is the same for all threads of a block and the second fits in 32 bits.
struct position {
    std::int64_t block;
    int offset;
};

using detail::flat_axes;
using detail::flat_reading;
using detail::flat_threads;

/// The position of an element in a flat launch, including its coordinates along the axes.
struct flat_position : position {
    std::uint32_t columns;
    std::uint32_t coordinates[flat_axes::most];  ///< Innermost first.

    flat_position() = default;

    /// Finds the coordinates of the element with this number.
    __device__ flat_position(const position& at, const flat_axes& axes, std::uint32_t number)
        : position(at), columns(axes.extents[0].divisor), coordinates{0, number, 0, 0} {
        coordinates[0] = axes.extents[0].split(coordinates[1]);
        if (axes.rank <= 2) return;
        coordinates[2] = coordinates[1];
        coordinates[1] = axes.extents[1].split(coordinates[2]);
        coordinates[3] = coordinates[2];
        coordinates[2] = axes.extents[2].split(coordinates[3]);
    }

    /// Returns whether `count` elements from this one on are in the same plane.
    __device__ bool stays_in_plane(const flat_axes& axes, int count) const {
        return coordinates[1] * columns + coordinates[0] + static_cast<std::uint32_t>(count) <= axes.plane;
    }
};

/// The positions at which the vectors of a thread begin.
template <int Width, int Runs> struct flat_vectors { flat_position own[Runs]; };

/// Returns the offset of an element in an operand, in elements.
__device__ inline std::int32_t offset_of(const flat_position& at, const detail::flat_steps& strides) {
    std::int32_t sum = 0;
    FOLDWISE_UNROLLED
    for (int axis = 0; axis < flat_axes::most; ++axis)
        sum += static_cast<std::int32_t>(at.coordinates[axis]) * strides.steps[axis];
    return sum;
}

/// Loads N elements of an operand, starting at `at`, one by one. They must be in one plane.
template <class T, int N>
__device__ void walk(const T* data, const flat_position& at, const detail::flat_steps& strides, arrival<T, N>& loaded) {
    std::uint32_t column = at.coordinates[0];
    std::int32_t offset = offset_of(at, strides);
    FOLDWISE_UNROLLED
    for (int k = 0; k < N; ++k) {
        loaded.set(k, data[offset]);
        const bool ends_row = ++column == at.columns;
        offset += ends_row ? strides.to_next_row : strides.steps[0];
        if (ends_row) column = 0;
    }
}

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
