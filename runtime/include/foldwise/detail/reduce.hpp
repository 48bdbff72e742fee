// foldwise/detail/reduce.hpp: what generated launchers of reductions call.
#pragma once

#include <foldwise/detail/device_api.hpp>
#include <foldwise/detail/operand_ref.hpp>
#include <foldwise/detail/reduce_kernel.hpp>
#include <foldwise/detail/result_place.hpp>
#include <foldwise/executor.hpp>
#include <foldwise/operand.hpp>
#include <foldwise/reduce_options.hpp>

#include <initializer_list>

namespace foldwise::detail {

/// Folds all elements of the operands, which broadcast, in row-major order, into `out`, an array of one element. With
/// `out` on a GPU and no array operand on the host, asynchronous on the executor's stream; else complete on return.
/// Nothing is launched or written if this throws shape_error, empty_error, device_error for operands out of reach, or
/// error for a backend that was not generated.
void reduce(const reduce_kernel& kernel, std::initializer_list<operand_ref> inputs, const operand_ref& out,
            const reduce_options& options);

/// The same along some axes of what the operands broadcast to. `out` has the shape of the other axes, with keepdims
/// one element along those; else a shape_error. If it shares memory with an input, or with itself, overlap_error.
void reduce_along(const reduce_kernel& kernel, std::initializer_list<operand_ref> inputs, const operand_ref& out,
                  const axes& along, const reduce_options& options);

/// Shape and memory of the results of such a call. Throws shape_error.
result_place place_reduction(const reduce_kernel& kernel, std::initializer_list<operand_ref> inputs, const axes& along,
                             const reduce_options& options);

/// All elements to a value on the host; complete on return.
template <class Result>
Result reduce_to_value(const reduce_kernel& kernel, std::initializer_list<operand_ref> inputs,
                       const reduce_options& options) {
    union uninitialised {
        Result value;
        uninitialised() {}
    } result;
    reduce(kernel, inputs, {&result.value, {}, {}, false}, options);
    return result.value;
}

/// Along axes, to a new array where the inputs are.
template <class Result>
array<Result> reduce_to_array(const reduce_kernel& kernel, std::initializer_list<operand_ref> inputs, const axes& along,
                              const reduce_options& options) {
    const result_place place = place_reduction(kernel, inputs, along, options);
    array<Result> results(place.shape, place.source);
    reduce_along(kernel, inputs, operand<Result>(results).ref(), along, options);
    return results;
}

}  // namespace foldwise::detail
