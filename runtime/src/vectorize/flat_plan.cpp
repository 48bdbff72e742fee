// runtime/src/vectorize/flat_plan.cpp: plans flat launches of vectorize calls, whose threads compute vectors of
// contiguous outputs from inputs of any layout.
#include "vectorize/flat_plan.hpp"

namespace foldwise::detail {

namespace {

/// Returns the extent of an axis, counted from the innermost; 1 for axes that do not exist.
std::uint32_t extent_of(const element_layout& layout, int axis) {
    return axis < layout.rank ? static_cast<std::uint32_t>(layout.extents[layout.rank - 1 - axis]) : 1;
}

/// Returns whether an operand of a call with a layout has its elements in order, without gaps.
bool is_in_order(const element_range& call, int operand) {
    if (call.operands[operand].is_scalar) return false;
    std::int64_t stride = 1;
    for (int axis = call.layout->rank - 1; axis >= 0; --axis) {
        if (call.layout->strides[operand][axis] != stride) return false;
        stride *= call.layout->extents[axis];
    }
    return true;
}

}  // namespace

flat_axes flat_axes_of(const element_layout& layout, int width, std::int64_t before) {
    flat_axes result{};
    result.rank = layout.rank;
    for (int axis = 0; axis + 1 < flat_axes::most; ++axis)
        result.extents[axis] = divider<std::uint32_t>::by(extent_of(layout, axis));
    // A plane consists of the two innermost axes. Where vectors can cross its end, kernels have to know its size.
    const std::uint32_t plane = extent_of(layout, 0) * extent_of(layout, 1);
    const bool is_cut = layout.rank > 2 && (before != 0 || plane % static_cast<std::uint32_t>(width) != 0);
    result.plane = is_cut ? plane : UINT32_MAX;
    return result;
}

flat_steps flat_steps_of(const element_layout& layout, int operand) {
    flat_steps result{};
    for (int axis = 0; axis < layout.rank; ++axis)
        result.steps[axis] = static_cast<std::int32_t>(layout.strides[operand][layout.rank - 1 - axis]);
    const auto columns = static_cast<std::int32_t>(extent_of(layout, 0));
    result.to_next_row = result.steps[1] - (columns - 1) * result.steps[0];
    return result;
}

flat_reading reading_of(const element_range& call, int operand, std::int64_t size, int width, std::int64_t before) {
    if (call.operands[operand].is_scalar) return flat_reading::value;
    const element_layout& layout = *call.layout;
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

bool is_flat(const element_range& call, int inputs, int operands, int width) {
    const element_layout& layout = *call.layout;
    const int last = layout.rank - 1;
    if (layout.rank > flat_axes::most) return false;
    // A vector that crosses the end of its plane is computed element by element, which must be rare.
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

}  // namespace foldwise::detail
