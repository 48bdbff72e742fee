// runtime/src/scatter/run_scatter_on_simulator.cpp: runs a scattered fold's CUDA kernels on the host.
#include "resolve.hpp"
#include "scatter/run_scatter.hpp"

#include <foldwise/detail/buffer.hpp>

namespace foldwise::detail {

void run_scatter_on_simulator(const scatter_kernel& kernel, const scatter_arguments& all) {
    scatter_call call = all.call(kernel);
    std::size_t needed = 0;
    call.sort = sort_on_host;
    call.needed = &needed;
    int status = kernel.simulator(call, nullptr);
    if (status == needs_memory) {
        const buffer memory(needed, memory_source{});
        call.memory = memory.data();
        call.memory_bytes = needed;
        status = kernel.simulator(call, nullptr);
    }
    check_simulated(kernel.name, status);
}

}  // namespace foldwise::detail
