// runtime/src/run_reduce_on_cuda.cpp: launches a reduction on a GPU, and takes operands on the host there.
#include "device.hpp"
#include "run_reduce.hpp"
#include "staging.hpp"
#include "workspace.hpp"

namespace foldwise::detail {

namespace {

void launch(const reduce_kernel& kernel, const elementwise_call& elements, const void* initial, void* out,
            CUstream_st* stream) {
    reduce_call call{};
    call.out = out;
    call.initial = initial;
    const workspace_lease workspace = workspace_of(stream, {}, kernel.name);
    call.workspace = workspace.memory;
    each_reduce_part(kernel, elements, call, [&](const reduce_call& part) {
        if (int status = kernel.cuda(part, stream)) throw_status(require_gpu(kernel.name), status, kernel.name);
    });
}

/// Brings every array that is on the host to the GPU; `all` then points there.
void stage_inputs(const elementwise_kernel& inputs, arguments& all, staging& temporary) {
    for (int i = 0; i < inputs.inputs; ++i) {
        if (!on_host(*all.sources[i])) continue;
        if (all.is_strided)
            all.operands[i].data = parcel(inputs, all, i).send(temporary, true, all.layout, all.strides[i]);
        else
            all.operands[i].data = temporary.stage(all.operands[i].data,
                                                   static_cast<std::size_t>(all.count) * inputs.operands[i].size, true);
    }
}

}  // namespace

void run_reduce_on_cuda(const reduce_kernel& kernel, arguments& all, const void* initial, const operand_ref& out,
                        CUstream_st* stream) {
    const elementwise_kernel inputs = inputs_of(kernel);
    const std::size_t size = kernel.operands[kernel.inputs].size;
    const bool to_host = out.place.kind == memory::host;
    if (!all.on_host && !to_host) return launch(kernel, all.call(inputs), initial, out.data, stream);

    staging temporary(kernel.name, stream);
    stage_inputs(inputs, all, temporary);
    void* result = to_host ? temporary.stage_alone(out.data, size, false) : out.data;
    launch(kernel, all.call(inputs), initial, result, stream);
    if (to_host) temporary.fetch(out.data, result, size);
    temporary.finish();
}

}  // namespace foldwise::detail
