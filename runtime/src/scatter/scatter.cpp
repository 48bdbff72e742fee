// runtime/src/scatter/scatter.cpp: one call of a scattered fold, from its operands to its backend.
#include <foldwise/detail/scatter.hpp>

#include "call.hpp"
#include "scatter/run_scatter.hpp"

#include <string>

namespace foldwise::detail {

namespace {

/// One call of a scattered fold, as run_call() takes it.
struct scatter_request {
    const scatter_kernel& kernel;
    std::initializer_list<operand_ref> inputs;
    const operand_ref& out;
    scatter_arguments& all;

    void check() { normalise(kernel, inputs, out, all); }
    int gpu() const { return all.gpu; }
    std::string operand_on_gpu() const {
        int index = 0;
        while (all.sources[index]->is_value() || all.sources[index]->place.kind == memory::host) ++index;
        return std::string("operand ") + kernel.operands[index].name;
    }
    bool has_work() const { return all.bin_count(kernel) > 0 && (all.count > 0 || all.is_fresh); }
    void run_on_cuda(const executor& where) { run_scatter_on_cuda(kernel, all, where); }
    void run_on_simulator() { run_scatter_on_simulator(kernel, all); }
    void run_on_cpu() { run_scatter_on_cpu(kernel, all); }
};

}  // namespace

void scatter(const scatter_kernel& kernel, std::initializer_list<operand_ref> inputs, const operand_ref& out,
             bool is_fresh, const executor& requested) {
    scatter_arguments all(requested);
    all.is_fresh = is_fresh;
    run_call(kernel, scatter_request{kernel, inputs, out, all}, requested);
}

result_place place_scatter(const scatter_kernel& kernel, std::initializer_list<operand_ref> inputs,
                           const shape& extents, const executor& requested) {
    return place_result(backends_of(kernel), extents, inputs, requested);
}

}  // namespace foldwise::detail
