// python/scans.cpp: calls of scans.
#include "fold_call.hpp"

#include <foldwise/detail/layout.hpp>

namespace foldwise::python {

object call_scan(kernel& kernel, const call& call) {
    const fold_call fold(kernel, call, detail::fold_stage::whole);
    const shape& extents = fold.extents();
    auto numbers = to_axes(fold.given.option("axis"), extents.rank());
    if (extents.rank() == 0) numbers.reset();
    if (numbers && numbers->size() != 1) fail(PyExc_TypeError, kernel.name + "() runs along one axis, or along all");
    const axes along = numbers ? axes(std::span<const std::int64_t>(*numbers)) : axes();
    PyObject* const segments = fold.given.option("segments");
    PyObject* const keys = fold.given.option("by_key");
    if (!is_none(segments) && !is_none(keys))
        fail(PyExc_TypeError, kernel.name + "() takes segments= or by_key=, not both");
    std::optional<offsets_of> begins;
    detail::restarts restarts;
    if (!is_none(segments) || !is_none(keys)) {
        begins.emplace(object::share(is_none(keys) ? segments : keys));
        restarts = begins->restarts(is_none(keys));
    }

    const detail::reduce_options common = fold.options();
    detail::scan_options options;
    options.initial = common.initial;
    options.axes = numbers ? &along : nullptr;
    options.where = begins ? &restarts : nullptr;
    options.executor = common.executor;
    options.whole = common.whole;
    options.is_exclusive = to_truth(fold.given.option("exclusive"), false);
    options.is_reverse = to_truth(fold.given.option("reverse"), false);

    // Along all axes the results are flat, as those of numpy.cumsum.
    output out(fold.library, fold.given.option("out"), numbers ? extents : shape(extents.size()), fold.result_type(),
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
