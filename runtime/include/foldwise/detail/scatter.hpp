// foldwise/detail/scatter.hpp: the functions that generated launchers of scattered folds call.
#pragma once

#include <foldwise/array.hpp>
#include <foldwise/detail/operand_ref.hpp>
#include <foldwise/detail/result_place.hpp>
#include <foldwise/detail/scatter_kernel.hpp>
#include <foldwise/executor.hpp>
#include <foldwise/operand.hpp>
#include <foldwise/shape.hpp>

#include <initializer_list>

namespace foldwise::detail {

/// Combines the elements of the inputs, which broadcast, into the bins of `out`: into what they hold or, if `is_fresh`,
/// into the identity. Throws shape_error, overlap_error if `out` shares memory with an input or with itself,
/// device_error for operands that the backend cannot access, and error for a backend that was not generated; in these
/// cases nothing has been launched or written. If `out` is on a GPU and no array operand is on the host, the call is
/// asynchronous on the executor's stream; otherwise it is complete on return.
void scatter(const scatter_kernel& kernel, std::initializer_list<operand_ref> inputs, const operand_ref& out,
             bool is_fresh, const executor& requested);

/// Returns the memory for an output of this shape: where the inputs are. Throws shape_error.
result_place place_scatter(const scatter_kernel& kernel, std::initializer_list<operand_ref> inputs,
                           const shape& extents, const executor& requested);

/// Combines the elements into a new array of this shape, which begins with the identity.
template <class Result>
array<Result> scatter_to_array(const scatter_kernel& kernel, std::initializer_list<operand_ref> inputs,
                               const shape& extents, const executor& requested) {
    const result_place place = place_scatter(kernel, inputs, extents, requested);
    array<Result> results(place.shape, place.source);
    scatter(kernel, inputs, operand<Result>(results).ref(), true, requested);
    return results;
}

}  // namespace foldwise::detail
