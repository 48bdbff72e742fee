// runtime/src/vectorize/run_vectorize.hpp: runs a checked call of a vectorize kernel on each backend.
#pragma once

#include "arguments.hpp"

#include <foldwise/detail/vectorize_kernel.hpp>

namespace foldwise::detail {

inline int operand_count(const vectorize_kernel& kernel) { return kernel.inputs + kernel.outputs; }

inline kernel_operands operands_of(const vectorize_kernel& kernel) {
    return {kernel.name, kernel.operands, kernel.inputs, kernel.outputs, kernel.index_rank};
}

/// Runs a call on the CPU, in one contiguous range of elements per OpenMP thread. All operands must be on the host.
void run_vectorize_on_cpu(const vectorize_kernel& kernel, const element_range& call);

/// Runs a call on the CPU whose operands are not contiguous or whose kernel takes an index, in tiles where
/// axis_to_tile() says so. All operands must be on the host.
void run_strided_on_cpu(const vectorize_kernel& kernel, const element_range& call);

/// Returns an axis along which some operand is contiguous that is not contiguous along the last axis, if tiles of the
/// two axes are worth it; otherwise -1. Always -1 for a kernel that takes an index.
int axis_to_tile(const vectorize_kernel& kernel, const element_range& call);

/// Runs a call on the CPU in tiles of `axis`, which axis_to_tile() has returned, and the last axis.
void run_tiled_on_cpu(const vectorize_kernel& kernel, const element_range& call, int axis);

/// Launches on the GPU and the stream that `where` names. If operands are on the host, they are copied through
/// temporary memory and the call is complete on return; otherwise it is asynchronous, allocates nothing and makes no
/// other calls to CUDA. Redirects `all.operands` to the temporary copies.
void run_vectorize_on_cuda(const vectorize_kernel& kernel, arguments& all, const executor& where);

/// Runs the elements [begin, end) of a call on this thread. There may be max_operands + 1 operands: scattered folds
/// pass their bins as one more, marked as a whole array, so that it reaches the kernel as it is.
void run_part_on_cpu(const vectorize_kernel& kernel, const element_range& call, std::int64_t begin, std::int64_t end);

}  // namespace foldwise::detail
