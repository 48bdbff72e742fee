// runtime/src/forall/forall_arguments.hpp: the arguments of a forall kernel's call, checked.
#pragma once

#include <foldwise/detail/forall.hpp>

#include <cstdint>
#include <initializer_list>
#include <vector>

namespace foldwise::detail {

/// Lives on the stack of one call.
struct forall_arguments {
    std::int64_t count;                       ///< Of the tasks.
    const std::int64_t* tasks;                ///< Along each axis.
    const operand_ref* sources;               ///< What the caller gave,
    forall_argument arguments[max_operands];  ///< and what the kernel gets.
    int gpu;                                  ///< Whose memory some views are in; no_gpu: none are.
    bool on_host;                             ///< Some view is in the host's memory.

    forall_call call(const forall_kernel& kernel) const;
};

/// Checks the tasks, ranks and places. Throws std::invalid_argument, shape_error or device_error, which name the
/// kernel and the parameter.
void check_forall(const forall_kernel& kernel, const task_extents& tasks, std::initializer_list<operand_ref> given,
                  forall_arguments& result);

/// Takes views on the host to the GPU that `where` names, launches, and brings back what was written.
void run_forall_on_cuda(const forall_kernel& kernel, forall_arguments& all, const executor& where);

}  // namespace foldwise::detail
