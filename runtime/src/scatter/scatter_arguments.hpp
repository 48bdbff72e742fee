// runtime/src/scatter/scatter_arguments.hpp: the operands of a scattered fold, checked and in the form that backends
// take.
#pragma once

#include "arguments.hpp"

#include <foldwise/detail/scatter_kernel.hpp>

#include <initializer_list>

namespace foldwise::detail {

/// The checked operands of one call. Lives on the call's stack.
struct scatter_arguments : arguments {
    using arguments::arguments;

    shape whole;  ///< The shape that the inputs broadcast to.
    scatter_bins bins;
    bool is_fresh;  ///< Whether the output begins with the identity, whatever it holds.

    /// Returns the number of bins.
    std::int64_t bin_count(const scatter_kernel& kernel) const;

    /// Returns how many chunks the elements are cut into where they are combined in order. It depends on the numbers of
    /// elements and bins alone, as results may depend on it.
    int chunks(const scatter_kernel& kernel) const;

    /// Returns the bytes of the chunks' copies of the bins; none if there is one chunk.
    std::size_t copy_bytes(const scatter_kernel& kernel) const;

    /// Returns the call as backends take it, without memory of its own. It refers to this object.
    scatter_call call(const scatter_kernel& kernel) const;
};

/// Returns the inputs alone. Their axes keep the order of the call's, in which elements may have to be combined.
inline kernel_operands inputs_of(const scatter_kernel& kernel) {
    return {kernel.name, kernel.operands, kernel.inputs, 0, kernel.index_rank > 0 ? kernel.index_rank : 1};
}

/// Returns the inputs and, as the only output, the bins.
inline kernel_operands operands_of(const scatter_kernel& kernel) {
    return {kernel.name, kernel.operands, kernel.inputs, 1, kernel.index_rank};
}

/// Checks the operands of a call completely and fills in `result`. Throws shape_error, overlap_error or device_error,
/// whose messages name the kernel and the operands.
void normalise(const scatter_kernel& kernel, std::initializer_list<operand_ref> inputs, const operand_ref& out,
               scatter_arguments& result);

}  // namespace foldwise::detail
