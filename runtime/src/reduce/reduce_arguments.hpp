// runtime/src/reduce/reduce_arguments.hpp: the operands of a reduction, checked and in the form that backends take.
#pragma once

#include "arguments.hpp"

#include <foldwise/detail/reduce_kernel.hpp>
#include <foldwise/reduce_options.hpp>

#include <initializer_list>

namespace foldwise::detail {

/// The axes that a call reduces along, and the shapes that follow from them.
struct reduce_shapes {
    shape whole;               ///< The call's shape, to which the inputs broadcast.
    shape results;             ///< The shape of the results; with keepdims it has as many axes as `whole`.
    bool is_folded[max_axes];  ///< For each axis of `whole`: whether it is reduced.
};

/// The checked operands of one reduction. Lives on the call's stack.
struct reduce_arguments : arguments {
    using arguments::arguments;
    reduce_arguments() = default;

    reduce_shapes shapes;
    int kept;  ///< The number of kept axes, which come first in the layout.

    /// Returns the number of elements per result.
    std::int64_t length() const;

    /// Returns the call as backends take it, without a workspace. It refers to this object.
    reduce_call call(const reduce_kernel& kernel, const void* initial) const;
};

/// Returns the inputs of a reduction alone.
inline kernel_operands inputs_of(const reduce_kernel& kernel) {
    return {kernel.name, kernel.operands, kernel.inputs, 0, kernel.index_rank};
}

/// Returns the inputs of a reduction and, as the only output, its result.
inline kernel_operands operands_of(const reduce_kernel& kernel) {
    return {kernel.name, kernel.operands, kernel.inputs, 1, kernel.index_rank};
}

/// Returns the shapes of a call along some axes, or of all elements if `along` is null. Throws shape_error.
reduce_shapes shapes_of(const reduce_kernel& kernel, std::initializer_list<operand_ref> inputs, const axes* along,
                        const reduce_options& options);

/// Checks shapes and places and, for calls along axes, overlaps, and fills in `all`, whose shapes must be set. Throws
/// shape_error, overlap_error or device_error, whose messages name the kernel and the operands.
void normalise(const reduce_kernel& kernel, std::initializer_list<operand_ref> inputs, const operand_ref& out,
               bool along_axes, reduce_arguments& all);

}  // namespace foldwise::detail
