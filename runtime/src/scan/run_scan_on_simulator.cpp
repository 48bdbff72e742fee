// runtime/src/scan/run_scan_on_simulator.cpp: runs a scan's CUDA kernels on the host.
#include "resolve.hpp"
#include "scan/columns.hpp"
#include "scan/run_scan.hpp"

#include <foldwise/detail/buffer.hpp>
#include <foldwise/detail/scan_code.hpp>

#include <cstring>

namespace foldwise::detail {

void run_scan_on_simulator(const scan_kernel& kernel, const scan_call& call) {
    const std::size_t aggregates = aggregates_of(kernel, call, few_tiles_in_simulator);
    const buffer counters(scan_counter_bytes(aggregates, kernel.accumulator_size), memory_source{});
    const buffer parts(scan_part_bytes(aggregates, kernel.accumulator_size), memory_source{});
    std::memset(counters.data(), 0, counters.bytes());
    scan_call with_memory = call;
    with_memory.workspace = {counters.data(), parts.data(), counters.bytes(), parts.bytes()};
    check_simulated(kernel.name, kernel.simulator(with_memory, nullptr));
}

}  // namespace foldwise::detail
