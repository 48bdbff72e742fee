// runtime/src/stencil/stencil.cpp: runs one call of a stencil kernel, from its operands to its backend.
#include "call.hpp"
#include "parallel.hpp"
#include "stencil/stencil_arguments.hpp"

#include <foldwise/detail/buffer.hpp>
#include <foldwise/error.hpp>

#include <cstddef>
#include <cstring>
#include <string>

namespace foldwise::detail {

namespace {

/// One call, as run_call() takes it.
struct stencil_request {
    const stencil_kernel& kernel;
    std::initializer_list<operand_ref> operands;
    std::int64_t steps;
    const executor& requested;
    stencil_arguments& all;

    void check() {
        if (steps < 1)
            throw value_error(std::string(kernel.name) + ": " + std::to_string(steps) +
                              " steps are too few: 1 is least");
        normalise(kernel, operands, all);
    }
    int gpu() const { return all.gpu; }
    std::string operand_on_gpu() const {
        int index = 0;
        while (all.sources[index]->is_value() || all.sources[index]->place.kind == memory::host) ++index;
        return std::string("operand ") + kernel.operands[index].name;
    }
    bool has_work() const { return all.count > 0; }
    void run_on_cuda(const executor& where) { run_stencil_on_cuda(kernel, all, steps, where); }
    void run_on_simulator() {
        const auto run = [&](const stencil_call& call) {
            check_simulated(kernel.name, kernel.simulator(call, nullptr));
        };
        run_steps(run, run);
    }
    void run_on_cpu() {
        run_steps([](const stencil_call& call) { call.tiling->steps = 1; },
                  [&](const stencil_call& call) {
                      elements_in_parallel(all.count,
                                           [&](std::int64_t begin, std::int64_t end) { kernel.cpu(call, begin, end); });
                  });
    }

    /// Calls run(call) for each launch, in the memory of the host, after plan(call) has planned them if there are
    /// several steps.
    template <class Plan, class Run> void run_steps(const Plan& plan, const Run& run) {
        const stencil_call call = call_of(kernel, all);
        if (steps == 1) return run(call);
        stencil_steps launches(kernel, call, steps, plan);
        buffer memory[max_operands];
        void* spare[max_operands];
        for (int i = 0; i < kernel.outputs && launches.has_spare(); ++i) {
            const stencil_argument& output = call.arguments[kernel.inputs + i];
            const spanned_bytes span = span_of(output, call, kernel.rank, kernel.operands[kernel.inputs + i].size);
            memory[i] = buffer(span.count, memory_source{{}, nullptr, requested.resource()});
            spare[i] = static_cast<std::byte*>(memory[i].data()) + span.before;
            if (!kernel.is_whole)
                std::memcpy(memory[i].data(), static_cast<const std::byte*>(output.data) - span.before, span.count);
        }
        launches.each(spare, run);
    }
};

}  // namespace

void stencil(const stencil_kernel& kernel, std::initializer_list<operand_ref> operands, steps count,
             const executor& requested) {
    stencil_arguments all(requested);
    run_call(kernel, stencil_request{kernel, operands, count.count(), requested, all}, requested);
}

result_place place_result(const stencil_kernel& kernel, std::initializer_list<operand_ref> inputs,
                          const executor& requested) {
    const operand_ref* sources[max_operands];
    int count = 0;
    for (const operand_ref& input : inputs) sources[count++] = &input;
    return place_result(backends_of(kernel), shape_around(kernel, sources), inputs, requested);
}

}  // namespace foldwise::detail
