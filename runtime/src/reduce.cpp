// runtime/src/reduce.cpp: one call of a reduction, from its operands to its backend.
#include <foldwise/detail/reduce.hpp>

#include "checks.hpp"
#include "resolve.hpp"
#include "run_reduce.hpp"

#include <foldwise/error.hpp>

#include <new>
#include <stdexcept>
#include <string>

namespace foldwise::detail {

namespace {

backends backends_of(const reduce_kernel& kernel) {
    return {kernel.name, kernel.cpu != nullptr, kernel.cuda != nullptr, kernel.simulator != nullptr,
            kernel.is_per_thread && *kernel.is_per_thread};
}

/// Names the first operand on a GPU; if no input is there, the output is.
[[noreturn]] void refuse_gpu_operand(const reduce_kernel& kernel, const arguments& all, backend chosen) {
    int index = 0;
    while (index < kernel.inputs && (all.sources[index]->is_scalar || all.sources[index]->place.kind == memory::host))
        ++index;
    refuse_gpu_memory(kernel.name, std::string("operand ") + kernel.operands[index].name, chosen);
}

/// Runs a call whose shapes are set and fit `out`.
void run(const reduce_kernel& kernel, std::initializer_list<operand_ref> inputs, const operand_ref& out,
         bool along_axes, const reduce_options& options, fold_arguments& all) try {
    normalise(kernel, inputs, out, along_axes, all);
    const executor chosen = resolve(backends_of(kernel), all.gpu, options.executor);
    if (all.gpu != no_gpu && chosen.backend() != backend::cuda) refuse_gpu_operand(kernel, all, chosen.backend());
    if (all.shapes.results.size() == 0) return;
    if (all.count == 0 && !kernel.has_identity && !options.initial)
        throw empty_error(std::string(kernel.name) + ": there are no elements in shape " + to_string(all.shapes.whole) +
                          ", and the reduction has no identity");
    with_reports(kernel.name, [&] {
        switch (chosen.backend()) {
        case backend::cuda:
            return run_reduce_on_cuda(kernel, all, options.initial, chosen);
        case backend::simulator:
            return run_reduce_on_simulator(kernel, all.call(kernel, options.initial));
        default:
            return run_reduce_on_cpu(kernel, all.call(kernel, options.initial));
        }
    });
} catch (const std::bad_alloc&) {
    refuse_bookkeeping(kernel.name);
}

}  // namespace

void refuse_second_option(const char* one) {
    throw std::invalid_argument(std::string("a reduction was given a second ") + one);
}

void reduce(const reduce_kernel& kernel, std::initializer_list<operand_ref> inputs, const operand_ref& out,
            const reduce_options& options) {
    if (out.layout.shape.size() != 1)
        throw shape_error(std::string(kernel.name) + ": output " + kernel.operands[kernel.inputs].name + " " +
                          to_string(out.layout.shape) + " does not have one element, which is what folding all makes");
    fold_arguments all;
    all.shapes = shapes_of(kernel, inputs, nullptr, false);
    run(kernel, inputs, out, false, options, all);
}

void reduce_along(const reduce_kernel& kernel, std::initializer_list<operand_ref> inputs, const operand_ref& out,
                  const axes& along, const reduce_options& options) {
    fold_arguments all;
    all.shapes = shapes_of(kernel, inputs, &along, options.keepdims);
    if (!(out.layout.shape == all.shapes.results))
        throw shape_error(std::string(kernel.name) + ": output " + kernel.operands[kernel.inputs].name + " " +
                          to_string(out.layout.shape) + " does not have the results' shape " +
                          to_string(all.shapes.results));
    run(kernel, inputs, out, true, options, all);
}

result_place place_reduction(const reduce_kernel& kernel, std::initializer_list<operand_ref> inputs, const axes& along,
                             const reduce_options& options) {
    return place_result(backends_of(kernel), shapes_of(kernel, inputs, &along, options.keepdims).results, inputs,
                        options.executor);
}

}  // namespace foldwise::detail
