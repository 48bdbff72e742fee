// runtime/src/scatter/run_scatter_on_simulator.cpp: runs a scattered fold's CUDA kernels on the host.
#include "resolve.hpp"
#include "scatter/run_scatter.hpp"

#include <foldwise/detail/buffer.hpp>

namespace foldwise::detail {

void run_scatter_on_simulator(const scatter_kernel& kernel, const scatter_arguments& all) {
    int status = kernel.simulator(all.call(kernel, nullptr), nullptr);
    if (status == needs_copies) {
        const buffer copies(all.copy_bytes(kernel), memory_source{});
        status = kernel.simulator(all.call(kernel, copies.data()), nullptr);
    }
    check_simulated(kernel.name, status);
}

}  // namespace foldwise::detail
