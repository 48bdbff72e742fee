// runtime/src/stencil/run_stencil_on_cuda.cpp: launches the steps of a stencil call on a GPU, and copies operands on
// the host there and back.
#include "device.hpp"
#include "staging.hpp"
#include "stencil/stencil_arguments.hpp"

#include <optional>

namespace foldwise::detail {

namespace {

void launch(const stencil_kernel& kernel, stencil_arguments& all, std::int64_t steps, const executor& where) {
    const device_api& gpu = require_gpu(kernel.name);
    const auto run = [&](const stencil_call& call) {
        if (const int status = kernel.cuda(call, where.stream())) throw_status(gpu, status, kernel.name);
    };
    const stencil_call call = call_of(kernel, all);
    if (steps == 1) return run(call);
    stencil_steps launches(kernel, call, steps, run);
    buffer memory[max_operands];  // freed in the stream's order
    void* spare[max_operands];
    for (int i = 0; i < kernel.outputs && launches.has_spare(); ++i) {
        const stencil_argument& output = call.arguments[kernel.inputs + i];
        const spanned_bytes span = span_of(output, call, kernel.rank, kernel.operands[kernel.inputs + i].size);
        memory[i] = gpu_memory(kernel.name, span.count, where);
        spare[i] = static_cast<std::byte*>(memory[i].data()) + span.before;
        if (kernel.is_whole) continue;
        const void* const from = static_cast<const std::byte*>(output.data) - span.before;
        if (const int status =
                copy_fast(kernel.name, memory[i].data(), from, span.count, copy_direction::on_device, where))
            throw_status(gpu, status, kernel.name);
    }
    launches.each(spare, run);
}

}  // namespace

void run_stencil_on_cuda(const stencil_kernel& kernel, stencil_arguments& all, std::int64_t steps,
                         const executor& where) {
    const current_gpu current(require_gpu(kernel.name), where.device(), kernel.name);
    if (!all.on_host && !all.has_host_wholes) return launch(kernel, all, steps, where);
    staging temporary(kernel.name, where);
    const kernel_operands operands = operands_of(kernel);
    stage_wholes(operands, all, temporary);
    std::optional<strided_transfer> results[max_operands];
    for (int i = 0; i < operands.count(); ++i) {
        if (!on_host(*all.sources[i])) continue;
        strided_transfer one(operands, all, i);
        all.operands[i].data = one.send(temporary, i < kernel.inputs || !kernel.is_whole, all.layout, all.strides[i]);
        if (i >= kernel.inputs) results[i] = one;
    }
    launch(kernel, all, steps, where);
    for (const std::optional<strided_transfer>& one : results)
        if (one) one->fetch(temporary);
    temporary.finish();
    for (const std::optional<strided_transfer>& one : results)
        if (one) one->unpack();
}

}  // namespace foldwise::detail
