// runtime/src/guvectorize/run_guvectorize_on_cuda.cpp: launches a guvectorize call on a GPU, and copies operands on the
// host there and back.
#include "device.hpp"
#include "guvectorize/guvectorize_arguments.hpp"
#include "staging.hpp"

#include <optional>

namespace foldwise::detail {

namespace {

void launch(const guvectorize_kernel& kernel, const guvectorize_call& call, CUstream_st* stream) {
    if (int status = kernel.cuda(call, stream)) throw_status(require_gpu(kernel.name), status, kernel.name);
}

/// Copies an operand to the GPU, outputs too unless the lambda certainly assigns all of their elements; and has the
/// call refer to the copy.
strided_transfer send(const guvectorize_kernel& kernel, guvectorize_arguments& all, int index, staging& temporary) {
    core_argument& core = all.cores[index];
    const int items = all.all.axes, rank = items + kernel.cores[index].count;
    std::int64_t extents[2 * max_axes], strides[2 * max_axes];
    for (int axis = 0; axis < rank; ++axis) {
        extents[axis] = axis < items ? all.all.extents[axis] : core.extents[axis - items];
        strides[axis] = axis < items ? core.item_strides[axis] : core.strides[axis - items];
    }
    const axes_of axes{rank, extents};
    strided_transfer transfer(core.data, kernel.operands[index].size, axes, strides);
    core.data = transfer.send(temporary, !kernel.cores[index].is_overwritten, axes, strides);
    for (int axis = 0; axis < rank; ++axis)
        (axis < items ? core.item_strides[axis] : core.strides[axis - items]) = strides[axis];
    return transfer;
}

}  // namespace

void run_guvectorize_on_cuda(const guvectorize_kernel& kernel, guvectorize_arguments& all, const executor& where) {
    const current_gpu current(require_gpu(kernel.name), where.device(), kernel.name);
    if (!all.on_host) return launch(kernel, all.all, where.stream());
    staging temporary(kernel.name, where);
    std::optional<strided_transfer> results[max_operands];
    for (int i = 0; i < kernel.inputs + kernel.outputs; ++i) {
        const operand_ref& source = *all.sources[i];
        if (!on_host(source) || source.layout.shape.size() == 0) continue;
        const strided_transfer transfer = send(kernel, all, i, temporary);
        if (i >= kernel.inputs) results[i] = transfer;
    }
    launch(kernel, all.all, where.stream());
    for (const std::optional<strided_transfer>& one : results)
        if (one) one->fetch(temporary);
    temporary.finish();
    for (const std::optional<strided_transfer>& one : results)
        if (one) one->unpack();
}

}  // namespace foldwise::detail
