// runtime/src/arguments.cpp: checks the operands of a call.
#include "arguments.hpp"

#include "overlap.hpp"

#include <foldwise/error.hpp>

#include <algorithm>
#include <cassert>
#include <cstdio>
#include <string>

namespace foldwise::detail {

namespace {

/// Returns whether every array has the call's shape and no gaps, in which case no other question about shapes arises.
bool are_alike(const kernel_operands& kernel, const arguments& all) {
    const shape& common = all.sources[kernel.inputs]->layout.shape;
    if (kernel.index_rank > 1 && common.rank() != kernel.index_rank) return false;
    for (int i = 0; i < kernel.count(); ++i) {
        const operand_ref& operand = *all.sources[i];
        if (operand.is_scalar) continue;
        if (!(operand.layout.shape == common) || !is_contiguous(operand.layout.shape, operand.layout.strides))
            return false;
    }
    return true;
}

[[noreturn]] void refuse_overlap(const kernel_operands& kernel, int other, int output, const std::string& where) {
    throw overlap_error(std::string(kernel.name) + ": output " + kernel.operands[output].name + " overlaps " +
                        kernel.operands[other].name + where +
                        (other < kernel.inputs ? ": only exactly the same memory is computed in place" : ""));
}

std::string text_of(double number) {
    char text[32];
    std::snprintf(text, sizeof text, "%.17g", number);
    return text;
}

/// Returns what is said of a number that is none of the allowed ones.
std::string text_of(double given, const char* taker, const number_range& allowed) {
    return " is " + text_of(given) + ", and " + taker + (allowed.is_integer ? " integers" : " numbers") + " from " +
           text_of(allowed.lowest) + " to " + text_of(allowed.highest);
}

[[noreturn]] void refuse_value(const kernel_operands& kernel, int index, const operand_ref& operand) {
    throw value_error(std::string(kernel.name) + ": " + kernel.operands[index].name +
                      text_of(operand.given, "its elements are", *operand.allowed));
}

/// Calls `check` with every output and every array operand before it that is in the same place.
template <class Check> void each_pair(const kernel_operands& kernel, const arguments& all, Check check) {
    for (int output = kernel.inputs; output < kernel.count(); ++output) {
        for (int other = 0; other < output; ++other) {
            if (!all.sources[other]->is_scalar && all.sources[other]->place == all.sources[output]->place)
                check(other, output);
        }
    }
}

struct byte_range {
    std::uintptr_t begin, end;
};

byte_range bytes_at(const kernel_operands& kernel, const arguments& all, int index) {
    const auto begin = reinterpret_cast<std::uintptr_t>(all.operands[index].data);
    return {begin, begin + static_cast<std::size_t>(all.count) * kernel.operands[index].size};
}

void check_contiguous_overlap(const kernel_operands& kernel, const arguments& all) {
    each_pair(kernel, all, [&](int other, int output) {
        const byte_range seen = bytes_at(kernel, all, other), written = bytes_at(kernel, all, output);
        const bool apart = seen.end <= written.begin || written.end <= seen.begin;
        const bool same = seen.begin == written.begin && seen.end == written.end;
        if (apart || (same && other < kernel.inputs)) return;
        const std::uintptr_t from = seen.begin > written.begin ? seen.begin : written.begin;
        const std::uintptr_t to = seen.end < written.end ? seen.end : written.end;
        refuse_overlap(kernel, other, output, " in " + std::to_string(to - from) + " bytes");
    });
}

footprint footprint_of(const kernel_operands& kernel, const arguments& all, int index) {
    const auto rank = static_cast<std::size_t>(all.layout.rank);
    return {reinterpret_cast<std::uintptr_t>(all.operands[index].data),
            kernel.operands[index].size,
            {all.layout.extents, rank},
            {all.strides[index], rank}};
}

bool is_same(const footprint& a, const footprint& b) {
    return a.first == b.first && a.size == b.size && std::equal(a.strides.begin(), a.strides.end(), b.strides.begin());
}

void check_strided_overlap(const kernel_operands& kernel, const arguments& all) {
    for (int output = kernel.inputs; output < kernel.count(); ++output) {
        if (overlaps_itself(footprint_of(kernel, all, output)))
            throw overlap_error(std::string(kernel.name) + ": output " + kernel.operands[output].name +
                                " overlaps itself: several of its elements are in the same memory");
    }
    each_pair(kernel, all, [&](int other, int output) {
        const footprint seen = footprint_of(kernel, all, other), written = footprint_of(kernel, all, output);
        if (other < kernel.inputs && is_same(seen, written)) return;
        if (overlap(seen, written)) refuse_overlap(kernel, other, output, "");
    });
}

void normalise_contiguous(const kernel_operands& kernel, arguments& all) {
    check_places(kernel, all);
    all.is_strided = false;
    all.count = all.sources[kernel.inputs]->layout.shape.size();
    for (int i = 0; i < kernel.count(); ++i) all.point(i);
    check_contiguous_overlap(kernel, all);
}

void normalise_strided(const kernel_operands& kernel, arguments& all) {
    broadcast(kernel, all);
    check_places(kernel, all);
    if (all.count == 0) {
        all.is_strided = false;
        return;
    }
    coalesce(kernel, all);
    check_overlaps(kernel, all);
}

}  // namespace

void refuse_value(const char* name, double given, const number_range& allowed) {
    throw value_error(name + text_of(given, "it has to be one of the", allowed));
}

void check_overlaps(const kernel_operands& kernel, const arguments& all) {
    if (all.is_strided)
        check_strided_overlap(kernel, all);
    else
        check_contiguous_overlap(kernel, all);
}

void arguments::point(int index) {
    const operand_ref& source = *sources[index];
    if (!source.is_whole()) {
        operands[index] = {source.data, source.is_scalar};
        return;
    }
    whole_array& whole = wholes[index];
    whole.data = source.data;
    whole.rank = source.whole_axes;
    std::copy_n(source.layout.shape.begin(), whole.rank, whole.extents);
    std::copy_n(source.layout.strides.begin(), whole.rank, whole.strides);
    operands[index] = {&whole, true, true};
}

void check_operand_count(const char* kernel, std::size_t inputs, std::size_t outputs) {
    if (inputs + outputs <= max_operands) return;
    throw error(std::string(kernel) + " has " + std::to_string(inputs + outputs) + " operands, and there is room for " +
                std::to_string(max_operands));
}

void check_places(const kernel_operands& kernel, arguments& all) {
    all.gpu = no_gpu;
    all.on_host = all.has_host_wholes = false;
    int first = 0;
    for (int i = 0; i < kernel.count(); ++i) {
        const operand_ref& operand = *all.sources[i];
        if (operand.allowed) refuse_value(kernel, i, operand);
        if (operand.is_value()) continue;
        if (operand.place.kind == memory::host) {
            (operand.is_whole() ? all.has_host_wholes : all.on_host) = true;
            continue;
        }
        if (all.gpu == no_gpu) {
            first = i;
            all.gpu = operand.place.device;
        }
        if (operand.place.device != all.gpu)
            throw device_error(std::string(kernel.name) + ": operands " + kernel.operands[first].name + " and " +
                               kernel.operands[i].name + " are in the memory of different GPUs, " +
                               std::to_string(all.gpu) + " and " + std::to_string(operand.place.device));
    }
}

void check_wholes(const kernel_operands& kernel, const arguments& all) {
    for (int i = 0; i < kernel.inputs; ++i) {
        const operand_ref& operand = *all.sources[i];
        const shape& own = operand.layout.shape;
        if (operand.is_whole() && own.rank() != operand.whole_axes)
            throw shape_error(std::string(kernel.name) + ": " + kernel.operands[i].name + " has shape " +
                              to_string(own) + ", of rank " + std::to_string(own.rank()) +
                              ", and the lambda takes a view of rank " + std::to_string(operand.whole_axes));
    }
}

void check_overlap_with_inputs(const kernel_operands& kernel, const arguments& all, bool wholes_alone) {
    const auto footprint_of = [&](int index) -> footprint {
        const layout& own = all.sources[index]->layout;
        const auto rank = static_cast<std::size_t>(own.shape.rank());
        return {reinterpret_cast<std::uintptr_t>(all.sources[index]->data),
                kernel.operands[index].size,
                {own.shape.begin(), rank},
                {own.strides.data(), rank}};
    };
    const auto size = [&](int index) { return all.sources[index]->layout.shape.size(); };
    for (int output = kernel.inputs; output < kernel.count(); ++output) {
        for (int i = 0; i < kernel.inputs; ++i) {
            const bool is_read = all.sources[i]->is_whole() || (!wholes_alone && !all.sources[i]->is_scalar);
            const bool may_overlap = is_read && all.sources[i]->place == all.sources[output]->place;
            if (!may_overlap || size(i) == 0 || size(output) == 0) continue;
            if (overlap(footprint_of(i), footprint_of(output)))
                throw overlap_error(std::string(kernel.name) + ": output " + kernel.operands[output].name +
                                    " overlaps " + kernel.operands[i].name +
                                    ", of which every element may be read until the call is complete");
        }
    }
}

void normalise(const kernel_operands& kernel, std::initializer_list<operand_ref> inputs,
               std::initializer_list<operand_ref> outputs, arguments& result) {
    check_operand_count(kernel.name, inputs.size(), outputs.size());
    assert(inputs.size() == static_cast<std::size_t>(kernel.inputs));
    assert(outputs.size() == static_cast<std::size_t>(kernel.outputs) && kernel.outputs > 0);
    int i = 0;
    for (const operand_ref& operand : inputs) result.sources[i++] = result.memory.find(operand);
    for (const operand_ref& operand : outputs) result.sources[i++] = result.memory.find(operand);
    check_wholes(kernel, result);
    if (are_alike(kernel, result))
        normalise_contiguous(kernel, result);
    else
        normalise_strided(kernel, result);
    check_overlap_with_inputs(kernel, result);
}

}  // namespace foldwise::detail
