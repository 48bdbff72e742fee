// runtime/src/stencil/stencil_arguments.hpp: the operands of a stencil call, checked and in the form that backends
// take.
#pragma once

#include "arguments.hpp"

#include <foldwise/detail/stencil.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace foldwise::detail {

/// The checked operands of one call. Lives on the call's stack.
struct stencil_arguments : arguments {
    using arguments::arguments;

    stencil_argument arguments_of_call[max_operands];
};

/// Returns the inputs and outputs of a kernel.
inline kernel_operands operands_of(const stencil_kernel& kernel) {
    return {kernel.name, kernel.operands, kernel.inputs, kernel.outputs, 0};
}

/// Returns the shape of the arrays around. Throws shape_error if they do not all have one, or not the kernel's number
/// of axes.
shape shape_around(const stencil_kernel& kernel, const operand_ref* const* inputs);

/// Checks all operands of a call and fills in `result`. Throws shape_error, overlap_error, value_error or device_error,
/// whose messages name the kernel and the operands.
void normalise(const stencil_kernel& kernel, std::initializer_list<operand_ref> operands, stencil_arguments& result);

/// Describes a checked call as backends take it. It refers to `all`.
stencil_call call_of(const stencil_kernel& kernel, stencil_arguments& all);

/// The memory in which an output's elements are, gaps between them included.
struct spanned_bytes {
    std::size_t before;  ///< From the lowest address to the element at index 0.
    std::size_t count;
};
spanned_bytes span_of(const stencil_argument& output, const stencil_call& call, int rank, std::size_t size);

/// Has the results of a call be the first arrays around of the next one. Every other step writes to memory of its own,
/// so that the last one writes to the outputs, and the inputs are never written.
class stencil_steps {
  public:
    /// `spare` has an address for each output, of the element at index 0 in its own memory, which has the output's
    /// strides.
    stencil_steps(const stencil_kernel& kernel, const stencil_call& call, void* const* spare);

    /// Returns the call of a step; `left` steps are behind it. Valid until the next one is asked for.
    const stencil_call& at(std::int64_t number, std::int64_t left);

  private:
    const stencil_kernel& kernel_;
    const stencil_argument* given_;
    void* const* spare_;
    stencil_argument arguments_[max_operands];
    stencil_call call_;
};

/// Copies operands on the host to the GPU that `where` names, launches the kernel, and copies the outputs back.
void run_stencil_on_cuda(const stencil_kernel& kernel, stencil_arguments& all, std::int64_t steps,
                         const executor& where);

}  // namespace foldwise::detail
