// runtime/src/scan/run_scan.hpp: runs a checked scan on a backend.
#pragma once

#include "scan/scan_arguments.hpp"

#include <foldwise/executor.hpp>

namespace foldwise::detail {

void run_scan_on_cpu(const scan_kernel& kernel, const scan_call& call);
/// Runs the emitted CUDA kernels on the host.
void run_scan_on_simulator(const scan_kernel& kernel, const scan_call& call);
/// Asynchronous unless operands are on the host; `where` names a GPU and a stream.
void run_scan_on_cuda(const scan_kernel& kernel, scan_arguments& all, const scan_options& options, const void* start,
                      const executor& where);

}  // namespace foldwise::detail
