// runtime/src/reduce/reduce_segments.cpp: checks the operands and the offsets of a reduction of segments.
#include "checks.hpp"
#include "overlap.hpp"
#include "reduce_arguments.hpp"
#include "scan/restarts.hpp"

#include <foldwise/error.hpp>

#include <algorithm>
#include <string>

namespace foldwise::detail {

namespace {

/// Throws empty_error if some segment has no elements, as far as offsets are on the host.
void check_for_elements(const reduce_kernel& kernel, const reduce_arguments& all) {
    if (all.offsets->place.kind != memory::host) return;
    const segments_of_call& segments = all.segments;
    with_offsets(segments.offsets, segments.size, segments.is_signed, [&](const auto* offsets) {
        const auto* const end = offsets + segments.count + 1;
        const auto* const found = std::adjacent_find(offsets, end);
        if (found != end) throw empty_error(std::string(kernel.name) + ": " + empty_segment(found - offsets));
    });
}

/// Throws overlap_error, because results are written while others are still being computed.
void check_overlaps_of_segments(const reduce_kernel& kernel, const offset_range& given, const reduce_arguments& all) {
    const int output = kernel.inputs;
    const auto address = [](const void* data) { return reinterpret_cast<std::uintptr_t>(data); };
    const footprint written{address(all.operands[output].data),
                            kernel.operands[output].size,
                            {&all.segments.count, 1},
                            {&all.segments.step, 1}};
    const std::string text = std::string(kernel.name) + ": output " + kernel.operands[output].name + " overlaps ";
    if (overlaps_itself(written)) throw overlap_error(text + "itself: several of its elements are in the same memory");
    check_overlap(kernel.name, kernel.operands[output].name, given, *all.offsets, written);
    for (int i = 0; i < output && all.count > 0; ++i) {
        const operand_address& input = all.operands[i];
        if (input.is_whole || all.sources[i]->is_scalar || !(all.sources[i]->place == all.sources[output]->place))
            continue;
        const footprint read{
            address(input.data), kernel.operands[i].size, {all.layout.extents, 1}, {all.strides[i], 1}};
        if (overlap(read, written)) throw overlap_error(text + kernel.operands[i].name);
    }
}

}  // namespace

reduce_shapes shapes_of_segments(const reduce_kernel& kernel, std::initializer_list<operand_ref> inputs,
                                 const offset_range& offsets, const reduce_options& options) {
    reduce_shapes shapes = shapes_of(kernel, inputs, nullptr, options);
    const std::string name = std::string(kernel.name) + ": ";
    if (shapes.whole.rank() != 1)
        throw shape_error(name + "segments are those of one axis, and the elements' shape is " +
                          to_string(shapes.whole));
    const std::int64_t count = offsets.elements.layout.shape.size();
    if (count == 0) throw shape_error(name + "there are no offsets; n segments have n + 1 of them");
    shapes.results = shape{count - 1};
    return shapes;
}

void normalise_segments(const reduce_kernel& kernel, std::initializer_list<operand_ref> inputs, const operand_ref& out,
                        const offset_range& offsets, bool may_be_empty, reduce_arguments& all) {
    const kernel_operands operands = operands_of(kernel);
    const int output = kernel.inputs;
    int i = 0;
    for (const operand_ref& operand : inputs) all.sources[i++] = all.memory.find(operand);
    all.sources[output] = all.memory.find(out);
    all.offsets = all.memory.find(offsets.elements);
    check_wholes(operands, all);
    check_restarts(kernel.name, offsets, *all.offsets, all.shapes.whole[0]);
    broadcast_to(operands, all, kernel.inputs, all.shapes.whole);
    check_places(operands, all);
    check_place(kernel.name, offsets, *all.offsets, all);
    all.operands[output] = {out.data, false};
    all.strides[output][0] = 0;
    if (kernel.index_rank > 0) all.strides[output + 1][0] = 1;
    all.kept = 0;
    all.is_strided = true;
    all.segments = {.offsets = all.offsets->data,
                    .count = all.shapes.results.size(),
                    .step = out.layout.strides[0],
                    .size = offsets.size,
                    .is_signed = offsets.is_signed};
    if (all.segments.count == 0) return;
    check_overlaps_of_segments(kernel, offsets, all);
    check_overlap_with_inputs(operands, all);
    if (!may_be_empty) check_for_elements(kernel, all);
}

}  // namespace foldwise::detail
