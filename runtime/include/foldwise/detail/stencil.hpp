// foldwise/detail/stencil.hpp: the functions that generated launchers of stencil kernels call.
#pragma once

#include <foldwise/array.hpp>
#include <foldwise/detail/operand_ref.hpp>
#include <foldwise/detail/result_place.hpp>
#include <foldwise/detail/stencil_kernel.hpp>
#include <foldwise/executor.hpp>
#include <foldwise/steps.hpp>

#include <initializer_list>

namespace foldwise::detail {

/// Runs one call of a stencil kernel, whose operands are the inputs and then the outputs: checks them, chooses the
/// backend and runs it, as often as `count` says. Throws shape_error if the arrays around and the outputs do not all
/// have one shape, or if values do not broadcast to it; overlap_error if an output shares memory with itself or another
/// operand; value_error, device_error and error as vectorize() does; in these cases nothing has been launched or
/// written. If the outputs are on a GPU and no array operand is on the host, the call is asynchronous on the executor's
/// stream; otherwise it is complete on return.
void stencil(const stencil_kernel& kernel, std::initializer_list<operand_ref> operands, steps count,
             const executor& requested);

/// Returns the shape of the results of a call with these inputs, and the memory in which they are allocated. Throws
/// shape_error.
result_place place_result(const stencil_kernel& kernel, std::initializer_list<operand_ref> inputs,
                          const executor& requested);

/// Allocates an uninitialised array for one output of a call with these inputs.
template <class T>
array<T> result(const stencil_kernel& kernel, std::initializer_list<operand_ref> inputs, const executor& requested) {
    const result_place where = place_result(kernel, inputs, requested);
    return array<T>(where.shape, where.source);
}

}  // namespace foldwise::detail
