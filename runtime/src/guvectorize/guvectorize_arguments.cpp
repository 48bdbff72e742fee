// runtime/src/guvectorize/guvectorize_arguments.cpp: checks core dimensions, and broadcasts the axes before them.
#include "guvectorize/guvectorize_arguments.hpp"

#include "guvectorize/cut_items.hpp"
#include "overlap.hpp"

#include <foldwise/error.hpp>

#include <algorithm>
#include <cassert>
#include <span>
#include <string>

namespace foldwise::detail {

namespace {

std::string in_kernel(const guvectorize_kernel& kernel) { return std::string(kernel.name) + ": "; }

/// The axes of an operand before its core dimensions.
shape items_of(const guvectorize_kernel& kernel, const guvectorize_arguments& all, int index) {
    const shape& own = all.sources[index]->layout.shape;
    return shape(std::span(own.begin(), static_cast<std::size_t>(own.rank() - kernel.cores[index].count)));
}

/// "a of shape (3, 4)"
std::string described(const guvectorize_kernel& kernel, const guvectorize_arguments& all, int index) {
    return std::string(kernel.operands[index].name) + " of shape " + to_string(all.sources[index]->layout.shape);
}

/// Checks that an operand has its core dimensions, and that their extents are what the layout and the operands before
/// it say. `first` has the operand that each extent is from.
void check_core(const guvectorize_kernel& kernel, guvectorize_arguments& all, int index, int* first) {
    const core_axes& core = kernel.cores[index];
    const operand_ref& source = *all.sources[index];
    const int rank = source.layout.shape.rank();
    if (rank < core.count)
        throw shape_error(in_kernel(kernel) +
                          (source.is_scalar ? std::string(kernel.operands[index].name) + " is a single value"
                                            : described(kernel, all, index) + " has too few axes") +
                          ", and each item has the core dimensions " + core.text);
    for (int axis = 0; axis < core.count; ++axis) {
        const int number = core.dimensions[axis];
        const core_dimension& dimension = kernel.dimensions[number];
        const std::int64_t extent = source.layout.shape[rank - core.count + axis];
        std::int64_t& known = all.dimensions[number];
        if (known < 0) {
            known = extent;
            first[number] = index;
        }
        if (extent == known) continue;
        if (dimension.size > 0)
            throw shape_error(in_kernel(kernel) + described(kernel, all, index) + " has an extent of " +
                              std::to_string(extent) + " where its core dimensions " + core.text + " say " +
                              std::to_string(known));
        throw shape_error(in_kernel(kernel) + "dimension " + dimension.name + " is " + std::to_string(known) + " in " +
                          described(kernel, all, first[number]) + " and " + std::to_string(extent) + " in " +
                          described(kernel, all, index));
    }
}

/// Throws shape_error unless the items of an input broadcast to `to`, those of the operand `other`.
void check_broadcast(const guvectorize_kernel& kernel, const guvectorize_arguments& all, int index, const shape& to,
                     int other) {
    const shape own = items_of(kernel, all, index);
    bool fits = own.rank() <= to.rank();
    for (int axis = 0; fits && axis < own.rank(); ++axis) {
        const std::int64_t extent = own[axis];
        fits = extent == 1 || extent == to[to.rank() - own.rank() + axis];
    }
    if (!fits)
        throw shape_error(in_kernel(kernel) + "the items of " + described(kernel, all, index) + ", in shape " +
                          to_string(own) + ", do not broadcast to those of " + described(kernel, all, other) +
                          ", in shape " + to_string(to));
}

/// Throws shape_error unless the items of all outputs have one shape, to which those of the inputs broadcast.
void check_items(const guvectorize_kernel& kernel, guvectorize_arguments& all) {
    all.items = items_of(kernel, all, kernel.inputs);
    for (int i = kernel.inputs + 1; i < kernel.inputs + kernel.outputs; ++i)
        if (const shape own = items_of(kernel, all, i); !(own == all.items))
            throw shape_error(in_kernel(kernel) + "the items of " + described(kernel, all, i) + ", in shape " +
                              to_string(own) + ", are not in the shape of those of " +
                              described(kernel, all, kernel.inputs) + ", " + to_string(all.items));
    int longest = 0;
    for (int i = 0; i < kernel.inputs + kernel.outputs; ++i) {
        longest = std::max(longest, kernel.cores[i].count);
        if (i < kernel.inputs && !all.sources[i]->is_scalar) check_broadcast(kernel, all, i, all.items, kernel.inputs);
    }
    if (all.items.rank() + longest > max_rank)
        throw shape_error(in_kernel(kernel) + "items in shape " + to_string(all.items) + " with " +
                          std::to_string(longest) + " core dimensions are more than " + std::to_string(max_rank) +
                          " axes");
}

footprint footprint_of(const guvectorize_kernel& kernel, const guvectorize_arguments& all, int index) {
    const layout& own = all.sources[index]->layout;
    const auto rank = static_cast<std::size_t>(own.shape.rank());
    return {reinterpret_cast<std::uintptr_t>(all.sources[index]->data),
            kernel.operands[index].size,
            {own.shape.begin(), rank},
            {own.strides.data(), rank}};
}

/// Throws overlap_error if an output shares memory with itself or another output.
void check_outputs(const guvectorize_kernel& kernel, const guvectorize_arguments& all) {
    const auto is_empty = [&](int index) { return all.sources[index]->layout.shape.size() == 0; };
    for (int output = kernel.inputs; output < kernel.inputs + kernel.outputs; ++output) {
        if (is_empty(output)) continue;
        if (overlaps_itself(footprint_of(kernel, all, output)))
            throw overlap_error(in_kernel(kernel) + "output " + kernel.operands[output].name +
                                " overlaps itself: several of its elements are in the same memory");
        for (int other = kernel.inputs; other < output; ++other)
            if (!is_empty(other) && all.sources[other]->place == all.sources[output]->place &&
                overlap(footprint_of(kernel, all, other), footprint_of(kernel, all, output)))
                throw overlap_error(in_kernel(kernel) + "output " + kernel.operands[output].name + " overlaps " +
                                    kernel.operands[other].name);
    }
}

/// Describes an operand as backends take it, with one axis of items for each of the call's.
void point(const guvectorize_kernel& kernel, guvectorize_arguments& all, int index) {
    const operand_ref& source = *all.sources[index];
    core_argument& core = all.cores[index];
    core.data = source.data;
    core.is_value = source.is_scalar;
    const int count = kernel.cores[index].count, own = source.layout.shape.rank() - count;
    for (int axis = 0; axis < count; ++axis) {
        core.extents[axis] = source.layout.shape[own + axis];
        core.strides[axis] = source.layout.strides[static_cast<std::size_t>(own + axis)];
    }
    const int added = all.items.rank() - own;
    for (int axis = 0; axis < all.items.rank(); ++axis) {
        const bool repeats = source.is_scalar || axis < added || source.layout.shape[axis - added] == 1;
        core.item_strides[axis] = repeats ? 0 : source.layout.strides[static_cast<std::size_t>(axis - added)];
    }
}

}  // namespace

void check_cores(const guvectorize_kernel& kernel, std::initializer_list<operand_ref> operands,
                 guvectorize_arguments& result) {
    check_operand_count(kernel.name, operands.size(), 0);
    int first[max_core_dimensions] = {};
    for (int i = 0; i < kernel.dimension_count; ++i)
        result.dimensions[i] = kernel.dimensions[i].size > 0 ? kernel.dimensions[i].size : -1;
    int index = 0;
    for (const operand_ref& operand : operands) {
        result.sources[index] = result.memory.find(operand);
        check_core(kernel, result, index, first);
        ++index;
    }
}

shape items_of_inputs(const guvectorize_kernel& kernel, const guvectorize_arguments& all) {
    std::int64_t extents[max_rank];
    int rank = 0, longest = 0;
    for (int i = 0; i < kernel.inputs; ++i) {
        if (all.sources[i]->is_scalar) continue;
        if (const int own = items_of(kernel, all, i).rank(); own > rank) {
            rank = own;
            longest = i;
        }
    }
    std::fill_n(extents, rank, 1);
    for (int i = 0; i < kernel.inputs; ++i) {
        if (all.sources[i]->is_scalar) continue;
        const shape own = items_of(kernel, all, i);
        for (int axis = 0; axis < own.rank(); ++axis) {
            std::int64_t& known = extents[rank - own.rank() + axis];
            if (own[axis] != 1 && known == 1) {
                known = own[axis];
                longest = i;
            }
        }
    }
    const shape common(std::span<const std::int64_t>(extents, static_cast<std::size_t>(rank)));
    for (int i = 0; i < kernel.inputs; ++i)
        if (!all.sources[i]->is_scalar) check_broadcast(kernel, all, i, common, longest);
    return common;
}

void normalise(const guvectorize_kernel& kernel, std::initializer_list<operand_ref> operands,
               guvectorize_arguments& result) {
    assert(operands.size() == static_cast<std::size_t>(kernel.inputs + kernel.outputs) && kernel.outputs > 0);
    check_cores(kernel, operands, result);
    check_items(kernel, result);
    const kernel_operands common = operands_of(kernel);
    check_places(common, result);
    check_overlap_with_inputs(common, result, /*wholes_alone=*/false);
    check_outputs(kernel, result);
    result.count = result.items.size();
    for (int i = 0; i < common.count(); ++i) point(kernel, result, i);
    result.all.axes = result.items.rank();
    std::copy(result.items.begin(), result.items.begin() + result.all.axes, result.all.extents);
    merge_axes(result.all, result.cores, common.count());
    result.all.count = result.count;
    result.all.arguments = result.cores;
}

}  // namespace foldwise::detail
