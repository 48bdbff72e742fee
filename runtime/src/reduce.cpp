// runtime/src/reduce.cpp: one call of a reduction, from its operands to its backend.
#include <foldwise/detail/reduce.hpp>

#include "resolve.hpp"
#include "run_reduce.hpp"

#include <foldwise/error.hpp>

#include <cassert>
#include <string>

namespace foldwise::detail {

namespace {

backends backends_of(const reduce_kernel& kernel) {
    return {kernel.name, kernel.cpu != nullptr, kernel.cuda != nullptr, kernel.simulator != nullptr};
}

/// Checks the inputs and fills `all`. `whole` becomes an operand of the shape that they broadcast to.
void normalise_inputs(const reduce_kernel& kernel, std::initializer_list<operand_ref> inputs, operand_ref& whole,
                      arguments& all) {
    assert(inputs.size() == static_cast<std::size_t>(kernel.inputs) && kernel.inputs < max_operands);
    elementwise_kernel checked = inputs_of(kernel);
    int i = 0;
    for (const operand_ref& operand : inputs) all.sources[i++] = &operand;
    whole.layout.shape = broadcast_shape(checked, all.sources, kernel.inputs);
    all.sources[kernel.inputs] = &whole;
    broadcast(checked, all);
    check_places(checked, all);
    if (all.count == 0) {
        all.is_strided = false;
        return;
    }
    checked.index_rank = 1;  // elements are combined in row-major order
    coalesce(checked, all);
}

/// Names the first operand on a GPU; if no input is there, the output is.
[[noreturn]] void refuse_gpu_operand(const reduce_kernel& kernel, const arguments& all, backend chosen) {
    int index = 0;
    while (index < kernel.inputs && (all.sources[index]->is_scalar || all.sources[index]->place.kind == memory::host))
        ++index;
    throw device_error(std::string(kernel.name) + ": operand " + kernel.operands[index].name +
                       " is in GPU memory, which the executor " + (chosen == backend::cpu ? "cpu" : "simulator") +
                       " does not reach");
}

void run_on_simulator(const reduce_kernel& kernel, const arguments& all, const void* initial, void* out) {
    alignas(largest_accumulator) std::byte counters[reduce_counter_bytes] = {}, parts[reduce_part_bytes];
    reduce_call call{};
    call.out = out;
    call.initial = initial;
    call.workspace = {counters, parts, sizeof counters, sizeof parts};
    each_reduce_part(kernel, all.call(inputs_of(kernel)), call, [&](const reduce_call& part) {
        if (int status = kernel.simulator(part, nullptr))
            throw device_error(std::string(kernel.name) + ": the simulator ended with CUDA's error " +
                               std::to_string(status));
    });
}

}  // namespace

void reduce(const reduce_kernel& kernel, std::initializer_list<operand_ref> inputs, const operand_ref& out,
            const void* initial, executor requested) {
    if (out.layout.shape.size() != 1)
        throw shape_error(std::string(kernel.name) + ": output " + kernel.operands[kernel.inputs].name + " " +
                          to_string(out.layout.shape) + " does not have one element, which is what folding all makes");
    operand_ref whole{nullptr, {}, {}, false};
    arguments all;
    normalise_inputs(kernel, inputs, whole, all);
    const bool to_gpu = out.place.kind == memory::cuda;
    const executor chosen = resolve(backends_of(kernel), all.on_gpu || to_gpu, requested);
    if ((all.on_gpu || to_gpu) && chosen.backend() != backend::cuda) refuse_gpu_operand(kernel, all, chosen.backend());
    if (all.count == 0 && !kernel.has_identity && !initial)
        throw empty_error(std::string(kernel.name) + ": there are no elements in shape " +
                          to_string(whole.layout.shape) + ", and the reduction has no identity");
    switch (chosen.backend()) {
    case backend::cuda:
        return run_reduce_on_cuda(kernel, all, initial, out, chosen.stream());
    case backend::simulator:
        return run_on_simulator(kernel, all, initial, out.data);
    default:
        return run_reduce_on_cpu(kernel, all.call(inputs_of(kernel)), initial, out.data);
    }
}

}  // namespace foldwise::detail
