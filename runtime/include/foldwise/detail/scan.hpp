// foldwise/detail/scan.hpp: the functions that generated launchers of scans call.
#pragma once

#include <foldwise/detail/device_api.hpp>
#include <foldwise/detail/operand_ref.hpp>
#include <foldwise/detail/result_place.hpp>
#include <foldwise/detail/scan_kernel.hpp>
#include <foldwise/operand.hpp>
#include <foldwise/scan_options.hpp>

#include <initializer_list>

namespace foldwise::detail {

/// Scans the elements of the operands, which broadcast: along one axis, or all of them in row-major order. `out` has
/// the shape that the inputs broadcast to. Throws shape_error for shapes, axes and offsets that do not fit, empty_error
/// for an exclusive scan without anything to begin with, overlap_error if `out` shares memory with itself, or with an
/// input without being exactly the same elements, and device_error for operands that the backend cannot access; in
/// these cases nothing has been launched or written. If all operands are on a GPU, the call is asynchronous on the
/// executor's stream; otherwise it is complete on return.
void scan(const scan_kernel& kernel, std::initializer_list<operand_ref> inputs, const operand_ref& out,
          const scan_options& options);

/// Returns the shape and the memory of the results of a scan. Throws shape_error.
result_place place_scan(const scan_kernel& kernel, std::initializer_list<operand_ref> inputs,
                        const scan_options& options);

/// Scans to a new array, which is where the inputs are.
template <class Result>
array<Result> scan_to_array(const scan_kernel& kernel, std::initializer_list<operand_ref> inputs,
                            const scan_options& options) {
    const result_place place = place_scan(kernel, inputs, options);
    array<Result> results(place.shape, place.source);
    scan(kernel, inputs, operand<Result>(results).ref(), options);
    return results;
}

}  // namespace foldwise::detail
