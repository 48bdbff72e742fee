// foldwise/detail/reduce.hpp: what generated launchers of reductions call.
#pragma once

#include <foldwise/detail/device_api.hpp>
#include <foldwise/detail/operand_ref.hpp>
#include <foldwise/detail/reduce_kernel.hpp>
#include <foldwise/executor.hpp>

#include <initializer_list>

namespace foldwise::detail {

/// Folds all elements of the operands, which broadcast, in row-major order, into `out`, an array of one element. With
/// `out` on a GPU and no array operand on the host, asynchronous on the executor's stream; else complete on return.
/// `initial` is an accumulator, or null. Nothing is launched or written if this throws shape_error, empty_error,
/// device_error for operands out of reach, or error for a backend that was not generated.
void reduce(const reduce_kernel& kernel, std::initializer_list<operand_ref> inputs, const operand_ref& out,
            const void* initial, executor requested);

/// The same into a value on the host; complete on return.
template <class Result>
Result reduce_to_value(const reduce_kernel& kernel, std::initializer_list<operand_ref> inputs, const void* initial,
                       executor requested) {
    union uninitialised {
        Result value;
        uninitialised() {}
    } result;
    reduce(kernel, inputs, {&result.value, {}, {}, false}, initial, requested);
    return result.value;
}

}  // namespace foldwise::detail
