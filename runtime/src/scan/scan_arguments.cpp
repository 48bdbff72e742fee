// runtime/src/scan/scan_arguments.cpp: checks the operands of a scan, and separates scanned axes from kept ones.
#include "scan_arguments.hpp"

#include "overlap.hpp"
#include "scan/restarts.hpp"

#include <foldwise/error.hpp>

#include <algorithm>
#include <cassert>
#include <string>

namespace foldwise::detail {

namespace {

/// Returns the number of the axis that is scanned, or -1 for all of them.
int scanned_axis(const scan_kernel& kernel, const shape& whole, const axes* along) {
    if (!along) return -1;
    const std::string name = kernel.name;
    if (along->count() != 1)
        throw shape_error(name + ": a scan goes along one axis or, if none is named, through all elements; " +
                          std::to_string(along->count()) + " are named");
    const int number = (*along)[0], rank = whole.rank(), axis = number < 0 ? number + rank : number;
    if (axis < 0 || axis >= rank)
        throw shape_error(name + ": axis " + std::to_string(number) + " is not one of shape " + to_string(whole) +
                          ", which has " + std::to_string(rank) + (rank == 1 ? " axis" : " axes"));
    return axis;
}

/// Moves the scanned axis behind the others, which keep their order.
void put_last(scan_arguments& all, int axis, int operands) {
    const auto move = [&](std::int64_t* values) {
        std::rotate(values + axis, values + axis + 1, values + all.layout.rank);
    };
    move(all.layout.extents);
    for (int i = 0; i < operands; ++i) move(all.strides[i]);
}

/// Returns whether every array is contiguous in the order in which elements are scanned, row after row; and so are the
/// positions of elements, which follow the operands, if `has_positions` is set.
bool are_flat(const scan_arguments& all, int operands, bool has_positions) {
    const auto is_flat = [&](const std::int64_t* strides) {
        std::int64_t expected = 1;
        for (int axis = all.layout.rank - 1; axis >= 0; --axis) {
            if (strides[axis] != expected) return false;
            expected *= all.layout.extents[axis];
        }
        return true;
    };
    for (int i = 0; i < operands; ++i)
        if (!all.operands[i].is_scalar && !is_flat(all.strides[i])) return false;
    return !has_positions || is_flat(all.strides[operands]);
}

/// Has the scanned axes begin at their ends.
void turn(const scan_kernel& kernel, scan_arguments& all, int operands) {
    const int count = kernel.inputs + 1;
    for (int axis = all.kept; axis < all.layout.rank; ++axis)
        for (int i = 0; i < operands; ++i) {
            std::int64_t& stride = all.strides[i][axis];
            const std::int64_t last = (all.layout.extents[axis] - 1) * stride;
            stride = -stride;
            if (i == count)
                all.origin += last;
            else if (!all.operands[i].is_scalar)
                all.operands[i].data = static_cast<std::byte*>(all.operands[i].data) +
                                       last * static_cast<std::int64_t>(kernel.operands[i].size);
        }
}

/// Throws overlap_error if results are written where keys or offsets are read.
void check_overlap_with_restarts(const scan_kernel& kernel, const restarts& given, const scan_arguments& all) {
    const int output = kernel.inputs;
    const std::int64_t written[] = {all.count}, step[] = {1};
    footprint results{reinterpret_cast<std::uintptr_t>(all.operands[output].data), kernel.operands[output].size,
                      written, step};
    if (all.is_strided) {
        const auto rank = static_cast<std::size_t>(all.layout.rank);
        results.extents = {all.layout.extents, rank};
        results.strides = {all.strides[output], rank};
    }
    check_overlap(kernel.name, kernel.operands[output].name, given, *all.restarts, results);
}

}  // namespace

scan_call scan_arguments::call(const scan_kernel& kernel, const scan_options& options, const void* start) const {
    scan_call call{};
    call.elements = {count, operands, is_strided ? &layout : nullptr, origin + first_position(whole), whole.begin()};
    call.kept = kept;
    call.length = length;
    call.positions = strides[kernel.inputs + 1];
    call.start = start;
    if (options.part) {
        call.starts = options.part->starts;
        call.ends = options.part->ends;
    }
    if (restarts) {
        call.restarts = restarts->data;
        call.restart_count = restarts->layout.shape.size();
        call.restart_size = options.where->size;
        call.are_offsets = options.where->are_offsets;
        call.are_signed = options.where->is_signed;
    }
    call.is_exclusive = options.is_exclusive;
    call.is_reverse = options.is_reverse;
    return call;
}

shape shape_of(const scan_kernel& kernel, std::initializer_list<operand_ref> inputs, const scan_options& options) {
    check_operand_count(kernel.name, inputs.size(), 1);
    assert(inputs.size() == static_cast<std::size_t>(kernel.inputs));
    const operand_ref* sources[max_operands];
    int count = 0;
    for (const operand_ref& operand : inputs) sources[count++] = &operand;
    const kernel_operands operands{kernel.name, kernel.operands, kernel.inputs, 0, kernel.index_rank};
    if (!options.whole) return broadcast_shape(operands, sources, count);
    check_broadcast(operands, sources, count, *options.whole);
    return *options.whole;
}

void normalise(const scan_kernel& kernel, std::initializer_list<operand_ref> inputs, const operand_ref& out,
               const scan_options& options, scan_arguments& all) {
    kernel_operands operands = operands_of(kernel);
    if (options.part) operands.index_rank = std::max(operands.index_rank, 1);  // rows keep their order
    const int output = kernel.inputs, strided = operands.count() + (operands.index_rank > 0 ? 1 : 0);
    all.whole = shape_of(kernel, inputs, options);
    const int axis = scanned_axis(kernel, all.whole, options.axes), rank = all.whole.rank();
    int i = 0;
    for (const operand_ref& operand : inputs) all.sources[i++] = all.memory.find(operand);
    all.sources[output] = all.memory.find(out);
    if (!(out.layout.shape == all.whole))
        throw shape_error(std::string(kernel.name) + ": output " + kernel.operands[output].name + " " +
                          to_string(out.layout.shape) + " does not have the elements' shape " + to_string(all.whole));
    check_wholes(operands, all);
    broadcast_to(operands, all, operands.count(), all.whole);
    check_places(operands, all);
    all.length = axis < 0 ? all.count : all.whole[axis];
    if (options.where) {
        all.place_of_restarts = options.where->elements;
        all.restarts = all.memory.find(all.place_of_restarts);
        check_restarts(kernel.name, *options.where, *all.restarts, all.length);
        check_place(kernel.name, *options.where, *all.restarts, all);
    }
    if (all.count == 0) return;
    if (operands.index_rank > 0) {
        std::int64_t stride = 1;
        for (int own = rank - 1; own >= 0; --own) {
            all.strides[output + 1][own] = stride;
            stride *= all.whole[own];
        }
    }
    if (axis >= 0) put_last(all, axis, strided);
    all.kept = coalesce_reduction(operands, all, axis < 0 ? 0 : rank - 1, false);
    all.is_strided = !are_flat(all, operands.count(), operands.index_rank > 0);
    check_overlaps(operands, all);
    check_overlap_with_inputs(operands, all);
    if (all.restarts) check_overlap_with_restarts(kernel, *options.where, all);
    if (options.is_reverse) {
        all.is_strided = true;
        turn(kernel, all, strided);
    }
}

}  // namespace foldwise::detail
