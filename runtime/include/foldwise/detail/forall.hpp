// foldwise/detail/forall.hpp: what generated launchers of forall kernels call.
#pragma once

#include <foldwise/detail/forall_kernel.hpp>
#include <foldwise/detail/operand_ref.hpp>
#include <foldwise/executor.hpp>
#include <foldwise/tasks.hpp>

#include <initializer_list>

namespace foldwise::detail {

/// A value of the launcher's, for the time of the call.
template <class T> operand_ref refer_to_value(const T& value) { return {const_cast<T*>(&value), {}, {}, true}; }

/// Checks the number of tasks and the arguments, chooses where to run and runs. Nothing is launched or written if this
/// throws std::invalid_argument for a number of tasks, shape_error for a rank, device_error for views out of reach, or
/// error for a backend that was not generated. With views on a GPU and none on the host, asynchronous on the
/// executor's stream; else complete on return.
void forall(const forall_kernel& kernel, const task_extents& tasks, std::initializer_list<operand_ref> arguments,
            const executor& requested);

template <int N>
void forall(const forall_kernel& kernel, const tasks<N>& tasks, std::initializer_list<operand_ref> arguments,
            const executor& requested) {
    forall(kernel, tasks.extents(), arguments, requested);
}

}  // namespace foldwise::detail
