// runtime/src/arguments.cpp: checks the operands of a call.
#include "arguments.hpp"

#include <foldwise/error.hpp>

#include <cassert>
#include <string>

namespace foldwise::detail {

namespace {

/// "x (3, 4)"
std::string describe(const elementwise_kernel& kernel, int index, const operand_ref& operand) {
    return kernel.operands[index].name + (" " + to_string(operand.layout.shape));
}

[[noreturn]] void refuse_shapes(const elementwise_kernel& kernel, const arguments& all, int a, int b) {
    throw shape_error(std::string(kernel.name) + ": operands " + describe(kernel, a, *all.sources[a]) + " and " +
                      describe(kernel, b, *all.sources[b]) + " do not have the same shape");
}

void check_shapes(const elementwise_kernel& kernel, const arguments& all) {
    int first = 0;
    while (all.sources[first]->is_scalar) ++first;  // there is an output, which is none
    const shape& common = all.sources[first]->layout.shape;
    for (int i = first; i < operands_of(kernel); ++i) {
        const operand_ref& operand = *all.sources[i];
        if (operand.is_scalar) continue;
        if (!(operand.layout.shape == common)) refuse_shapes(kernel, all, first, i);
        if (!is_contiguous(operand.layout.shape, operand.layout.strides))
            throw shape_error(std::string(kernel.name) + ": operand " + describe(kernel, i, operand) +
                              " is not contiguous");
    }
}

void check_places(const elementwise_kernel& kernel, arguments& all) {
    all.on_gpu = all.on_host = false;
    int first = 0;
    for (int i = 0; i < operands_of(kernel); ++i) {
        const operand_ref& operand = *all.sources[i];
        if (operand.is_scalar) continue;
        if (operand.place.kind == memory::host) {
            all.on_host = true;
            continue;
        }
        if (!all.on_gpu) first = i;
        all.on_gpu = true;
        const int device = all.sources[first]->place.device;
        if (operand.place.device != device)
            throw device_error(std::string(kernel.name) + ": operands " + kernel.operands[first].name + " and " +
                               kernel.operands[i].name + " are in the memory of different GPUs, " +
                               std::to_string(device) + " and " + std::to_string(operand.place.device));
    }
}

struct byte_range {
    std::uintptr_t begin, end;
};

byte_range bytes_at(const elementwise_kernel& kernel, const arguments& all, int index) {
    const auto begin = reinterpret_cast<std::uintptr_t>(all.sources[index]->data);
    return {begin, begin + static_cast<std::size_t>(all.count) * kernel.operands[index].size};
}

[[noreturn]] void refuse_overlap(const elementwise_kernel& kernel, int other, int output, std::size_t bytes) {
    throw overlap_error(std::string(kernel.name) + ": output " + kernel.operands[output].name + " overlaps " +
                        kernel.operands[other].name + " in " + std::to_string(bytes) + " bytes" +
                        (other < kernel.inputs ? ": only exactly the same memory is computed in place" : ""));
}

void check_overlap(const elementwise_kernel& kernel, const arguments& all) {
    for (int output = kernel.inputs; output < operands_of(kernel); ++output) {
        const byte_range written = bytes_at(kernel, all, output);
        for (int other = 0; other < output; ++other) {
            if (all.sources[other]->is_scalar || !(all.sources[other]->place == all.sources[output]->place)) continue;
            const byte_range seen = bytes_at(kernel, all, other);
            const bool apart = seen.end <= written.begin || written.end <= seen.begin;
            const bool same = seen.begin == written.begin && seen.end == written.end;
            if (apart || (same && other < kernel.inputs)) continue;
            const std::uintptr_t from = seen.begin > written.begin ? seen.begin : written.begin;
            const std::uintptr_t to = seen.end < written.end ? seen.end : written.end;
            refuse_overlap(kernel, other, output, to - from);
        }
    }
}

}  // namespace

void normalise(const elementwise_kernel& kernel, std::initializer_list<operand_ref> inputs,
               std::initializer_list<operand_ref> outputs, arguments& result) {
    assert(inputs.size() == static_cast<std::size_t>(kernel.inputs));
    assert(outputs.size() == static_cast<std::size_t>(kernel.outputs) && kernel.outputs > 0);
    assert(operands_of(kernel) <= max_operands);
    int i = 0;
    for (const operand_ref& operand : inputs) result.sources[i++] = &operand;
    for (const operand_ref& operand : outputs) result.sources[i++] = &operand;
    check_shapes(kernel, result);
    check_places(kernel, result);
    result.count = result.sources[kernel.inputs]->layout.shape.size();
    check_overlap(kernel, result);
    for (i = 0; i < operands_of(kernel); ++i)
        result.operands[i] = {result.sources[i]->data, result.sources[i]->is_scalar};
}

}  // namespace foldwise::detail
