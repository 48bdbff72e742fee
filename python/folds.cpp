// python/folds.cpp: calls of reductions and scans.
#include "kernel.hpp"

#include <foldwise/detail/layout.hpp>

#include <algorithm>

namespace foldwise::python {

namespace {

/// What the calls of reductions and scans begin with.
struct fold_call {
    fold_call(const kernel& kernel, const call& call)
        : given(sorted(call, kernel.parameters, kernel.required, kernel.positional)),
          library(common_library(kernel.name.c_str(), std::span(given).first(kernel.inputs()))),
          signature(choose_signature(kernel)), operands(library, signature, arguments, types) {
        if (PyObject* value = given[kernel.place_of("initial")]; !is_none(value)) {
            if (signature.accumulator.kind == element_type::kinds::other)
                fail(PyExc_TypeError, kernel.name + "() accumulates in a type that Python does not have: no initial");
            initial = to_value(value, signature.accumulator);
            has_initial = true;
        }
    }

    const python::signature& choose_signature(const kernel& kernel) {
        for (std::size_t i = 0; i < kernel.inputs(); ++i) {
            PyObject* argument = given[i];
            // A number alone is an array without axes.
            arguments.push_back(is_number(argument)
                                    ? import_module("numpy").attribute("asarray")(object::share(argument))
                                    : object::share(argument));
        }
        return chosen(kernel, library, arguments, types, to_element_type(given[kernel.place_of("dtype")]));
    }

    const void* initial_address() const { return has_initial ? initial.bytes : nullptr; }
    element_type result_type() const { return signature.operands.back().type; }
    executor where() const { return operands.any() ? library.executor_for(*operands.any()) : executor(); }

    std::vector<PyObject*> given;
    const python::library& library;
    std::vector<object> arguments;
    std::vector<argument_type> types;
    const python::signature& signature;
    inputs operands;
    value initial = {};
    bool has_initial = false;
};

}  // namespace

object call_fold(kernel& kernel, const call& call) {
    const fold_call fold(kernel, call);
    const shape& extents = fold.operands.extents();
    const auto given = [&](const char* parameter) { return fold.given[kernel.place_of(parameter)]; };
    const auto numbers = to_axes(given("axis"), extents.rank());
    const bool keeps = to_truth(given("keepdims"), false);
    const executor where = fold.where();
    detail::reduce_options options;
    options.initial = fold.initial_address();
    options.executor = &where;
    options.keepdims = keeps;

    // A fold of all axes has one result, which kept axes only give another shape.
    const axes along = numbers ? axes(std::span<const std::int64_t>(*numbers)) : axes();
    shape results;
    if (numbers)
        results = fold.signature.reduced(fold.operands.refs().data(), along, options);
    else if (keeps)
        results = shape(
            std::span<const std::int64_t>(std::vector<std::int64_t>(static_cast<std::size_t>(extents.rank()), 1)));
    output out(fold.library, given("out"), results, fold.result_type(), fold.operands);
    run(std::span(&out, 1), [&] {
        std::vector<operand_ref> operands = fold.operands.refs();
        operands.push_back(out.ref());
        if (!numbers) operands.back().layout = {};
        fold.signature.reduce(operands.data(), numbers ? &along : nullptr, options);
    });
    return out.finished();
}

object call_scan(kernel& kernel, const call& call) {
    const fold_call fold(kernel, call);
    const shape& extents = fold.operands.extents();
    const auto given = [&](const char* parameter) { return fold.given[kernel.place_of(parameter)]; };
    const auto numbers = to_axes(given("axis"), extents.rank());
    if (numbers && numbers->size() != 1) fail(PyExc_TypeError, kernel.name + "() runs along one axis, or along all");
    const axes along = numbers ? axes(std::span<const std::int64_t>(*numbers)) : axes();
    const executor where = fold.where();
    detail::scan_options options;
    options.initial = fold.initial_address();
    options.axes = numbers ? &along : nullptr;
    options.executor = &where;
    options.is_exclusive = to_truth(given("exclusive"), false);
    options.is_reverse = to_truth(given("reverse"), false);

    // Along all axes the results are flat, as those of numpy.cumsum.
    output out(fold.library, given("out"), numbers ? extents : shape(extents.size()), fold.result_type(),
               fold.operands);
    run(std::span(&out, 1), [&] {
        std::vector<operand_ref> operands = fold.operands.refs();
        operands.push_back(out.ref());
        if (!numbers) operands.back().layout = detail::reshape(out.ref().layout, extents);
        fold.signature.scan(operands.data(), options);
    });
    return out.finished();
}

}  // namespace foldwise::python
