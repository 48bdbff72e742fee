// runtime/src/run_on_cuda.cpp: launches on a GPU, and takes operands on the host there and back.
#include "device.hpp"
#include "parts.hpp"
#include "run.hpp"
#include "staging.hpp"

#include <vector>

namespace foldwise::detail {

namespace {

void launch(const elementwise_kernel& kernel, const elementwise_call& call, CUstream_st* stream) {
    each_part(kernel, call, [&](const elementwise_call& part) {
        if (int status = kernel.cuda(part, stream)) throw_status(require_gpu(kernel.name), status, kernel.name);
    });
}

void run_staged(const elementwise_kernel& kernel, arguments& all, CUstream_st* stream) {
    staging temporary(kernel.name, stream);
    void* hosts[max_operands];
    const auto bytes = [&](int i) { return static_cast<std::size_t>(all.count) * kernel.operands[i].size; };
    for (int i = 0; i < operands_of(kernel); ++i) {
        hosts[i] = all.operands[i].data;
        if (on_host(*all.sources[i])) all.operands[i].data = temporary.stage(hosts[i], bytes(i), i < kernel.inputs);
    }
    launch(kernel, all.call(kernel), stream);
    for (int i = kernel.inputs; i < operands_of(kernel); ++i) {
        if (on_host(*all.sources[i])) temporary.fetch(hosts[i], all.operands[i].data, bytes(i));
    }
    temporary.finish();
}

void run_staged_strided(const elementwise_kernel& kernel, arguments& all, CUstream_st* stream) {
    staging temporary(kernel.name, stream);
    std::vector<parcel> outputs;
    for (int i = 0; i < operands_of(kernel); ++i) {
        if (!on_host(*all.sources[i])) continue;
        parcel one(kernel, all, i);
        all.operands[i].data = one.send(temporary, i < kernel.inputs, all.layout, all.strides[i]);
        if (i >= kernel.inputs) outputs.push_back(one);
    }
    coalesce(kernel, all);  // what was gathered may be contiguous now
    launch(kernel, all.call(kernel), stream);
    for (const parcel& output : outputs) output.fetch(temporary);
    temporary.finish();
    for (const parcel& output : outputs) output.unpack();
}

}  // namespace

void run_on_cuda(const elementwise_kernel& kernel, arguments& all, CUstream_st* stream) {
    if (!all.on_host)
        launch(kernel, all.call(kernel), stream);
    else if (all.is_strided)
        run_staged_strided(kernel, all, stream);
    else
        run_staged(kernel, all, stream);
}

}  // namespace foldwise::detail
