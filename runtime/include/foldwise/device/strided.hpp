// foldwise/device/strided.hpp: elements whose operands are not all contiguous.
#pragma once

#include <foldwise/detail/kernel.hpp>
#include <foldwise/device/divide.hpp>

#include <cstdint>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

/// Where an element is: its number in the launch, and its coordinates. Loops over axes end at their number, which is
/// the same for all threads, and are unrolled so that coordinates stay in registers.
struct strided_position {
    std::uint32_t number;
    int rank;
    std::uint32_t coordinates[detail::max_axes];  ///< Innermost first.
};

/// The same where there is one axis, or two.
struct linear_position {
    std::uint32_t number;
};
struct pair_position {
    std::uint32_t inner, outer;
};

/// The steps of one operand, in elements.
struct strides {
    std::int64_t steps[detail::max_axes];  ///< Innermost first.

    static strides of(const detail::elementwise_layout& layout, int operand) {
        strides result{};
        for (int axis = 0; axis < layout.rank; ++axis)
            result.steps[axis] = layout.strides[operand][layout.rank - 1 - axis];
        return result;
    }

    __device__ std::int64_t offset(linear_position at) const { return at.number * steps[0]; }
    __device__ std::int64_t offset(pair_position at) const { return at.inner * steps[0] + at.outer * steps[1]; }
    __device__ std::int64_t offset(const strided_position& at) const {
        std::int64_t sum = at.coordinates[0] * steps[0];
        FOLDWISE_UNROLLED
        for (int axis = 1; axis < detail::max_axes; ++axis) {
            if (axis >= at.rank) break;
            sum += at.coordinates[axis] * steps[axis];
        }
        return sum;
    }
};

/// The elements of a launch, fewer than 2^31 of them, and the extents that their numbers count through.
struct strided_range {
    std::uint32_t count;
    int rank;
    divider<std::uint32_t> extents[detail::max_axes];  ///< Innermost first.

    static strided_range of(const detail::elementwise_call& call) {
        strided_range result{};
        result.count = static_cast<std::uint32_t>(call.count);
        result.rank = call.layout->rank;
        for (int axis = 0; axis < result.rank; ++axis) {
            const std::int64_t extent = call.layout->extents[result.rank - 1 - axis];
            result.extents[axis] = divider<std::uint32_t>::by(static_cast<std::uint32_t>(extent));
        }
        return result;
    }

    /// What is left after the last division is the outermost coordinate. It is written before it is known to be the
    /// last one: written where the loop ends, at a place that differs from end to end, it would live in memory, and all
    /// others with it.
    __device__ strided_position position(std::uint32_t number) const {
        strided_position at;
        at.number = number;
        at.rank = rank;
        FOLDWISE_UNROLLED
        for (int axis = 0; axis < detail::max_axes; ++axis) {
            at.coordinates[axis] = number;
            if (axis + 1 >= rank) break;
            at.coordinates[axis] = extents[axis].split(number);
        }
        return at;
    }
};

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
