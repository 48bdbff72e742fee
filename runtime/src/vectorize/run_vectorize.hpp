// runtime/src/vectorize/run_vectorize.hpp: a checked call of a vectorize kernel on each backend.
#pragma once

#include "arguments.hpp"

#include <foldwise/detail/vectorize_kernel.hpp>

namespace foldwise::detail {

inline int operand_count(const vectorize_kernel& kernel) { return kernel.inputs + kernel.outputs; }

inline kernel_operands operands_of(const vectorize_kernel& kernel) {
    return {kernel.name, kernel.operands, kernel.inputs, kernel.outputs, kernel.index_rank};
}

/// Splits the elements into one contiguous run per OpenMP thread. All operands are on the host.
void run_vectorize_on_cpu(const vectorize_kernel& kernel, const element_range& call);

/// The same for operands that are not contiguous, and for kernels that take an index.
void run_strided_on_cpu(const vectorize_kernel& kernel, const element_range& call);

/// An axis along which some operand is contiguous that is not so along the last one, if tiles of both are worth it;
/// else -1. A kernel that takes an index is not tiled.
int axis_to_tile(const vectorize_kernel& kernel, const element_range& call);

/// The same in tiles of that axis and the last one.
void run_tiled_on_cpu(const vectorize_kernel& kernel, const element_range& call, int axis);

/// Launches on the GPU and the stream that `where` names. Operands on the host travel through temporary memory, and
/// then the call is complete on return; else it is asynchronous, allocates nothing and asks CUDA nothing. Redirects
/// `all.operands` to what it stages.
void run_vectorize_on_cuda(const vectorize_kernel& kernel, arguments& all, const executor& where);

}  // namespace foldwise::detail
