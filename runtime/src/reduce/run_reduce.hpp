// runtime/src/reduce/run_reduce.hpp: a checked call of a reduction on each backend.
#pragma once

#include "parts.hpp"
#include "reduce_arguments.hpp"

#include <foldwise/detail/reduce_kernel.hpp>

namespace foldwise::detail {

/// Folds fixed blocks of elements, split over OpenMP threads, and joins them pairwise in their order: the results
/// depend on shape and strides alone. All operands are on the host.
void run_reduce_on_cpu(const reduce_kernel& kernel, const reduce_call& call);

/// Runs the emitted kernels on the host.
void run_reduce_on_simulator(const reduce_kernel& kernel, const reduce_call& call);

/// Launches on the GPU and the stream that `where` names. Operands on the host, and results there, travel through
/// temporary memory, and then the call is complete on return; else it is asynchronous. Redirects `all.operands` to what
/// it stages.
void run_reduce_on_cuda(const reduce_kernel& kernel, reduce_arguments& all, const void* initial, const executor& where);

/// Calls launch(call) with what the kernel is given, once for each part of a large strided call. Where there is nothing
/// to fold, parts are so many results.
template <class Launch> void each_reduce_part(const reduce_kernel& kernel, reduce_call call, const Launch& launch) {
    element_range whole = call.elements;
    if (!whole.layout) return launch(call);
    const bool is_empty = whole.count == 0;
    std::int64_t length = 1, done = 0;
    if (is_empty) {
        whole.count = 1;
        for (int axis = 0; axis < call.kept; ++axis) whole.count *= whole.layout->extents[axis];
    } else {
        for (int axis = call.kept; axis < whole.layout->rank; ++axis) length *= whole.layout->extents[axis];
    }
    each_part(operands_of(kernel), whole, call.positions, [&](const element_range& part) {
        call.elements = part;
        if (is_empty) call.elements.count = 0;
        call.is_first = done % length == 0;
        done += part.count;
        call.is_last = done % length == 0;
        launch(call);
    });
}

}  // namespace foldwise::detail
