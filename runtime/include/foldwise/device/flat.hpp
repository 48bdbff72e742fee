// foldwise/device/flat.hpp: vectors of outputs that are contiguous; inputs may lie in any way.
//
// A thread has one or two vectors of the outputs, in the order in which they lie in memory. It divides the place of a
// vector's first element out once; of inputs that cannot be read by vectors it walks on from there.
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

/// In a block. Fewer than elsewhere make up for the registers of two vectors.
inline constexpr int flat_threads = 128;

/// The axes of a call. A plane is all of the two innermost ones.
struct flat_axes {
    static constexpr int most = 4;  ///< Few calls have more once neighbouring ones are joined; each costs instructions.

    int rank;
    divider<std::uint32_t> extents[most - 1];  ///< Innermost first; what is left of a number is the outermost.
    std::uint32_t plane;                       ///< Its elements; the most where no vector goes beyond its plane.

    /// Of a call whose vectors have `width` elements, beginning `before` elements ahead of the first one.
    static flat_axes of(const detail::elementwise_layout& layout, int width, std::int64_t before) {
        flat_axes result{};
        result.rank = layout.rank;
        for (int axis = 0; axis + 1 < most; ++axis)
            result.extents[axis] = divider<std::uint32_t>::by(extent(layout, axis));
        const std::uint32_t plane = extent(layout, 0) * extent(layout, 1);
        const bool is_cut = layout.rank > 2 && (before != 0 || plane % static_cast<std::uint32_t>(width) != 0);
        result.plane = is_cut ? plane : UINT32_MAX;
        return result;
    }

    static std::uint32_t extent(const detail::elementwise_layout& layout, int axis) {
        return axis < layout.rank ? static_cast<std::uint32_t>(layout.extents[layout.rank - 1 - axis]) : 1;
    }
};

/// Where an element is, along the axes too.
struct flat_position : position {
    std::uint32_t columns;
    std::uint32_t coordinates[flat_axes::most];  ///< Innermost first.

    flat_position() = default;

    /// Of the element of that number.
    __device__ flat_position(const position& at, const flat_axes& axes, std::uint32_t number)
        : position(at), columns(axes.extents[0].divisor), coordinates{0, number, 0, 0} {
        coordinates[0] = axes.extents[0].split(coordinates[1]);
        if (axes.rank <= 2) return;
        coordinates[2] = coordinates[1];
        coordinates[1] = axes.extents[1].split(coordinates[2]);
        coordinates[3] = coordinates[2];
        coordinates[2] = axes.extents[2].split(coordinates[3]);
    }

    /// Whether so many elements from there on end in the plane.
    __device__ bool stays_in_plane(const flat_axes& axes, int count) const {
        return coordinates[1] * columns + coordinates[0] + static_cast<std::uint32_t>(count) <= axes.plane;
    }
};

/// Where the vectors of a thread begin.
template <int Width, int Runs> struct flat_vectors { flat_position own[Runs]; };

/// The steps of one operand, in elements. That all offsets fit 32 bits is a condition for flat launches.
struct flat_steps {
    std::int32_t steps[flat_axes::most];  ///< Innermost first.
    std::int32_t to_next_row;             ///< From the last element of a row.

    static flat_steps of(const detail::elementwise_layout& layout, int operand) {
        flat_steps result{};
        for (int axis = 0; axis < layout.rank; ++axis)
            result.steps[axis] = static_cast<std::int32_t>(layout.strides[operand][layout.rank - 1 - axis]);
        const auto columns = static_cast<std::int32_t>(flat_axes::extent(layout, 0));
        result.to_next_row = result.steps[1] - (columns - 1) * result.steps[0];
        return result;
    }

    __device__ std::int32_t offset(const flat_position& at) const {
        std::int32_t sum = 0;
        FOLDWISE_UNROLLED
        for (int axis = 0; axis < flat_axes::most; ++axis)
            sum += static_cast<std::int32_t>(at.coordinates[axis]) * steps[axis];
        return sum;
    }

    /// Elements of an operand from there on, within one plane.
    template <int N, class T> __device__ assembly<T, N> walk(const T* data, const flat_position& at) const {
        assembly<T, N> loaded;
        std::uint32_t column = at.coordinates[0];
        std::int32_t offset = this->offset(at);
        FOLDWISE_UNROLLED
        for (int k = 0; k < N; ++k) {
            loaded.set(k, data[offset]);
            const bool ends_row = ++column == at.columns;
            offset += ends_row ? to_next_row : steps[0];
            if (ends_row) column = 0;
        }
        return loaded;
    }
};

/// How an input is read.
enum class flat_reading {
    vectors,   ///< Whole,
    repeated,  ///< or one element that stands for those of a vector.
    elements,  ///< One by one.
    value,
};

/// Whether an operand of a call that has a layout lies in the order of its elements, without gaps.
inline bool is_in_order(const detail::elementwise_call& call, int operand) {
    if (call.operands[operand].is_scalar) return false;
    std::int64_t stride = 1;
    for (int axis = call.layout->rank - 1; axis >= 0; --axis) {
        if (call.layout->strides[operand][axis] != stride) return false;
        stride *= call.layout->extents[axis];
    }
    return true;
}

/// How to read an input of elements of `size` by vectors that begin `before` elements ahead of the first one.
inline flat_reading reading_of(const detail::elementwise_call& call, int operand, std::int64_t size, int width,
                               std::int64_t before) {
    if (call.operands[operand].is_scalar) return flat_reading::value;
    const detail::elementwise_layout& layout = *call.layout;
    const std::int64_t* strides = layout.strides[operand];
    const int last = layout.rank - 1;
    const bool has_whole_rows = before == 0 && layout.extents[last] % width == 0;
    if (has_whole_rows && strides[last] == 0) return flat_reading::repeated;
    const auto bytes = access_bytes(width * static_cast<int>(size));
    const auto address = reinterpret_cast<std::uintptr_t>(call.operands[operand].data);
    bool are_aligned = (address - static_cast<std::uintptr_t>(before * size)) % static_cast<std::uintptr_t>(bytes) == 0;
    if (!is_in_order(call, operand)) {
        are_aligned = are_aligned && has_whole_rows && strides[last] == 1;
        for (int axis = 0; axis < last; ++axis) are_aligned = are_aligned && strides[axis] * size % bytes == 0;
    }
    return are_aligned ? flat_reading::vectors : flat_reading::elements;
}

/// Whether a call that has a layout can be launched flat.
inline bool is_flat(const detail::elementwise_call& call, int inputs, int operands, int width) {
    const detail::elementwise_layout& layout = *call.layout;
    const int last = layout.rank - 1;
    if (layout.rank > flat_axes::most) return false;
    // A vector that goes beyond its plane is computed element by element: that must be rare.
    if (layout.rank > 2 && layout.extents[last] * layout.extents[last - 1] % width != 0 &&
        layout.extents[last] * layout.extents[last - 1] < 256 * width)
        return false;
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
