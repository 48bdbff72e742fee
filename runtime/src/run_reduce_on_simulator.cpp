// runtime/src/run_reduce_on_simulator.cpp: runs a reduction's CUDA kernels on the host.
#include "run_reduce.hpp"

#include <foldwise/detail/buffer.hpp>
#include <foldwise/error.hpp>

#include <cstring>
#include <string>

namespace foldwise::detail {

void run_reduce_on_simulator(const reduce_kernel& kernel, const reduce_call& call) {
    const buffer workspace(reduce_workspace_bytes, memory::host, nullptr);
    std::memset(workspace.data(), 0, reduce_counter_bytes);
    reduce_call with_memory = call;
    with_memory.workspace = {workspace.data(), workspace.bytes()};
    each_reduce_part(kernel, with_memory, [&](const reduce_call& part) {
        if (int status = kernel.simulator(part, nullptr))
            throw device_error(std::string(kernel.name) + ": the simulator ended with CUDA's error " +
                               std::to_string(status));
    });
}

}  // namespace foldwise::detail
