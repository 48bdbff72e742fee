// runtime/src/run.hpp: a checked call on each backend.
#pragma once

#include "arguments.hpp"

#include <foldwise/detail/kernel.hpp>

namespace foldwise::detail {

/// Splits the elements into one contiguous run per OpenMP thread. All operands are on the host.
void run_on_cpu(const elementwise_kernel& kernel, const elementwise_call& call);

/// The same for operands that are not contiguous, and for kernels that take an index.
void run_strided_on_cpu(const elementwise_kernel& kernel, const elementwise_call& call);

/// Launches on the stream. Operands on the host travel through temporary memory, and then the call is complete on
/// return; else it is asynchronous, allocates nothing and asks CUDA nothing. Redirects `all.operands` to what it
/// stages.
void run_on_cuda(const elementwise_kernel& kernel, arguments& all, CUstream_st* stream);

}  // namespace foldwise::detail
