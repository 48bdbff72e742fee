// foldwise/detail/reduce.hpp: the functions that generated launchers of reductions call.
#pragma once

#include <foldwise/detail/device_api.hpp>
#include <foldwise/detail/operand_ref.hpp>
#include <foldwise/detail/reduce_kernel.hpp>
#include <foldwise/detail/result_place.hpp>
#include <foldwise/executor.hpp>
#include <foldwise/operand.hpp>
#include <foldwise/reduce_options.hpp>
#include <foldwise/restarts.hpp>

#include <initializer_list>

namespace foldwise::detail {

/// Reduces all elements of the operands, which broadcast, in row-major order, into `out`, an array of one element. If
/// the options have a shape, the operands broadcast to that.
/// Throws shape_error, empty_error, device_error for operands that the backend cannot access, and error for a backend
/// that was not generated; in these cases nothing has been launched or written. If `out` is on a GPU and no array
/// operand is on the host, the call is asynchronous on the executor's stream; otherwise it is complete on return.
void reduce(const reduce_kernel& kernel, std::initializer_list<operand_ref> inputs, const operand_ref& out,
            const reduce_options& options);

/// Reduces along some axes of the shape that the operands broadcast to. `out` has the shape of the other axes, with
/// keepdims also one element along each reduced axis. Throws as reduce() does: shape_error also if `out` has another
/// shape, and overlap_error if `out` shares memory with an input or with itself.
void reduce_along(const reduce_kernel& kernel, std::initializer_list<operand_ref> inputs, const operand_ref& out,
                  const axes& along, const reduce_options& options);

/// Returns the shape and the memory of the results of a reduction along axes. Throws shape_error.
result_place place_reduction(const reduce_kernel& kernel, std::initializer_list<operand_ref> inputs, const axes& along,
                             const reduce_options& options);

/// Reduces each segment of the operands, which broadcast to a shape of one axis, in its order. `out` has one axis with
/// an element for each segment. Throws as reduce_along() does: shape_error also for offsets that have several axes or
/// gaps or, as far as they are on the host, fall or lie outside of the elements, empty_error for an empty segment as
/// far as the host sees the offsets, and overlap_error if `out` shares memory with the offsets. If the offsets are on
/// the host and the operands on a GPU, the call is complete on return.
void reduce_segments(const reduce_kernel& kernel, std::initializer_list<operand_ref> inputs, const operand_ref& out,
                     const offset_range& offsets, const reduce_options& options);

/// Returns the shape and the memory of the results of segments. Throws shape_error.
result_place place_segments(const reduce_kernel& kernel, std::initializer_list<operand_ref> inputs,
                            const offset_range& offsets, const reduce_options& options);

/// Reduces all elements to a value on the host; complete on return.
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

/// Reduces along axes to a new array, which is where the inputs are.
template <class Result>
array<Result> reduce_to_array(const reduce_kernel& kernel, std::initializer_list<operand_ref> inputs, const axes& along,
                              const reduce_options& options) {
    const result_place place = place_reduction(kernel, inputs, along, options);
    array<Result> results(place.shape, place.source);
    reduce_along(kernel, inputs, operand<Result>(results).ref(), along, options);
    return results;
}

/// Reduces segments to a new array, which is where the inputs are.
template <class Result>
array<Result> reduce_to_array(const reduce_kernel& kernel, std::initializer_list<operand_ref> inputs,
                              const offset_range& offsets, const reduce_options& options) {
    const result_place place = place_segments(kernel, inputs, offsets, options);
    array<Result> results(place.shape, place.source);
    reduce_segments(kernel, inputs, operand<Result>(results).ref(), offsets, options);
    return results;
}

}  // namespace foldwise::detail
