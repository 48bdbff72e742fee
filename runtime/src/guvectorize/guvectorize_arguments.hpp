// runtime/src/guvectorize/guvectorize_arguments.hpp: the operands of a guvectorize call, checked and in the form that
// backends take.
#pragma once

#include "arguments.hpp"

#include <foldwise/detail/guvectorize.hpp>

#include <cstdint>
#include <initializer_list>

namespace foldwise::detail {

/// The checked operands of one call. Lives on the call's stack. Of what it inherits, `operands`, `layout` and `strides`
/// are not used.
struct guvectorize_arguments : arguments {
    using arguments::arguments;

    shape items;                                   ///< The shape of the items, to which the inputs broadcast.
    std::int64_t dimensions[max_core_dimensions];  ///< The extent of each core dimension; -1 if it is not known.
    guvectorize_call all;                          ///< Refers to `cores`.
    core_argument cores[max_operands];
};

/// Returns the inputs and outputs of a kernel.
inline kernel_operands operands_of(const guvectorize_kernel& kernel) {
    return {kernel.name, kernel.operands, kernel.inputs, kernel.outputs, 0};
}

/// Finds where the operands are, and checks their core dimensions: those of all operands, or of the inputs alone. Fills
/// in `sources` and `dimensions`. Throws shape_error.
void check_cores(const guvectorize_kernel& kernel, std::initializer_list<operand_ref> operands,
                 guvectorize_arguments& result);

/// Returns the shape that the items of the inputs broadcast to. Throws shape_error.
shape items_of_inputs(const guvectorize_kernel& kernel, const guvectorize_arguments& all);

/// Checks all operands of a call and fills in `result`. Throws shape_error, overlap_error, value_error or device_error,
/// whose messages name the kernel and the operands.
void normalise(const guvectorize_kernel& kernel, std::initializer_list<operand_ref> operands,
               guvectorize_arguments& result);

/// Copies operands on the host to the GPU that `where` names, launches the kernel, and copies the outputs back.
void run_guvectorize_on_cuda(const guvectorize_kernel& kernel, guvectorize_arguments& all, const executor& where);

}  // namespace foldwise::detail
