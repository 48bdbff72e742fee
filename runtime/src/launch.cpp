// runtime/src/launch.cpp: one call of a vectorize kernel, from its operands to its backend.
#include <foldwise/detail/launch.hpp>

#include "arguments.hpp"
#include "checks.hpp"
#include "parts.hpp"
#include "resolve.hpp"
#include "run.hpp"

#include <foldwise/error.hpp>

#include <new>
#include <string>

namespace foldwise::detail {

namespace {

backends backends_of(const elementwise_kernel& kernel) {
    return {kernel.name, kernel.cpu || kernel.cpu_at, kernel.cuda != nullptr, kernel.simulator != nullptr,
            kernel.is_per_thread && *kernel.is_per_thread};
}

[[noreturn]] void refuse_gpu_operand(const elementwise_kernel& kernel, const arguments& all, backend chosen) {
    int index = 0;
    while (all.sources[index]->is_scalar || all.sources[index]->place.kind == memory::host) ++index;
    refuse_gpu_memory(kernel.name, std::string("operand ") + kernel.operands[index].name, chosen);
}

void run_on_simulator(const elementwise_kernel& kernel, const elementwise_call& call) {
    each_part(kernel, call,
              [&](const elementwise_call& part) { check_simulated(kernel.name, kernel.simulator(part, nullptr)); });
}

}  // namespace

void run(const elementwise_kernel& kernel, std::initializer_list<operand_ref> inputs,
         std::initializer_list<operand_ref> outputs, const executor& requested) try {
    arguments all;
    normalise(kernel, inputs, outputs, all);
    const executor chosen = resolve(backends_of(kernel), all.gpu, requested);
    if (all.gpu != no_gpu && chosen.backend() != backend::cuda) refuse_gpu_operand(kernel, all, chosen.backend());
    if (all.count == 0) return;
    with_reports(kernel.name, [&] {
        switch (chosen.backend()) {
        case backend::cuda:
            return run_on_cuda(kernel, all, chosen);
        case backend::simulator:
            return run_on_simulator(kernel, all.call(kernel));
        default:
            return run_on_cpu(kernel, all.call(kernel));
        }
    });
} catch (const std::bad_alloc&) {
    refuse_bookkeeping(kernel.name);
}

result_place place_result(const elementwise_kernel& kernel, const shape& extents,
                          std::initializer_list<operand_ref> inputs, const executor& requested) {
    return place_result(backends_of(kernel), extents, inputs, requested);
}

result_place place_result(const elementwise_kernel& kernel, std::initializer_list<operand_ref> inputs,
                          const executor& requested) {
    check_operand_count(kernel.name, inputs.size(), static_cast<std::size_t>(kernel.outputs));
    const operand_ref* sources[max_operands];
    int count = 0;
    for (const operand_ref& input : inputs) sources[count++] = &input;
    return place_result(kernel, broadcast_shape(kernel, sources, count), inputs, requested);
}

}  // namespace foldwise::detail
