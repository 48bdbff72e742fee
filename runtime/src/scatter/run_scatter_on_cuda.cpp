// runtime/src/scatter/run_scatter_on_cuda.cpp: launches a scattered fold on a GPU, and copies host operands there and
// back.
#include "device.hpp"
#include "scatter/run_scatter.hpp"
#include "staging.hpp"
#include "workspace.hpp"

namespace foldwise::detail {

namespace {

void launch(const scatter_kernel& kernel, const scatter_arguments& all, const executor& where) {
    scatter_call call = all.call(kernel);
    std::size_t needed = 0;
    call.sort = kernel.sort;
    call.needed = &needed;
    int status = kernel.cuda(call, where.stream());
    if (status == needs_memory) {
        const workspace_lease lease = workspace_of(where, {reduce_counter_bytes, needed}, kernel.name);
        call.memory = lease.memory.parts;
        call.memory_bytes = lease.memory.part_bytes;
        status = kernel.cuda(call, where.stream());
    }
    if (status != 0) throw_status(require_gpu(kernel.name), status, kernel.name);
}

/// Copies every host array of elements to the GPU, and redirects `all` to the copies.
void stage_inputs(const scatter_kernel& kernel, scatter_arguments& all, staging& temporary) {
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

}  // namespace

void run_scatter_on_cuda(const scatter_kernel& kernel, scatter_arguments& all, const executor& where) {
    const current_gpu current(require_gpu(kernel.name), where.device(), kernel.name);
    if (!all.on_host && !all.has_host_wholes) return launch(kernel, all, where);
    staging temporary(kernel.name, where);
    stage_inputs(kernel, all, temporary);
    stage_wholes(inputs_of(kernel), all, temporary);
    if (!on_host(*all.sources[kernel.inputs])) {
        launch(kernel, all, where);
        return temporary.finish();
    }
    const axes_of axes{kernel.bin_axes, all.bins.extents};
    strided_transfer bins(all.bins.data, kernel.operands[kernel.inputs].size, axes, all.bins.strides);
    all.bins.data = bins.send(temporary, !all.is_fresh, axes, all.bins.strides);
    launch(kernel, all, where);
    bins.fetch(temporary);
    temporary.finish();
    bins.unpack();
}

}  // namespace foldwise::detail
