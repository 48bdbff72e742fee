// foldwise/device/strided.hpp: positions of elements whose operands are not all contiguous.
#pragma once

#include <foldwise/detail/strides.hpp>
#include <foldwise/device/platform.hpp>

#include <cstdint>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

using detail::divider;

/// Returns the number, which nvcc then cannot compute ahead. A loop that counts with it is not unrolled: nvcc forgets
/// FOLDWISE_NOT_UNROLLED where it first unrolls a loop inside of another.
__device__ inline int counted(int number) {
#ifndef FOLDWISE_SIMULATOR
    asm("" : "+r"(number));
#endif
    return number;
}

/// Visits the axes of a range, innermost first: calls step(axis, i, coordinate) for each axis and for each of `Count`
/// elements with the given numbers. Most ranges have at most one axis, for which no division is needed. Ranges with up
/// to `Written` axes use an unrolled loop. For more axes the loop is not unrolled: only launch parameters are indexed
/// by its counter, and the numbers, which it divides, stay in registers.
template <int Written = 1, int Count, class Step>
__device__ inline void walk_axes(const detail::strided_range& range, std::uint32_t (&numbers)[Count],
                                 const Step& step) {
    if (range.rank <= Written) {
        FOLDWISE_UNROLLED
        for (int axis = 0; axis < Written; ++axis) {
            if (axis == range.rank) return;
            FOLDWISE_UNROLLED
            for (int i = 0; i < Count; ++i) {
                const bool is_outermost = axis + 1 == Written || axis + 1 == range.rank;
                step(axis, i, is_outermost ? numbers[i] : range.extents[axis].split(numbers[i]));
            }
        }
        return;
    }
    for (int axis = 0; axis < range.rank; axis = counted(axis + 1)) {
        const bool is_outermost = axis + 1 == range.rank;
        FOLDWISE_UNROLLED
        for (int i = 0; i < Count; ++i)
            step(axis, i, is_outermost ? numbers[i] : range.extents[axis].split(numbers[i]));
    }
}

/// Returns an element's offset along the axes of a range, for an operand with these strides, in elements.
__device__ inline std::int64_t offset_along(const detail::strided_range& range, std::uint32_t number,
                                            const detail::strides& strides) {
    std::uint32_t numbers[] = {number};
    std::int64_t offset = 0;
    walk_axes(range, numbers,
              [&](int axis, int, std::uint32_t coordinate) { offset += coordinate * strides.steps[axis]; });
    return offset;
}

/// The position of an element: its number in the launch and its coordinates. Loops over axes end at the rank, which is
/// the same for all threads, and are unrolled so that coordinates stay in registers.
struct strided_position {
    std::uint32_t number;
    int rank;
    std::uint32_t coordinates[detail::max_axes];  ///< Innermost first.

    /// Divides the element's number into coordinates. The rest after the last division is the outermost coordinate. It
    /// is stored before it is known to be the last: stored after the loop, at an index that depends on the rank, it
    /// would force all coordinates into memory.
    __device__ strided_position(const detail::strided_range& range, std::uint32_t element)
        : number(element), rank(range.rank) {
        std::uint32_t rest = element;
        FOLDWISE_UNROLLED
        for (int axis = 0; axis < detail::max_axes; ++axis) {
            coordinates[axis] = rest;
            if (axis + 1 >= rank) break;
            coordinates[axis] = range.extents[axis].split(rest);
        }
    }

    /// Returns the offset of the element in an operand with these strides, in elements.
    __device__ std::int64_t offset(const detail::strides& strides) const {
        std::int64_t sum = coordinates[0] * strides.steps[0];
        FOLDWISE_UNROLLED
        for (int axis = 1; axis < detail::max_axes; ++axis) {
            if (axis >= rank) break;
            sum += coordinates[axis] * strides.steps[axis];
        }
        return sum;
    }
};

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
