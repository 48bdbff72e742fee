// runtime/src/stencil/stencil_arguments.hpp: the operands of a stencil call, checked and in the form that backends
// take.
#pragma once

#include "arguments.hpp"

#include <foldwise/detail/stencil.hpp>

#include <algorithm>
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

/// The launches of several steps. The results of one are the first arrays around of the next one. Every other launch
/// writes to memory of its own, so that the last one writes to the outputs, and the inputs are never written.
class stencil_steps {
  public:
    /// Has plan(call) plan the launches, as a backend's function of the kernel does.
    template <class Plan>
    stencil_steps(const stencil_kernel& kernel, const stencil_call& call, std::int64_t steps, const Plan& plan)
        : kernel_(kernel), given_(call.arguments), steps_(steps), call_(call) {
        std::copy_n(given_, kernel.inputs + kernel.outputs, arguments_);
        call_.arguments = arguments_;
        call_.steps = steps;
        call_.tiling = &tiling_;
        plan(call_);
        count_ = (steps + tiling_.steps - 1) / tiling_.steps;
    }

    /// Whether there are several launches, which need memory of their own.
    bool has_spare() const { return count_ > 1; }

    /// Calls run(call) for each launch. `spare` has an address for each output, of the element at index 0 in its own
    /// memory, which has the output's strides; it is not read without has_spare().
    template <class Run> void each(void* const* spare, const Run& run) {
        for (std::int64_t number = 0; number < count_; ++number) run(at(spare, number));
    }

  private:
    const stencil_call& at(void* const* spare, std::int64_t number);

    const stencil_kernel& kernel_;
    const stencil_argument* given_;
    const std::int64_t steps_;
    stencil_tiling tiling_{};
    std::int64_t count_ = 0;
    stencil_argument arguments_[max_operands];
    stencil_call call_;
};

/// Copies operands on the host to the GPU that `where` names, launches the kernel, and copies the outputs back.
void run_stencil_on_cuda(const stencil_kernel& kernel, stencil_arguments& all, std::int64_t steps,
                         const executor& where);

}  // namespace foldwise::detail
