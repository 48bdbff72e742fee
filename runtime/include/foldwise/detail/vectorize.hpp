// foldwise/detail/vectorize.hpp: what generated launchers of vectorize kernels call.
#pragma once

#include <foldwise/array.hpp>
#include <foldwise/detail/operand_ref.hpp>
#include <foldwise/detail/result_place.hpp>
#include <foldwise/detail/vectorize_kernel.hpp>
#include <foldwise/executor.hpp>
#include <foldwise/shape.hpp>

#include <initializer_list>

namespace foldwise::detail {

/// Checks the operands, chooses where to run and runs. Nothing is launched or written if this throws shape_error,
/// overlap_error, device_error for operands out of reach, or error for a backend that was not generated or a kernel
/// beyond the limits (limits.hpp). With outputs on a GPU and no array operand on the host, the call is asynchronous on
/// the executor's stream; otherwise it is complete on return.
void vectorize(const vectorize_kernel& kernel, std::initializer_list<operand_ref> inputs,
               std::initializer_list<operand_ref> outputs, const executor& requested);

/// The result of a call on these inputs: the shape that they broadcast to, else shape_error, and memory where they are;
/// with scalars alone no axes, and memory where the kernel will run.
result_place place_result(const vectorize_kernel& kernel, std::initializer_list<operand_ref> inputs,
                          const executor& requested);

/// The result of a call that is given its shape: in memory where the array inputs are, or, without any, where the
/// kernel will run.
result_place place_result(const vectorize_kernel& kernel, const shape& extents,
                          std::initializer_list<operand_ref> inputs, const executor& requested);

/// An uninitialised array for one output of such a call.
template <class T>
array<T> result(const vectorize_kernel& kernel, std::initializer_list<operand_ref> inputs, const executor& requested) {
    const result_place where = place_result(kernel, inputs, requested);
    return array<T>(where.shape, where.source);
}

template <class T> array<T> result(const vectorize_kernel& kernel, const shape& extents, const executor& requested) {
    const result_place where = place_result(kernel, extents, {}, requested);
    return array<T>(where.shape, where.source);
}

}  // namespace foldwise::detail
