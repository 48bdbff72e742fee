// runtime/src/vectorize/vectorize.cpp: one call of a vectorize kernel, from its operands to its backend.
#include <foldwise/detail/vectorize.hpp>

#include "arguments.hpp"
#include "call.hpp"
#include "parts.hpp"
#include "vectorize/run_vectorize.hpp"

#include <algorithm>
#include <string>

namespace foldwise::detail {

namespace {

struct vectorize_request {
    const vectorize_kernel& kernel;
    std::initializer_list<operand_ref> inputs, outputs;
    arguments& all;

    void check() { normalise(operands_of(kernel), inputs, outputs, all); }
    int gpu() const { return all.gpu; }
    std::string operand_on_gpu() const {
        int index = 0;
        while (all.sources[index]->is_value() || all.sources[index]->place.kind == memory::host) ++index;
        return std::string("operand ") + kernel.operands[index].name;
    }
    bool has_single_values_alone() const {
        const auto is_array = [](const operand_ref& input) { return !input.is_scalar; };
        const auto has_axes = [](const operand_ref& output) { return output.layout.shape.rank() > 0; };
        return std::none_of(inputs.begin(), inputs.end(), is_array) &&
               std::none_of(outputs.begin(), outputs.end(), has_axes);
    }
    bool has_work() const { return all.count > 0; }
    void run_on_cuda(const executor& where) { detail::run_vectorize_on_cuda(kernel, all, where); }
    void run_on_simulator() {
        each_part(operands_of(kernel), all.call(operands_of(kernel)),
                  [&](const element_range& part) { check_simulated(kernel.name, kernel.simulator(part, nullptr)); });
    }
    void run_on_cpu() { detail::run_vectorize_on_cpu(kernel, all.call(operands_of(kernel))); }
};

}  // namespace

void vectorize(const vectorize_kernel& kernel, std::initializer_list<operand_ref> inputs,
               std::initializer_list<operand_ref> outputs, const executor& requested) {
    arguments all(requested);
    run_call(kernel, vectorize_request{kernel, inputs, outputs, all}, requested);
}

result_place place_result(const vectorize_kernel& kernel, const shape& extents,
                          std::initializer_list<operand_ref> inputs, const executor& requested) {
    return place_result(backends_of(kernel), extents, inputs, requested);
}

result_place place_result(const vectorize_kernel& kernel, std::initializer_list<operand_ref> inputs,
                          const executor& requested) {
    check_operand_count(kernel.name, inputs.size(), static_cast<std::size_t>(kernel.outputs));
    const operand_ref* sources[max_operands];
    int count = 0;
    for (const operand_ref& input : inputs) sources[count++] = &input;
    return place_result(kernel, broadcast_shape(operands_of(kernel), sources, count), inputs, requested);
}

}  // namespace foldwise::detail
