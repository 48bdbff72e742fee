// runtime/src/scatter/scatter_arguments.cpp: checks the operands of a scattered fold.
#include "scatter/scatter_arguments.hpp"

#include "overlap.hpp"

#include <foldwise/error.hpp>

#include <algorithm>
#include <cassert>
#include <string>

namespace foldwise::detail {

namespace {

/// Throws shape_error unless the output has the axes of the map's places, and overlap_error if it overlaps itself.
void check_bins(const scatter_kernel& kernel, const operand_ref& out) {
    const shape& own = out.layout.shape;
    const std::string name = std::string(kernel.name) + ": output " + kernel.operands[kernel.inputs].name;
    if (own.rank() != kernel.bin_axes)
        throw shape_error(name + " has shape " + to_string(own) + ", of rank " + std::to_string(own.rank()) +
                          ", and the places of the map have " + std::to_string(kernel.bin_axes) +
                          (kernel.bin_axes == 1 ? " axis" : " axes"));
    if (own.size() == 0) return;
    const auto rank = static_cast<std::size_t>(own.rank());
    const footprint written = {reinterpret_cast<std::uintptr_t>(out.data),
                               kernel.operands[kernel.inputs].size,
                               {own.begin(), rank},
                               {out.layout.strides.data(), rank}};
    if (overlaps_itself(written))
        throw overlap_error(name + " overlaps itself: several of its elements are in the same memory");
}

}  // namespace

std::int64_t scatter_arguments::bin_count(const scatter_kernel& kernel) const {
    std::int64_t product = 1;
    for (int axis = 0; axis < kernel.bin_axes; ++axis) product *= bins.extents[axis];
    return product;
}

int scatter_arguments::chunks(const scatter_kernel& kernel) const {
    constexpr std::int64_t most = 512, least_elements = 2048, most_bytes = std::int64_t{64} << 20;
    const std::int64_t bin_total = bin_count(kernel), size = kernel.operands[kernel.inputs].size;
    if (bin_total == 0) return 1;
    // Joining the copies takes as long as combining as many elements.
    const std::int64_t useful = std::min({most, count / least_elements, count / bin_total});
    return static_cast<int>(std::max<std::int64_t>(std::min(useful, most_bytes / (bin_total * size)), 1));
}

std::size_t scatter_arguments::copy_bytes(const scatter_kernel& kernel) const {
    const int parts = chunks(kernel);
    return parts == 1 ? 0 : static_cast<std::size_t>(parts * bin_count(kernel)) * kernel.operands[kernel.inputs].size;
}

scatter_call scatter_arguments::call(const scatter_kernel& kernel) const {
    return {.elements = {count, operands, is_strided ? &layout : nullptr, first_position(whole), whole.begin()},
            .bins = bins,
            .bin_axes = kernel.bin_axes,
            .is_fresh = is_fresh,
            .chunks = chunks(kernel),
            .sort = nullptr,
            .memory = nullptr,
            .memory_bytes = 0,
            .needed = nullptr};
}

void normalise(const scatter_kernel& kernel, std::initializer_list<operand_ref> inputs, const operand_ref& out,
               scatter_arguments& result) {
    check_operand_count(kernel.name, inputs.size(), 1);
    assert(inputs.size() == static_cast<std::size_t>(kernel.inputs));
    const int output = kernel.inputs;
    int i = 0;
    for (const operand_ref& operand : inputs) result.sources[i++] = result.memory.find(operand);
    result.sources[output] = result.memory.find(out);
    const kernel_operands elements = inputs_of(kernel);
    check_wholes(elements, result);
    result.whole = broadcast_shape(elements, result.sources, kernel.inputs);
    if (kernel.index_rank <= 1 || result.whole.rank() == kernel.index_rank)
        broadcast_to(elements, result, kernel.inputs, result.whole);
    else
        broadcast_to(operands_of(kernel), result, kernel.inputs, result.whole);  // says that the ranks differ
    check_bins(kernel, out);
    check_places(operands_of(kernel), result);
    check_overlap_with_inputs(operands_of(kernel), result, /*wholes_alone=*/false);
    result.operands[output] = {out.data, false};
    result.bins.data = out.data;
    std::copy_n(out.layout.shape.begin(), kernel.bin_axes, result.bins.extents);
    std::copy_n(out.layout.strides.begin(), kernel.bin_axes, result.bins.strides);
    if (result.count == 0)
        result.is_strided = false;
    else
        coalesce(elements, result);
}

}  // namespace foldwise::detail
