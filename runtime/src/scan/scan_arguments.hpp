// runtime/src/scan/scan_arguments.hpp: the operands of a scan, checked and in the form that backends take.
#pragma once

#include "arguments.hpp"

#include <foldwise/detail/scan_kernel.hpp>
#include <foldwise/scan_options.hpp>

#include <initializer_list>

namespace foldwise::detail {

/// The checked operands of one scan. Lives on the call's stack.
struct scan_arguments : arguments {
    using arguments::arguments;

    shape whole;              ///< The call's shape, to which the inputs broadcast, and which is also the results'.
    int kept;                 ///< The number of axes that are not scanned, which come first in the layout.
    std::int64_t length;      ///< The number of elements of a row.
    std::int64_t origin = 0;  ///< The position of the first element in the call, in row-major order.
    const operand_ref* restarts = nullptr;  ///< Keys or offsets, one axis without gaps; null: neither.
    operand_ref place_of_restarts;

    /// Returns the call as backends take it, without a workspace. It refers to this object and to `options`.
    scan_call call(const scan_kernel& kernel, const scan_options& options, const void* start) const;
};

/// Returns the inputs of a scan and its results.
inline kernel_operands operands_of(const scan_kernel& kernel) {
    return {kernel.name, kernel.operands, kernel.inputs, 1, kernel.index_rank};
}

/// Returns the shape of a call: the one that it is given, or the one that its inputs broadcast to. Throws shape_error.
shape shape_of(const scan_kernel& kernel, std::initializer_list<operand_ref> inputs, const scan_options& options);

/// Checks shapes, axes, places, overlaps and, as far as they are on the host, offsets, and fills in `all`. Throws
/// shape_error, overlap_error or device_error, whose messages name the kernel and the operands.
void normalise(const scan_kernel& kernel, std::initializer_list<operand_ref> inputs, const operand_ref& out,
               const scan_options& options, scan_arguments& all);

}  // namespace foldwise::detail
