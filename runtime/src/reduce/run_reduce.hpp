// runtime/src/reduce/run_reduce.hpp: runs a checked call of a reduction on each backend.
#pragma once

#include "parts.hpp"
#include "reduce_arguments.hpp"

#include <foldwise/detail/reduce_kernel.hpp>

namespace foldwise::detail {

/// Reduces fixed blocks of elements, split over OpenMP threads, and joins them pairwise in order, so that results
/// depend only on shape and strides. All operands must be on the host.
void run_reduce_on_cpu(const reduce_kernel& kernel, const reduce_call& call);

/// Reduces fixed pieces of the elements of all segments, split over OpenMP threads, and joins the pieces of a segment
/// pairwise in order. Results depend only on the offsets and on the number of elements.
void fold_segments_on_cpu(const reduce_kernel& kernel, const reduce_call& call);

/// Combines accumulators, which are the call's only input, one after the other in their order.
void fold_partials_on_cpu(const reduce_kernel& kernel, const reduce_call& call);

/// Runs the emitted CUDA kernels of a reduction on the host.
void run_reduce_on_simulator(const reduce_kernel& kernel, const reduce_call& call);

/// Launches a reduction on the GPU and the stream that `where` names. If operands or results are on the host, they are
/// copied through temporary memory and the call is complete on return; otherwise it is asynchronous. Redirects
/// `all.operands` to the temporary copies.
void run_reduce_on_cuda(const reduce_kernel& kernel, reduce_arguments& all, const void* initial, const executor& where);

/// Calls launch(call) once for each part of a large strided call, or once for any other call. If there are no elements
/// to reduce, the parts divide the results.
template <class Launch> void each_reduce_part(const reduce_kernel& kernel, reduce_call call, const Launch& launch) {
    element_range whole = call.elements;
    if (!whole.layout || call.segments) return launch(call);  // segments are not counted in 32 bits
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
