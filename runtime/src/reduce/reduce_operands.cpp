// runtime/src/reduce/reduce_operands.cpp: what the operands of a reduction on a GPU are like in memory.
#include "reduce_operands.hpp"

#include <cstdint>

namespace foldwise::detail {

strides strides_between(const std::int64_t* all, int from, int to) {
    strides result{};
    for (int axis = 0; axis < to - from; ++axis) result.steps[axis] = all[to - 1 - axis];
    return result;
}

int reduce_operands::widest_element() const {
    std::int64_t widest = 0;
    for (int i = 0; i < code_.inputs; ++i)
        if (!operand(i).is_whole && size_of(i) > widest) widest = size_of(i);
    return static_cast<int>(widest);
}

bool reduce_operands::are_rows_dense(int number) const {
    if (operand(number).is_scalar) return false;
    std::int64_t step = 1;
    for (int axis = rank_ - 1; axis >= 0; --axis) {
        if (strides_of(number)[axis] != step) return false;
        step *= call_.elements.layout->extents[axis];
    }
    return true;
}

int reduce_operands::staged_element() const {
    std::int64_t bytes = 0;
    for (int i = 0; i < code_.inputs; ++i) bytes += are_rows_dense(i) ? size_of(i) : 0;
    return static_cast<int>(bytes);
}

std::int64_t reduce_operands::folded_step(int number) const {
    if (operand(number).is_scalar) return 0;
    return call_.elements.layout ? strides_of(number)[rank_ - 1] : 1;
}

strides reduce_operands::kept_strides(int number, int but) const {
    if (!call_.elements.layout || operand(number).is_scalar) return {};
    return strides_between(strides_of(number), 0, kept_ - but);
}

bool reduce_operands::is_wide_along(int number, int width, int axis) const {
    const std::int64_t bytes = vector_bytes(code_.operands[number], width);
    const element_layout& layout = *call_.elements.layout;
    if (layout.strides[number][axis] != 1) return false;
    if (reinterpret_cast<std::uintptr_t>(operand(number).data) % static_cast<std::uintptr_t>(bytes) != 0) return false;
    for (int other = 0; other < layout.rank; ++other)
        if (other != axis && layout.strides[number][other] * size_of(number) % bytes != 0) return false;
    return true;
}

bool reduce_operands::are_wide_along(int width, int axis) const {
    if (width == 1 || code_.file->is_reproducible) return false;
    if (call_.elements.layout->extents[axis] % width != 0) return false;  // also without inputs
    for (int i = 0; i < code_.inputs; ++i)
        if (!operand(i).is_whole && !is_wide_along(i, width, axis)) return false;
    return true;
}

bool reduce_operands::has_unit_steps() const {
    for (int i = 0; i < code_.inputs; ++i) {
        const std::int64_t step = folded_step(i);
        if (step != 0 && step != 1) return false;
    }
    return true;
}

bool reduce_operands::are_rows_alike(int number) const {
    for (int axis = 0; axis < kept_; ++axis)
        if (strides_of(number)[axis] * size_of(number) % vector_bytes(code_.operands[number], code_.width) != 0)
            return false;
    return true;
}

bool reduce_operands::is_aligned(int number, std::int64_t before) const {
    return operand(number).is_whole || detail::is_aligned(operand(number), code_.operands[number], code_.width, before);
}

std::int64_t reduce_operands::best_begin() const {
    return detail::best_begin(code_.width, [&](std::int64_t before) {
        std::int64_t sum = 0;
        for (int i = 0; i < code_.inputs; ++i) sum += is_aligned(i, before) ? size_of(i) : 0;
        return sum;
    });
}

int reduce_operands::first_of_elements() const {
    int i = 0;
    while (i < code_.inputs && operand(i).is_whole) ++i;
    return i < code_.inputs ? i : 0;
}

bool reduce_operands::have_same_phases() const {
    const int first = first_of_elements();
    for (int i = 0; i < code_.inputs; ++i) {
        if (operand(i).is_whole) continue;
        if (folded_step(i) != 1) return false;
        for (int axis = 0; axis < kept_; ++axis)
            if ((strides_of(i)[axis] - strides_of(first)[axis]) % code_.width != 0) return false;
    }
    return true;
}

int reduce_operands::axis_of(int rank, std::int64_t step, std::int64_t extent) const {
    if (rank == 1) return step == 1 ? 0 : -1;  // the index is the position, whatever the shape
    if (step == 0 || extent == 0) return -1;   // there are no elements
    std::int64_t inner = 1;
    for (int axis = rank - 1; axis >= 0; --axis) {
        if (inner == step && call_.elements.shape[axis] == extent)
            return call_.elements.first / step % extent == 0 ? axis : -1;
        inner *= call_.elements.shape[axis];
    }
    return -1;
}

int reduce_operands::axis_of_layout(int rank, int axis) const {
    return axis_of(rank, call_.positions[axis], call_.elements.layout->extents[axis]);
}
}  // namespace foldwise::detail
