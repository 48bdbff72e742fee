// runtime/src/parts.cpp: halves a call until each part is small enough.
#include "parts.hpp"

#include "arguments.hpp"

#include <algorithm>
#include <cstddef>

namespace foldwise::detail {

void split_call(const kernel_operands& kernel, const element_range& call, const std::int64_t* positions,
                const std::function<void(const element_range&)>& launch) {
    if (call.count <= largest_part) return launch(call);
    int axis = 0;
    while (call.layout->extents[axis] == 1) ++axis;
    const std::int64_t extent = call.layout->extents[axis], below = call.count / extent, half = extent / 2;

    element_layout layout = *call.layout;
    element_range part = call;
    part.layout = &layout;
    layout.extents[axis] = half;
    part.count = half * below;
    split_call(kernel, part, positions, launch);

    operand_address operands[max_operands];
    std::copy_n(call.operands, kernel.count(), operands);
    for (int i = 0; i < kernel.count(); ++i) {
        const auto size = static_cast<std::int64_t>(kernel.operands[i].size);
        operands[i].data = static_cast<std::byte*>(operands[i].data) + half * layout.strides[i][axis] * size;
    }
    part.operands = operands;
    part.first += positions ? half * positions[axis] : part.count;
    layout.extents[axis] = extent - half;
    part.count = (extent - half) * below;
    split_call(kernel, part, positions, launch);
}

}  // namespace foldwise::detail
