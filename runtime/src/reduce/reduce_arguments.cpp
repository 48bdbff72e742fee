// runtime/src/reduce/reduce_arguments.cpp: checks the operands of a reduction, and separates folded axes from kept
// ones.
#include "reduce_arguments.hpp"

#include "overlap.hpp"

#include <foldwise/error.hpp>

#include <algorithm>
#include <cassert>
#include <string>

namespace foldwise {

void axes::refuse_count() {
    throw shape_error("more than " + std::to_string(max_rank) + " axes are named, and no shape has as many");
}

}  // namespace foldwise

namespace foldwise::detail {

namespace {

void mark_folded(const reduce_kernel& kernel, const axes* along, reduce_shapes& shapes) {
    const int rank = shapes.whole.rank();
    std::fill_n(shapes.is_folded, max_axes, along == nullptr);
    if (!along) return;
    for (int i = 0; i < along->count(); ++i) {
        const int number = (*along)[i], axis = number < 0 ? number + rank : number;
        const auto refuse = [&](const std::string& why) {
            throw shape_error(std::string(kernel.name) + ": axis " + std::to_string(number) + why);
        };
        if (axis < 0 || axis >= rank)
            refuse(" is not one of shape " + to_string(shapes.whole) + ", which has " + std::to_string(rank) +
                   (rank == 1 ? " axis" : " axes"));
        if (shapes.is_folded[axis]) refuse(" of shape " + to_string(shapes.whole) + " is named twice");
        shapes.is_folded[axis] = true;
    }
}

/// Moves the kept axes to the front; both kinds keep their order. Returns the number of kept axes.
int put_kept_first(const kernel_operands& operands, reduce_arguments& all) {
    const int rank = all.layout.rank, count = operands.count() + (operands.index_rank > 0 ? 1 : 0);
    int order[max_axes], kept = 0;
    for (int axis = 0; axis < rank; ++axis)
        if (!all.shapes.is_folded[axis]) order[kept++] = axis;
    for (int axis = 0, at = kept; axis < rank; ++axis)
        if (all.shapes.is_folded[axis]) order[at++] = axis;
    const auto permute = [&](std::int64_t* values) {
        std::int64_t before[max_axes];
        std::copy_n(values, rank, before);
        for (int axis = 0; axis < rank; ++axis) values[axis] = before[order[axis]];
    };
    permute(all.layout.extents);
    for (int i = 0; i < count; ++i) permute(all.strides[i]);
    return kept;
}

/// Writes the strides of the results along the axes of the whole shape; they are zero along folded axes.
void stride_results(const reduce_shapes& shapes, const operand_ref& out, std::int64_t* strides) {
    const bool keepdims = shapes.results.rank() == shapes.whole.rank();
    for (int axis = 0, own = 0; axis < shapes.whole.rank(); ++axis) {
        strides[axis] = shapes.is_folded[axis] ? 0 : out.layout.strides[static_cast<std::size_t>(own)];
        if (keepdims || !shapes.is_folded[axis]) ++own;
    }
}

void stride_positions(const shape& whole, std::int64_t* strides) {
    std::int64_t stride = 1;
    for (int axis = whole.rank() - 1; axis >= 0; --axis) {
        strides[axis] = stride;
        stride *= whole[axis];
    }
}

footprint footprint_of(const reduce_arguments& all, const operand_info& operand, int index, int axes) {
    return {reinterpret_cast<std::uintptr_t>(all.operands[index].data),
            operand.size,
            {all.layout.extents, static_cast<std::size_t>(axes)},
            {all.strides[index], static_cast<std::size_t>(axes)}};
}

/// Throws overlap_error, because results are written while others are still being computed.
void check_overlap(const reduce_kernel& kernel, const reduce_arguments& all) {
    const int out = kernel.inputs;
    const footprint written = footprint_of(all, kernel.operands[out], out, all.kept);
    const std::string text = std::string(kernel.name) + ": output " + kernel.operands[out].name + " overlaps ";
    if (overlaps_itself(written)) throw overlap_error(text + "itself: several of its elements are in the same memory");
    if (all.count == 0) return;
    for (int i = 0; i < out; ++i) {
        if (all.sources[i]->is_scalar || !(all.sources[i]->place == all.sources[out]->place)) continue;
        if (overlap(footprint_of(all, kernel.operands[i], i, all.layout.rank), written))
            throw overlap_error(text + kernel.operands[i].name);
    }
}

}  // namespace

std::int64_t reduce_arguments::length() const {
    if (!is_strided || count == 0) return count;
    std::int64_t product = 1;
    for (int axis = kept; axis < layout.rank; ++axis) product *= layout.extents[axis];
    return product;
}

reduce_call reduce_arguments::call(const reduce_kernel& kernel, const void* initial) const {
    reduce_call call{};
    call.elements = {count, operands, is_strided ? &layout : nullptr, first_position(shapes.whole),
                     shapes.whole.begin()};
    call.kept = kept;
    call.positions = strides[kernel.inputs + 1];
    call.initial = initial;
    call.is_first = call.is_last = true;
    call.segments = offsets ? &segments : nullptr;
    call.stage = stage;
    return call;
}

reduce_shapes shapes_of(const reduce_kernel& kernel, std::initializer_list<operand_ref> inputs, const axes* along,
                        const reduce_options& options) {
    check_operand_count(kernel.name, inputs.size(), 1);
    assert(inputs.size() == static_cast<std::size_t>(kernel.inputs));
    const operand_ref* sources[max_operands];
    int count = 0;
    for (const operand_ref& operand : inputs) sources[count++] = &operand;
    reduce_shapes shapes;
    shapes.whole = broadcast_shape(inputs_of(kernel), sources, count);
    if (options.whole) {
        check_broadcast(inputs_of(kernel), sources, count, *options.whole);
        shapes.whole = *options.whole;
    }
    mark_folded(kernel, along, shapes);
    std::int64_t extents[max_axes];
    std::size_t rank = 0;
    for (int axis = 0; axis < shapes.whole.rank(); ++axis) {
        if (!shapes.is_folded[axis])
            extents[rank++] = shapes.whole[axis];
        else if (options.keepdims)
            extents[rank++] = 1;
    }
    shapes.results = shape(std::span<const std::int64_t>(extents, rank));
    return shapes;
}

void normalise(const reduce_kernel& kernel, std::initializer_list<operand_ref> inputs, const operand_ref& out,
               bool along_axes, reduce_arguments& all) {
    const kernel_operands operands = operands_of(kernel);
    const int output = kernel.inputs;
    int i = 0;
    for (const operand_ref& operand : inputs) all.sources[i++] = all.memory.find(operand);
    all.sources[output] = all.memory.find(out);
    check_wholes(operands, all);
    broadcast_to(operands, all, kernel.inputs, all.shapes.whole);
    check_places(operands, all);
    all.operands[output] = {out.data, false};
    if (along_axes) {
        stride_results(all.shapes, out, all.strides[output]);
    } else {
        std::fill_n(all.strides[output], max_axes, 0);
    }
    if (kernel.index_rank > 0) stride_positions(all.shapes.whole, all.strides[output + 1]);
    const int kept = put_kept_first(operands, all);
    all.kept = coalesce_reduction(operands, all, kept, kernel.commutes);
    if (all.count == 0) {
        all.layout.rank = all.kept;
        all.is_strided = all.kept > 0;
    }
    if (along_axes && all.shapes.results.size() > 0) {
        check_overlap(kernel, all);
        check_overlap_with_inputs(operands, all);
    }
}

}  // namespace foldwise::detail
