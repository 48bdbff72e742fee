// runtime/src/reduce/run_reduce_on_simulator.cpp: runs a reduction's CUDA kernels on the host.
#include "reduce/run_reduce.hpp"
#include "resolve.hpp"

#include <foldwise/detail/buffer.hpp>
#include <foldwise/error.hpp>

#include <string>

namespace foldwise::detail {

void run_reduce_on_simulator(const reduce_kernel& kernel, const reduce_call& call) {
    unsigned int counters[reduce_counters] = {};
    const buffer parts(reduce_part_bytes, memory_source{});
    reduce_call with_memory = call;
    with_memory.workspace = {counters, parts.data(), sizeof counters, parts.bytes()};
    each_reduce_part(kernel, with_memory,
                     [&](const reduce_call& part) { check_simulated(kernel.name, kernel.simulator(part, nullptr)); });
}

}  // namespace foldwise::detail
