// runtime/src/broadcast.cpp: finds the shape of a call by NumPy's rules, and broadcasts every operand to it.
#include "arguments.hpp"

#include <foldwise/error.hpp>

#include <algorithm>
#include <string>

namespace foldwise::detail {

namespace {

/// Formats an operand as "x (3, 4)".
std::string describe(const kernel_operands& kernel, int index, const operand_ref& operand) {
    return kernel.operands[index].name + (" " + to_string(operand.layout.shape));
}

/// Formats a difference as "axis -2 has 3 and 4 elements": axes are counted from the last, where shapes are aligned.
std::string describe_axis(int from_last, std::int64_t a, std::int64_t b) {
    return "axis -" + std::to_string(from_last) + " has " + std::to_string(a) + " and " + std::to_string(b) +
           " elements";
}

/// Returns the extent of an axis, counted from 1 at the last.
std::int64_t extent_at(const shape& extents, int from_last) { return extents[extents.rank() - from_last]; }

[[noreturn]] void refuse_shapes(const kernel_operands& kernel, const operand_ref* const* sources, int index,
                                int from_last) {
    const std::int64_t extent = extent_at(sources[index]->layout.shape, from_last);
    const auto clashes = [&](const operand_ref& other) {
        if (other.is_scalar || other.layout.shape.rank() < from_last) return false;
        const std::int64_t theirs = extent_at(other.layout.shape, from_last);
        return theirs != 1 && theirs != extent;
    };
    int other = 0;
    while (!clashes(*sources[other])) ++other;
    const std::int64_t theirs = extent_at(sources[other]->layout.shape, from_last);
    const bool are_rows = sources[other]->layout.shape.rank() == 1 && sources[index]->layout.shape.rank() == 1;
    throw shape_error(std::string(kernel.name) + ": operands " + describe(kernel, other, *sources[other]) + " and " +
                      describe(kernel, index, *sources[index]) + " do not broadcast: " +
                      (are_rows ? "they have " + std::to_string(theirs) + " and " + std::to_string(extent) + " elements"
                                : describe_axis(from_last, theirs, extent)));
}

/// Throws shape_error: outputs are not broadcast, and nothing is broadcast beyond them.
[[noreturn]] void refuse_output(const kernel_operands& kernel, const arguments& all, int index, const shape& wanted) {
    const operand_ref& output = *all.sources[index];
    std::string text = std::string(kernel.name) + ": output " + describe(kernel, index, output) +
                       " does not have the call's shape " + to_string(wanted) + ": ";
    const shape& got = output.layout.shape;
    if (got.rank() != wanted.rank()) {
        text += "it has " + std::to_string(got.rank()) + (got.rank() == 1 ? " axis" : " axes") + ", not " +
                std::to_string(wanted.rank());
    } else if (wanted.rank() == 1) {
        text += "it has " + std::to_string(got[0]) + (got[0] == 1 ? " element" : " elements") + ", not " +
                std::to_string(wanted[0]);
    } else {
        int from_last = 1;
        while (extent_at(got, from_last) == extent_at(wanted, from_last)) ++from_last;
        text += describe_axis(from_last, extent_at(got, from_last), extent_at(wanted, from_last));
    }
    throw shape_error(text);
}

/// Returns the call's shape: that of the inputs or, if all inputs are scalars, of the first output. A kernel that takes
/// an index writes different elements even where its inputs are the same, so its inputs broadcast to its output.
shape shape_of_call(const kernel_operands& kernel, const arguments& all) {
    const operand_ref* const* inputs_end = all.sources + kernel.inputs;
    const bool has_arrays =
        std::any_of(all.sources, inputs_end, [](const operand_ref* input) { return !input->is_scalar; });
    if (!has_arrays) return (*inputs_end)->layout.shape;
    if (kernel.index_rank > 0) return broadcast_shape(kernel, all.sources, kernel.inputs + 1);
    return broadcast_shape(kernel, all.sources, kernel.inputs);
}

}  // namespace

shape broadcast_shape(const kernel_operands& kernel, const operand_ref* const* sources, int count) {
    std::int64_t extents[] = {1, 1, 1, 1, 1, 1, 1, 1};
    static_assert(std::size(extents) == max_rank);
    int rank = 0;
    for (int i = 0; i < count; ++i) {
        if (sources[i]->is_scalar) continue;
        const shape& own = sources[i]->layout.shape;
        rank = std::max(rank, own.rank());
        for (int from_last = 1; from_last <= own.rank(); ++from_last) {
            std::int64_t& common = extents[max_rank - from_last];
            const std::int64_t extent = extent_at(own, from_last);
            if (common != 1 && extent != 1 && common != extent) refuse_shapes(kernel, sources, i, from_last);
            if (common == 1) common = extent;
        }
    }
    return shape(std::span<const std::int64_t>(extents + (max_rank - rank), static_cast<std::size_t>(rank)));
}

void check_broadcast(const kernel_operands& kernel, const operand_ref* const* sources, int count, const shape& given) {
    for (int i = 0; i < count; ++i) {
        if (sources[i]->is_scalar) continue;
        const shape& own = sources[i]->layout.shape;
        const std::string text = std::string(kernel.name) + ": operand " + describe(kernel, i, *sources[i]) +
                                 " does not broadcast to the shape " + to_string(given) + " that the call is given: ";
        if (own.rank() > given.rank())
            throw shape_error(text + "it has " + std::to_string(own.rank()) + " axes and not " +
                              std::to_string(given.rank()));
        for (int from_last = 1; from_last <= own.rank(); ++from_last) {
            const std::int64_t extent = extent_at(own, from_last), wanted = extent_at(given, from_last);
            if (extent != 1 && extent != wanted) throw shape_error(text + describe_axis(from_last, extent, wanted));
        }
    }
}

void broadcast_to(const kernel_operands& kernel, arguments& all, int count, const shape& common) {
    if (kernel.index_rank > 1 && common.rank() != kernel.index_rank)
        throw shape_error(std::string(kernel.name) + ": its index has " + std::to_string(kernel.index_rank) +
                          " axes, and the call's shape is " + to_string(common));
    all.count = common.size();
    all.is_strided = true;
    all.layout.rank = common.rank();
    all.layout.strides = all.strides;
    std::copy(common.begin(), common.end(), all.layout.extents);
    for (int i = 0; i < count; ++i) {
        const operand_ref& operand = *all.sources[i];
        all.point(i);
        const int added = operand.is_scalar ? common.rank() : common.rank() - operand.layout.shape.rank();
        for (int axis = 0; axis < common.rank(); ++axis) {
            const int own = axis - added;
            const bool stretches = own < 0 || operand.layout.shape[own] == 1;
            all.strides[i][axis] = stretches ? 0 : operand.layout.strides[static_cast<std::size_t>(own)];
        }
    }
}

void broadcast(const kernel_operands& kernel, arguments& all) {
    const shape common = shape_of_call(kernel, all);
    for (int i = kernel.inputs; i < kernel.count(); ++i) {
        if (!(all.sources[i]->layout.shape == common)) refuse_output(kernel, all, i, common);
    }
    broadcast_to(kernel, all, kernel.count(), common);
}

}  // namespace foldwise::detail
