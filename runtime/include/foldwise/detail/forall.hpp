// foldwise/detail/forall.hpp: the functions that generated launchers of forall kernels call.
#pragma once

#include <foldwise/detail/forall_kernel.hpp>
#include <foldwise/detail/operand_ref.hpp>
#include <foldwise/executor.hpp>
#include <foldwise/tasks.hpp>

#include <initializer_list>

namespace foldwise::detail {

/// Refers to a value of the launcher's, which must outlive the call.
template <class T> operand_ref refer_to_value(const T& value) { return {const_cast<T*>(&value), {}, {}, true}; }

/// Runs one call of a forall kernel: checks the number of tasks and the arguments, chooses the backend and runs it.
/// Throws std::invalid_argument for an invalid number of tasks, shape_error for a wrong rank and for views without the
/// elements that tasks certainly write, device_error for views that the backend cannot access, and error for a backend
/// that was not generated; in these cases nothing has been launched or written. If there are views on a GPU and none on
/// the host, the call is asynchronous on the executor's stream; otherwise it is complete on return.
void forall(const forall_kernel& kernel, const task_extents& tasks, std::initializer_list<operand_ref> arguments,
            const executor& requested);

template <int N>
void forall(const forall_kernel& kernel, const tasks<N>& tasks, std::initializer_list<operand_ref> arguments,
            const executor& requested) {
    forall(kernel, tasks.extents(), arguments, requested);
}

}  // namespace foldwise::detail
