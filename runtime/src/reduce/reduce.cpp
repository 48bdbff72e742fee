// runtime/src/reduce/reduce.cpp: runs one call of a reduction, from its operands to its backend.
#include <foldwise/detail/reduce.hpp>

#include "call.hpp"
#include "reduce/run_reduce.hpp"

#include <foldwise/error.hpp>

#include <algorithm>
#include <stdexcept>
#include <string>

namespace foldwise::detail {

namespace {

/// One call of a reduction, as run_call() takes it. Its shapes are set, and fit `out`.
struct reduce_request {
    const reduce_kernel& kernel;
    std::initializer_list<operand_ref> inputs;
    const operand_ref& out;
    bool along_axes;
    const void* initial;
    reduce_arguments& all;
    const offset_range* segments = nullptr;  ///< Null: a call without segments.

    void check() {
        if (segments) return normalise_segments(kernel, inputs, out, *segments, kernel.has_identity || initial, all);
        normalise(kernel, inputs, out, along_axes, all);
    }
    int gpu() const { return all.gpu; }
    /// Returns the first input on a GPU or, if there is none, the offsets or the output.
    std::string operand_on_gpu() const {
        int index = 0;
        while (index < kernel.inputs &&
               (all.sources[index]->is_value() || all.sources[index]->place.kind == memory::host))
            ++index;
        if (index == kernel.inputs && all.sources[index]->place.kind == memory::host) return "the array of offsets";
        return std::string("operand ") + kernel.operands[index].name;
    }
    bool has_work() const {
        if (all.shapes.results.size() == 0) return false;
        if (!segments && all.count == 0 && !kernel.has_identity && !initial)
            throw empty_error(std::string(kernel.name) + ": there are no elements in shape " +
                              to_string(all.shapes.whole) + ", and the reduction has no identity");
        return true;
    }
    void run_on_cuda(const executor& where) { run_reduce_on_cuda(kernel, all, initial, where); }
    void run_on_simulator() { run_reduce_on_simulator(kernel, all.call(kernel, initial)); }
    void run_on_cpu() { run_reduce_on_cpu(kernel, all.call(kernel, initial)); }
};

/// A kernel as calls of one stage see it. At another stage than the whole, accumulators are elements or results.
struct kernel_at_stage {
    reduce_kernel kernel;
    operand_info operands[max_operands];

    kernel_at_stage(const reduce_kernel& given, fold_stage stage) : kernel(given) {
        if (stage == fold_stage::whole) return;
        const operand_info result = given.operands[given.inputs];
        if (stage == fold_stage::partial) {
            std::copy_n(given.operands, given.inputs, operands);
            operands[given.inputs] = {result.name, given.accumulator_size, given.accumulator_alignment};
        } else {
            operands[0] = {"partials", given.accumulator_size, given.accumulator_alignment};
            operands[1] = result;
            kernel.inputs = 1;
            kernel.index_rank = 0;
            kernel.commutes = false;
        }
        kernel.operands = operands;
    }
    kernel_at_stage(const kernel_at_stage&) = delete;
};

void check_results(const reduce_kernel& kernel, const operand_ref& out, const reduce_shapes& shapes) {
    if (!(out.layout.shape == shapes.results))
        throw shape_error(std::string(kernel.name) + ": output " + kernel.operands[kernel.inputs].name + " " +
                          to_string(out.layout.shape) + " does not have the results' shape " +
                          to_string(shapes.results));
}

}  // namespace

void reduce(const reduce_kernel& given, std::initializer_list<operand_ref> inputs, const operand_ref& out,
            const reduce_options& options) {
    const kernel_at_stage staged(given, options.stage);
    const reduce_kernel& kernel = staged.kernel;
    if (out.layout.shape.size() != 1)
        throw shape_error(std::string(kernel.name) + ": output " + kernel.operands[kernel.inputs].name + " " +
                          to_string(out.layout.shape) +
                          " must have one element: without axes, everything is folded into one result");
    reduce_arguments all(options.where_to_run());
    all.shapes = shapes_of(kernel, inputs, nullptr, options);
    all.stage = options.stage;
    run_call(kernel, reduce_request{kernel, inputs, out, false, options.initial, all}, options.where_to_run());
}

void reduce_along(const reduce_kernel& given, std::initializer_list<operand_ref> inputs, const operand_ref& out,
                  const axes& along, const reduce_options& options) {
    const kernel_at_stage staged(given, options.stage);
    const reduce_kernel& kernel = staged.kernel;
    reduce_arguments all(options.where_to_run());
    all.shapes = shapes_of(kernel, inputs, &along, options);
    all.stage = options.stage;
    check_results(kernel, out, all.shapes);
    run_call(kernel, reduce_request{kernel, inputs, out, true, options.initial, all}, options.where_to_run());
}

result_place place_reduction(const reduce_kernel& given, std::initializer_list<operand_ref> inputs, const axes& along,
                             const reduce_options& options) {
    const kernel_at_stage staged(given, options.stage);
    const reduce_kernel& kernel = staged.kernel;
    return place_result(backends_of(kernel), shapes_of(kernel, inputs, &along, options).results, inputs,
                        options.where_to_run());
}

void reduce_segments(const reduce_kernel& kernel, std::initializer_list<operand_ref> inputs, const operand_ref& out,
                     const offset_range& offsets, const reduce_options& options) {
    reduce_arguments all(options.where_to_run());
    all.shapes = shapes_of_segments(kernel, inputs, offsets, options);
    check_results(kernel, out, all.shapes);
    run_call(kernel, reduce_request{kernel, inputs, out, false, options.initial, all, &offsets},
             options.where_to_run());
}

result_place place_segments(const reduce_kernel& kernel, std::initializer_list<operand_ref> inputs,
                            const offset_range& offsets, const reduce_options& options) {
    return place_result(backends_of(kernel), shapes_of_segments(kernel, inputs, offsets, options).results, inputs,
                        options.where_to_run());
}

}  // namespace foldwise::detail
