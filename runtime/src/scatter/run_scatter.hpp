// runtime/src/scatter/run_scatter.hpp: runs a checked call of a scattered fold on each backend.
#pragma once

#include "scatter/scatter_arguments.hpp"

#include <foldwise/executor.hpp>

namespace foldwise::detail {

/// Combines chunks of the elements, in order, into copies of the bins, on OpenMP threads, and joins the copies in
/// order, so that results depend on the numbers of elements and bins alone. All operands must be on the host.
void run_scatter_on_cpu(const scatter_kernel& kernel, const scatter_arguments& all);

/// Runs the emitted CUDA kernels of a scattered fold on the host.
void run_scatter_on_simulator(const scatter_kernel& kernel, const scatter_arguments& all);

/// Launches a scattered fold on the GPU and the stream that `where` names. If operands are on the host, they are copied
/// through temporary memory and the call is complete on return; otherwise it is asynchronous. Redirects the operands of
/// `all` to the temporary copies.
void run_scatter_on_cuda(const scatter_kernel& kernel, scatter_arguments& all, const executor& where);

}  // namespace foldwise::detail
