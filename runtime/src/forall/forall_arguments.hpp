// runtime/src/forall/forall_arguments.hpp: the checked arguments of a call of a forall kernel.
#pragma once

#include "memory_finder.hpp"

#include <foldwise/detail/forall.hpp>

#include <cstdint>
#include <initializer_list>
#include <vector>

namespace foldwise::detail {

/// The checked arguments of one call. Lives on the call's stack.
struct forall_arguments {
    std::int64_t count;                        ///< The number of tasks.
    const std::int64_t* tasks;                 ///< The number of tasks along each axis.
    const operand_ref* sources[max_operands];  ///< The arguments as the caller passed them, with their places.
    forall_argument arguments[max_operands];   ///< The arguments as the kernel receives them.
    int gpu;                                   ///< The GPU whose memory some views are in, or no_gpu.
    bool on_host;                              ///< Whether some view is in host memory.

    /// Returns the call as backends take it. It refers to this object.
    memory_finder memory;  ///< Owns what `sources` points to where a view's place had to be corrected.

    forall_arguments() = default;
    explicit forall_arguments(const executor& requested) : memory(requested) {}

    forall_call call(const forall_kernel& kernel) const;
};

/// Checks the number of tasks, the ranks and the places, and fills `result`. Throws std::invalid_argument, shape_error
/// or device_error, whose messages name the kernel and the parameter.
void check_forall(const forall_kernel& kernel, const task_extents& tasks, std::initializer_list<operand_ref> given,
                  forall_arguments& result);

/// Copies views on the host to the GPU that `where` names, launches the kernel, and copies back what it wrote.
void run_forall_on_cuda(const forall_kernel& kernel, forall_arguments& all, const executor& where);

}  // namespace foldwise::detail
