// runtime/src/guvectorize/guvectorize.cpp: runs one call of a guvectorize kernel, from its operands to its backend.
#include "call.hpp"
#include "guvectorize/guvectorize_arguments.hpp"
#include "parallel.hpp"

#include <string>

namespace foldwise::detail {

namespace {

/// One call, as run_call() takes it.
struct guvectorize_request {
    const guvectorize_kernel& kernel;
    std::initializer_list<operand_ref> operands;
    guvectorize_arguments& all;

    void check() { normalise(kernel, operands, all); }
    int gpu() const { return all.gpu; }
    std::string operand_on_gpu() const {
        int index = 0;
        while (all.sources[index]->is_value() || all.sources[index]->place.kind == memory::host) ++index;
        return std::string("operand ") + kernel.operands[index].name;
    }
    bool has_work() const { return all.count > 0; }
    void run_on_cuda(const executor& where) { run_guvectorize_on_cuda(kernel, all, where); }
    void run_on_simulator() { check_simulated(kernel.name, kernel.simulator(all.all, nullptr)); }
    void run_on_cpu() {
        in_parallel_by_turns(all.count, [&](std::int64_t begin, std::int64_t end) { kernel.cpu(all.all, begin, end); });
    }
};

}  // namespace

void guvectorize(const guvectorize_kernel& kernel, std::initializer_list<operand_ref> operands,
                 const executor& requested) {
    guvectorize_arguments all(requested);
    run_call(kernel, guvectorize_request{kernel, operands, all}, requested);
}

result_place place_result(const guvectorize_kernel& kernel, int operand, std::initializer_list<operand_ref> inputs,
                          const executor& requested) {
    guvectorize_arguments all(requested);
    check_cores(kernel, inputs, all);
    const shape items = items_of_inputs(kernel, all);
    const core_axes& core = kernel.cores[operand];
    std::int64_t extents[2 * max_rank];
    int rank = 0;
    for (const std::int64_t extent : items) extents[rank++] = extent;
    for (int axis = 0; axis < core.count; ++axis) extents[rank++] = all.dimensions[core.dimensions[axis]];
    const shape whole(std::span<const std::int64_t>(extents, static_cast<std::size_t>(rank)));
    return place_result(backends_of(kernel), whole, inputs, requested);
}

}  // namespace foldwise::detail
