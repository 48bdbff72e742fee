// runtime/src/scatter/run_scatter_on_simulator.cpp: runs a scattered fold's CUDA kernels on the host.
#include "resolve.hpp"
#include "scatter/run_scatter.hpp"

#include <foldwise/detail/buffer.hpp>

namespace foldwise::detail {

void run_scatter_on_simulator(const scatter_kernel& kernel, const scatter_arguments& all) {
    const std::size_t bytes = all.copy_bytes(kernel);
    const buffer copies(bytes, memory_source{});
    const scatter_call call = all.call(kernel, bytes > 0 ? copies.data() : nullptr);
    check_simulated(kernel.name, kernel.simulator(call, nullptr));
}

}  // namespace foldwise::detail
