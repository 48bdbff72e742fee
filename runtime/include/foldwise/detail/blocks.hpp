// foldwise/detail/blocks.hpp: the function that generated launchers of `blocks` kernels call.
#pragma once

#include <foldwise/detail/blocks_kernel.hpp>
#include <foldwise/detail/forall.hpp>

#include <initializer_list>

namespace foldwise::detail {

/// Runs one call of a `blocks` kernel: checks the shape, the arguments and what a block shares, chooses the backend and
/// runs the kernel there. Throws as forall() does, and std::invalid_argument if a GPU or the simulator has less shared
/// memory than a block needs; in these cases nothing has been launched or written.
void blocks(const blocks_kernel& kernel, const task_extents& items, std::initializer_list<operand_ref> arguments,
            const executor& requested);

template <int N>
void blocks(const blocks_kernel& kernel, const tasks<N>& items, std::initializer_list<operand_ref> arguments,
            const executor& requested) {
    blocks(kernel, items.extents(), arguments, requested);
}

}  // namespace foldwise::detail
