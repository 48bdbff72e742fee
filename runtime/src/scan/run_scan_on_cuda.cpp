// runtime/src/scan/run_scan_on_cuda.cpp: launches a scan on a GPU, and copies host operands there and back.
#include "device.hpp"
#include "scan/columns.hpp"
#include "scan/run_scan.hpp"
#include "staging.hpp"
#include "workspace.hpp"

#include <foldwise/detail/scan_code.hpp>

#include <optional>

namespace foldwise::detail {

namespace {

void launch(const scan_kernel& kernel, scan_call call, const executor& where) {
    const std::size_t aggregates = aggregates_of(kernel, call, few_tiles_on_gpus);
    const workspace_size size{scan_counter_bytes(aggregates, kernel.accumulator_size),
                              scan_part_bytes(aggregates, kernel.accumulator_size)};
    workspace_lease workspace = workspace_of(where, size, kernel.name);
    call.workspace = workspace.memory;
    try {
        if (int status = kernel.cuda(call, where.stream())) throw_status(require_gpu(kernel.name), status, kernel.name);
    } catch (...) {
        workspace.mark_counters_stale();  // a thread that a check has ended did not count its block
        throw;
    }
}

}  // namespace

void run_scan_on_cuda(const scan_kernel& kernel, scan_arguments& all, const scan_options& options, const void* start,
                      const executor& where) {
    const current_gpu current(require_gpu(kernel.name), where.device(), kernel.name);
    const bool stages_restarts = all.restarts && on_host(*all.restarts);
    if (!all.on_host && !all.has_host_wholes && !stages_restarts && !options.part)
        return launch(kernel, all.call(kernel, options, start), where);
    staging temporary(kernel.name, where);
    const kernel_operands operands = operands_of(kernel);
    stage_wholes(operands, all, temporary);
    const int output = kernel.inputs;
    void* const host = all.operands[output].data;
    std::optional<strided_transfer> results;
    const bool has_results = !options.part || !options.part->ends;
    for (int i = 0; i < output + (has_results ? 1 : 0); ++i) {
        if (!on_host(*all.sources[i])) continue;
        operand_address& operand = all.operands[i];
        if (!all.is_strided) {
            const std::size_t bytes = static_cast<std::size_t>(all.count) * operands.operands[i].size;
            operand.data = temporary.stage(operand.data, bytes, i < output);
            continue;
        }
        strided_transfer transfer(operands, all, i);
        operand.data = transfer.send(temporary, i < output, all.layout, all.strides[i]);
        if (i == output) results = transfer;
    }
    scan_call call = all.call(kernel, options, start);
    if (stages_restarts)
        call.restarts = temporary.stage_alone(const_cast<void*>(call.restarts),
                                              static_cast<std::size_t>(call.restart_count) * call.restart_size, true);
    const std::size_t ends_bytes =
        static_cast<std::size_t>(call.elements.count / call.length) * kernel.accumulator_size;
    if (call.starts) call.starts = temporary.stage_alone(const_cast<void*>(call.starts), ends_bytes, true);
    if (call.ends) call.ends = temporary.stage_alone(call.ends, ends_bytes, false);
    launch(kernel, call, where);
    if (call.ends) temporary.fetch(options.part->ends, call.ends, ends_bytes);
    if (results)
        results->fetch(temporary);
    else if (has_results && on_host(*all.sources[output]))
        temporary.fetch(host, all.operands[output].data,
                        static_cast<std::size_t>(all.count) * operands.operands[output].size);
    temporary.finish();
    if (results) results->unpack();
}

}  // namespace foldwise::detail
