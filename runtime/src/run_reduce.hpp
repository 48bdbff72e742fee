// runtime/src/run_reduce.hpp: a checked call of a reduction on each backend.
#pragma once

#include "arguments.hpp"
#include "parts.hpp"

#include <foldwise/detail/reduce_kernel.hpp>

namespace foldwise::detail {

/// The inputs of a reduction, seen as those of a kernel without outputs. With an index their axes keep their order.
inline elementwise_kernel inputs_of(const reduce_kernel& kernel) {
    elementwise_kernel inputs{};
    inputs.name = kernel.name;
    inputs.operands = kernel.operands;
    inputs.inputs = kernel.inputs;
    inputs.index_rank = kernel.index_rank;
    return inputs;
}

/// Folds fixed blocks of elements, split over OpenMP threads, and joins them pairwise in their order: the result
/// depends on the number of elements alone. All operands are on the host.
void run_reduce_on_cpu(const reduce_kernel& kernel, const elementwise_call& call, const void* initial, void* out);

/// Launches on the stream. Operands on the host, and a result there, travel through temporary memory, and then the call
/// is complete on return; else it is asynchronous.
void run_reduce_on_cuda(const reduce_kernel& kernel, arguments& all, const void* initial, const operand_ref& out,
                        CUstream_st* stream);

/// Calls launch(call) with what the kernel is given, once for each part of a large strided call.
template <class Launch>
void each_reduce_part(const reduce_kernel& kernel, const elementwise_call& elements, reduce_call call,
                      const Launch& launch) {
    std::int64_t done = 0;
    each_part(inputs_of(kernel), elements, [&](const elementwise_call& part) {
        call.elements = part;
        call.is_first = done == 0;
        done += part.count;
        call.is_last = done == elements.count;
        launch(call);
    });
}

}  // namespace foldwise::detail
