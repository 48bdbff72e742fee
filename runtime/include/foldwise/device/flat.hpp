// foldwise/device/flat.hpp: vectors of outputs that are contiguous; inputs may lie in any way.
//
// A thread has one vector of the outputs, in the order in which they lie in memory. Of an input that lies otherwise it
// finds the first element along the call's axes, and walks on from there.
#pragma once

#include <foldwise/detail/kernel.hpp>
#include <foldwise/device/divide.hpp>
#include <foldwise/device/pack.hpp>

#include <cstdint>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

/// Where an element is: in a block of elements, and how far into it. Kept apart because the first is the same for all
/// threads of a block, and the second fits 32 bits.
struct position {
    std::int64_t block;
    int offset;
};

/// The axes of a call.
struct flat_axes {
    static constexpr int most = 4;  ///< Few calls have more once neighbouring ones are joined; each costs instructions.

    int rank;                              ///< 0: all operands are contiguous, and nothing here is used.
    divider<std::uint32_t> extents[most];  ///< Innermost first.

    static flat_axes of(const detail::elementwise_layout& layout) {
        flat_axes result{};
        result.rank = layout.rank;
        for (int axis = 0; axis < layout.rank; ++axis) {
            const std::int64_t extent = layout.extents[layout.rank - 1 - axis];
            result.extents[axis] = divider<std::uint32_t>::by(static_cast<std::uint32_t>(extent));
        }
        return result;
    }
};

/// Where an element is, along the axes too. A plane is all of the two innermost ones.
struct flat_position : position {
    const flat_axes* axes;
    std::uint32_t column, row, plane;

    /// Of the element of that number.
    __device__ flat_position(const position& at, const flat_axes& axes_, std::uint32_t number)
        : position(at), axes(&axes_), column(number), row(0), plane(0) {
        if (axes->rank > 1) {
            row = column;
            column = axes->extents[0].split(row);
        }
        if (axes->rank > 2) {
            plane = row;
            row = axes->extents[1].split(plane);
        }
    }

    /// So many elements further on.
    __device__ flat_position operator+(int count) const {
        flat_position result = *this;
        result.offset += count;
        result.column += static_cast<std::uint32_t>(count);
        while (axes->rank > 1 && result.column >= axes->extents[0].divisor) {
            result.column -= axes->extents[0].divisor;
            if (++result.row < axes->extents[1].divisor) continue;
            result.row = 0;
            ++result.plane;
        }
        return result;
    }
};

/// The steps of one operand, in elements. That all offsets fit 32 bits is a condition for flat launches.
struct flat_steps {
    std::int32_t steps[flat_axes::most];  ///< Innermost first.

    static flat_steps of(const detail::elementwise_layout& layout, int operand) {
        flat_steps result{};
        for (int axis = 0; axis < layout.rank; ++axis)
            result.steps[axis] = static_cast<std::int32_t>(layout.strides[operand][layout.rank - 1 - axis]);
        return result;
    }

    __device__ std::int32_t offset(const flat_position& at) const {
        const std::int32_t in_plane =
            static_cast<std::int32_t>(at.column) * steps[0] + static_cast<std::int32_t>(at.row) * steps[1];
        return at.axes->rank > 2 ? in_plane + offset_of_plane(*at.axes, at.plane) : in_plane;
    }

    __device__ std::int32_t offset_of_plane(const flat_axes& axes, std::uint32_t plane) const {
        std::int32_t sum = 0;
        FOLDWISE_UNROLLED
        for (int axis = 2; axis < axes.most; ++axis) {
            if (axis >= axes.rank) break;
            const bool is_last = axis + 1 == axes.most || axis + 1 >= axes.rank;
            sum += static_cast<std::int32_t>(is_last ? plane : axes.extents[axis].split(plane)) * steps[axis];
        }
        return sum;
    }
};

/// Walks from one element of an operand to the next, not beyond the end of the next plane.
class flat_walk {
  public:
    __device__ flat_walk(const flat_steps& steps, const flat_position& at)
        : column_(at.column), row_(at.row), columns_(at.axes->extents[0].divisor), rows_(at.axes->extents[1].divisor),
          offset_(steps.offset(at)), step_(steps.steps[0]),
          step_to_row_(steps.steps[1] - static_cast<std::int32_t>(columns_ - 1) * step_),
          next_plane_(steps.offset_of_plane(*at.axes, at.plane + 1)) {}

    __device__ std::int32_t offset() const { return offset_; }

    __device__ void advance() {
        const bool ends_row = ++column_ == columns_;
        offset_ += ends_row ? step_to_row_ : step_;
        if (!ends_row) return;
        column_ = 0;
        if (++row_ != rows_) return;
        row_ = 0;
        offset_ = next_plane_;
    }

  private:
    std::uint32_t column_, row_, columns_, rows_;
    std::int32_t offset_, step_, step_to_row_, next_plane_;
};

/// How an input is read.
enum class flat_reading {
    vectors_in_order,  ///< It lies as the outputs do, and vectors of it are read whole,
    in_order,          ///< or element by element.
    vectors,           ///< The same where it lies otherwise.
    elements,
    value,
};

/// Whether an operand of a call lies in the order of its elements, without gaps.
inline bool is_in_order(const detail::elementwise_call& call, int operand) {
    if (!call.layout) return true;
    std::int64_t stride = 1;
    for (int axis = call.layout->rank - 1; axis >= 0; --axis) {
        if (call.layout->strides[operand][axis] != stride) return false;
        stride *= call.layout->extents[axis];
    }
    return true;
}

/// Whether vectors of an input with steps can be read whole: they begin and end in one row, at boundaries.
inline bool has_whole_vectors(const detail::elementwise_call& call, int operand, std::int64_t size, int width) {
    const detail::elementwise_layout& layout = *call.layout;
    const std::int64_t* strides = layout.strides[operand];
    const std::int64_t bytes = access_bytes(width * static_cast<int>(size));
    const int last = layout.rank - 1;
    if (strides[last] != 1 || layout.extents[last] % width != 0) return false;
    for (int axis = 0; axis < last; ++axis) {
        if (strides[axis] * size % bytes != 0) return false;
    }
    return reinterpret_cast<std::uintptr_t>(call.operands[operand].data) % static_cast<std::uintptr_t>(bytes) == 0;
}

/// Whether a call that has a layout can be launched flat.
inline bool is_flat(const detail::elementwise_call& call, int inputs, int operands, int width) {
    const detail::elementwise_layout& layout = *call.layout;
    const int last = layout.rank - 1;
    if (layout.rank > flat_axes::most) return false;
    if (layout.rank > 2 && layout.extents[last] * layout.extents[last - 1] < width) return false;  // see flat_walk
    for (int i = inputs; i < operands; ++i) {
        if (!is_in_order(call, i)) return false;
    }
    for (int i = 0; i < inputs; ++i) {
        std::int64_t reach = 0;
        for (int axis = 0; axis < layout.rank; ++axis) {
            const std::int64_t stride = layout.strides[i][axis];
            if (stride > INT32_MAX || stride < -INT32_MAX) return false;
            reach += (stride < 0 ? -stride : stride) * layout.extents[axis];
        }
        if (reach > INT32_MAX) return false;
    }
    return true;
}

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
