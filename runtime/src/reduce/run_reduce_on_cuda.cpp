// runtime/src/reduce/run_reduce_on_cuda.cpp: launches a reduction on a GPU, and copies host operands there and back.
#include "device.hpp"
#include "reduce/run_reduce.hpp"
#include "staging.hpp"
#include "workspace.hpp"

#include <cstring>
#include <utility>

namespace foldwise::detail {

namespace {

void launch(const reduce_kernel& kernel, const reduce_arguments& all, const void* initial, const executor& where) {
    reduce_call call = all.call(kernel, initial);
    workspace_lease workspace = workspace_of(where, {}, kernel.name);
    call.workspace = workspace.memory;
    try {
        each_reduce_part(kernel, call, [&](const reduce_call& part) {
            if (int status = kernel.cuda(part, where.stream()))
                throw_status(require_gpu(kernel.name), status, kernel.name);
        });
    } catch (...) {
        workspace.mark_counters_stale();  // a thread that a check has ended did not count its block
        throw;
    }
}

/// Copies every host array to the GPU, and redirects `all` to the copies.
void stage_inputs(const reduce_kernel& kernel, reduce_arguments& all, staging& temporary) {
    const kernel_operands inputs = inputs_of(kernel);
    for (int i = 0; i < inputs.inputs && all.count > 0; ++i) {
        if (!on_host(*all.sources[i])) continue;
        if (all.is_strided)
            all.operands[i].data = strided_transfer(inputs, all, i).send(temporary, true, all.layout, all.strides[i]);
        else
            all.operands[i].data = temporary.stage(all.operands[i].data,
                                                   static_cast<std::size_t>(all.count) * inputs.operands[i].size, true);
    }
}

bool is_one_small_result(const reduce_kernel& kernel, const reduce_arguments& all) {
    return all.shapes.results.size() == 1 && kernel.operands[kernel.inputs].size <= result_slot::bytes;
}

/// Runs a reduction whose kernel writes its single result directly into host memory.
void reduce_to_host(const reduce_kernel& kernel, reduce_arguments& all, const void* initial, staging& temporary,
                    const executor& where) {
    void*& out = all.operands[kernel.inputs].data;
    void* const host = std::exchange(out, temporary.result());
    launch(kernel, all, initial, where);
    temporary.finish();
    std::memcpy(host, out, kernel.operands[kernel.inputs].size);
}

}  // namespace

void run_reduce_on_cuda(const reduce_kernel& kernel, reduce_arguments& all, const void* initial,
                        const executor& where) {
    const current_gpu current(require_gpu(kernel.name), where.device(), kernel.name);
    const bool stages_offsets = all.offsets && on_host(*all.offsets);
    if (!all.on_host && !all.has_host_wholes && !stages_offsets) return launch(kernel, all, initial, where);
    staging temporary(kernel.name, where);
    stage_inputs(kernel, all, temporary);
    stage_wholes(inputs_of(kernel), all, temporary);
    if (stages_offsets)
        all.segments.offsets =
            temporary.stage_alone(const_cast<void*>(all.segments.offsets),
                                  static_cast<std::size_t>(all.segments.count + 1) * all.segments.size, true);
    const int output = kernel.inputs;
    if (!on_host(*all.sources[output])) {
        launch(kernel, all, initial, where);
        return temporary.finish();
    }
    if (is_one_small_result(kernel, all)) return reduce_to_host(kernel, all, initial, temporary, where);
    operand_address& out = all.operands[output];
    const bool has_segments = all.offsets != nullptr;
    const axes_of axes = has_segments ? axes_of{1, &all.segments.count} : axes_of{all.layout.rank, all.layout.extents};
    std::int64_t* const strides = has_segments ? &all.segments.step : all.strides[output];
    strided_transfer results(out.data, kernel.operands[output].size, axes, strides);
    out.data = results.send(temporary, false, axes, strides);
    launch(kernel, all, initial, where);
    results.fetch(temporary);
    temporary.finish();
    results.unpack();
}

}  // namespace foldwise::detail
