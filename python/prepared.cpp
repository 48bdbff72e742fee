// python/prepared.cpp: runs prepared calls.
#include "prepared.hpp"

namespace foldwise::python {

static void execute_reduction(const prepared_call& call) {
    detail::reduce_options options;
    options.initial = call.initial;
    options.executor = &call.where;
    options.keepdims = call.keepdims;
    options.whole = call.whole ? &*call.whole : nullptr;
    options.stage = call.stage;
    if (call.restarts)
        call.signature.reduce_segments(call.operands.data(), offset_range{*call.restarts}, options);
    else
        call.signature.reduce(call.operands.data(), call.along ? &*call.along : nullptr, options);
}

static void execute_scan(const prepared_call& call) {
    detail::scan_options options;
    options.initial = call.initial;
    options.axes = call.along ? &*call.along : nullptr;
    options.where = call.restarts ? &*call.restarts : nullptr;
    options.executor = &call.where;
    options.is_exclusive = call.is_exclusive;
    options.is_reverse = call.is_reverse;
    options.whole = call.whole ? &*call.whole : nullptr;
    call.signature.scan(call.operands.data(), options);
}

void execute(const prepared_call& call) {
    const operand_ref* operands = call.operands.data();
    switch (call.signature.pattern) {
    case patterns::vectorize:
        return call.signature.vectorize(operands, call.where);
    case patterns::reduce:
        return execute_reduction(call);
    case patterns::scan:
        return execute_scan(call);
    case patterns::scatter:
        return call.signature.scatter(operands, call.is_fresh, call.where);
    case patterns::guvectorize:
        return call.signature.guvectorize(operands, call.where);
    case patterns::stencil:
        return call.signature.stencil(operands, foldwise::steps(call.steps), call.where);
    case patterns::forall:
    case patterns::blocks:
        return call.signature.tasks(call.tasks, operands, call.where);
    }
}

void library::launch(const prepared_call& call) const {
    const without_gil others_run;
    execute(call);
}

}  // namespace foldwise::python
