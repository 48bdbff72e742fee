// runtime/src/reduce/reduce_arguments.hpp: the operands of a reduction, checked and brought into the form that backends
// take.
#pragma once

#include "arguments.hpp"

#include <foldwise/detail/reduce_kernel.hpp>
#include <foldwise/reduce_options.hpp>

#include <initializer_list>

namespace foldwise::detail {

/// What a call folds along, and the shapes that follow from it.
struct reduce_shapes {
    shape whole;               ///< What the inputs broadcast to.
    shape results;             ///< Of what is left; with keepdims of the same number of axes.
    bool is_folded[max_axes];  ///< For each axis of the whole.
};

/// Lives on the stack of one call.
struct reduce_arguments : arguments {
    reduce_shapes shapes;
    int kept;  ///< The layout's axes that are not folded along come first.

    /// How many elements each result is folded from.
    std::int64_t length() const;

    /// Without a workspace.
    reduce_call call(const reduce_kernel& kernel, const void* initial) const;
};

/// The inputs of a reduction alone.
inline kernel_operands inputs_of(const reduce_kernel& kernel) {
    return {kernel.name, kernel.operands, kernel.inputs, 0, kernel.index_rank};
}

/// The inputs and, as the one output, the result.
inline kernel_operands operands_of(const reduce_kernel& kernel) {
    return {kernel.name, kernel.operands, kernel.inputs, 1, kernel.index_rank};
}

/// Shapes of a call along some axes, or, if null, of a fold of all elements. Throws shape_error.
reduce_shapes shapes_of(const reduce_kernel& kernel, std::initializer_list<operand_ref> inputs, const axes* along,
                        bool keepdims);

/// Checks shapes and places, along axes also overlaps, and fills the rest of `all`, whose shapes are set. Throws
/// shape_error, overlap_error or device_error, which name the kernel and the operands.
void normalise(const reduce_kernel& kernel, std::initializer_list<operand_ref> inputs, const operand_ref& out,
               bool along_axes, reduce_arguments& all);

}  // namespace foldwise::detail
