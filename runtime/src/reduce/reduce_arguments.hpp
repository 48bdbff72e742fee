// runtime/src/reduce/reduce_arguments.hpp: the operands of a reduction, checked and in the form that backends take.
#pragma once

#include "arguments.hpp"

#include <foldwise/detail/reduce_kernel.hpp>
#include <foldwise/reduce_options.hpp>
#include <foldwise/restarts.hpp>

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
    int kept;                              ///< The number of kept axes, which come first in the layout.
    const operand_ref* offsets = nullptr;  ///< The offsets of segments, one axis without gaps; null: none.
    segments_of_call segments;             ///< Set if there are offsets.
    fold_stage stage = fold_stage::whole;

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

/// Returns the shapes of a call with segments, whose results have one axis. Throws shape_error unless the inputs
/// broadcast to a shape of one axis, and there is at least one offset.
reduce_shapes shapes_of_segments(const reduce_kernel& kernel, std::initializer_list<operand_ref> inputs,
                                 const offset_range& offsets, const reduce_options& options);

/// Checks shapes, places, overlaps and, as far as they are on the host, offsets, and fills in `all`, whose shapes must
/// be set. Throws as normalise() does, and empty_error for a segment without elements unless `may_be_empty` is set.
void normalise_segments(const reduce_kernel& kernel, std::initializer_list<operand_ref> inputs, const operand_ref& out,
                        const offset_range& offsets, bool may_be_empty, reduce_arguments& all);

}  // namespace foldwise::detail
