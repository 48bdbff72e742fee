// python/stencils.cpp: calls of stencils.
#include "prepared.hpp"

namespace foldwise::python {

object call_stencil(kernel& kernel, const call& call) {
    const arguments given(kernel, call);
    const library& library = given.common_library();
    std::vector<object> all;
    for (PyObject* one : given.inputs()) all.push_back(object::share(one));
    const castings casting = to_casting(given.option("casting"));
    std::vector<argument_type> types;
    const signature& signature = chosen(kernel, library, all, types, to_element_type(given.option("dtype")), casting);
    const inputs inputs(library, signature, all, types);
    PyObject* const count = given.option("steps");
    const std::int64_t steps = count ? to_integer({kernel.name, "steps", count}) : 1;
    if (steps < 1)
        fail(PyExc_ValueError, kernel.name + "(): " + std::to_string(steps) + " steps are too few: 1 is least");
    if (steps > 1 && !signature.has_steps)
        fail(PyExc_TypeError, kernel.name + "() makes results of other types than it looks around in: no steps=");

    // The arrays around have one shape, which the results have too.
    shape extents;
    for (std::size_t i = 0; i < kernel.inputs(); ++i)
        if (signature.operands[i].is_around) extents = inputs.refs()[i].layout.shape;
    std::vector<output> outputs;
    outputs.reserve(kernel.outputs());
    for (PyObject* one : given.outputs()) {
        const operand_type& operand = signature.operands[kernel.inputs() + outputs.size()];
        if (operand.keeps && is_none(one))
            fail(PyExc_TypeError, kernel.name + "() leaves elements at the edges as they are: say out=");
        outputs.emplace_back(library, one, extents, operand.type, inputs,
                             output_options{operand.keeps, casting, &kernel});
    }
    const executor executor = library.executor_for(outputs.front().target());
    run(outputs, [&] {
        std::vector<operand_ref> operands = inputs.refs();
        for (const output& one : outputs) operands.push_back(one.ref());
        prepared_call prepared{kernel, signature, std::move(operands), executor};
        prepared.steps = steps;
        library.launch(prepared);
    });
    return results_of(outputs);
}

}  // namespace foldwise::python
