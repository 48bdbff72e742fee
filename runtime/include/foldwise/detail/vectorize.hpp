// foldwise/detail/vectorize.hpp: the functions that generated launchers of vectorize kernels call.
#pragma once

#include <foldwise/array.hpp>
#include <foldwise/detail/operand_ref.hpp>
#include <foldwise/detail/result_place.hpp>
#include <foldwise/detail/vectorize_kernel.hpp>
#include <foldwise/executor.hpp>
#include <foldwise/shape.hpp>

#include <initializer_list>

namespace foldwise::detail {

/// Runs one call of a vectorize kernel: checks the operands, chooses the backend and runs it. Throws shape_error,
/// overlap_error, device_error for operands that the backend cannot access, and error for a backend that was not
/// generated or a kernel that exceeds the limits (limits.hpp); in these cases nothing has been launched or written. If
/// the outputs are on a GPU and no array operand is on the host, the call is asynchronous on the executor's stream;
/// otherwise it is complete on return.
void vectorize(const vectorize_kernel& kernel, std::initializer_list<operand_ref> inputs,
               std::initializer_list<operand_ref> outputs, const executor& requested);

/// Returns the shape that the inputs broadcast to, and the memory in which their result is allocated: where the inputs
/// are or, if all of them are scalars, where the kernel will run, with no axes. Throws shape_error if the inputs do not
/// broadcast.
result_place place_result(const vectorize_kernel& kernel, std::initializer_list<operand_ref> inputs,
                          const executor& requested);

/// Returns the given shape and the memory in which the result is allocated: where the array inputs are or, if there are
/// none, where the kernel will run.
result_place place_result(const vectorize_kernel& kernel, const shape& extents,
                          std::initializer_list<operand_ref> inputs, const executor& requested);

/// Allocates an uninitialised array for one output of a call with these inputs.
template <class T>
array<T> result(const vectorize_kernel& kernel, std::initializer_list<operand_ref> inputs, const executor& requested) {
    const result_place where = place_result(kernel, inputs, requested);
    return array<T>(where.shape, where.source);
}

/// Allocates an uninitialised array of the given shape for one output of a call without array inputs.
template <class T> array<T> result(const vectorize_kernel& kernel, const shape& extents, const executor& requested) {
    const result_place where = place_result(kernel, extents, {}, requested);
    return array<T>(where.shape, where.source);
}

}  // namespace foldwise::detail
