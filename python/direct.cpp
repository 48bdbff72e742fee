// python/direct.cpp: calls of elementwise functions that NumPy's universal functions cannot make: of other libraries'
// arrays, of records, with indices, with arrays that are handed over as a whole, and over a shape alone.
#include "dlpack.hpp"
#include "prepared.hpp"
#include "torch.hpp"

#include <algorithm>

namespace foldwise::python {

/// The shape that is computed: that of the inputs, the condition and the outputs together.
static shape shape_of_call(const kernel& kernel, const signature& signature, const arguments& given,
                           const inputs& inputs, const library& library, const object& condition) {
    std::vector<shape> shapes = {inputs.extents()};
    if (condition && library.owns(condition.get())) shapes.push_back(library.shape_of(condition.get()));
    bool has_outputs = false;
    for (PyObject* one : given.outputs())
        if (!is_none(one) && library.owns(one)) {
            shapes.push_back(library.shape_of(one));
            has_outputs = true;
        }
    if (PyObject* extents = given.option("shape"); !is_none(extents)) {
        const shape said = to_shape({kernel.name, "shape", extents});
        shapes.push_back(said);
        if (broadcast(shapes) != said)
            fail(PyExc_ValueError, "arrays do not broadcast to the shape that " + kernel.name + " is called with");
    } else if (signature.takes_shape() && !has_outputs && inputs.extents().rank() == 0 && !inputs.has_elements()) {
        fail(PyExc_TypeError, kernel.name + "() has no arrays to take a shape from: say shape= or out=");
    }
    return broadcast(shapes);
}

/// Whether PyTorch is to note what a gradient needs.
static bool requires_gradient(std::span<const object> arguments) {
    const auto requires_it = [](const object& one) {
        return exchanging_library(one.get()) && one.attribute("requires_grad").get() == Py_True;
    };
    return std::ranges::any_of(arguments, requires_it) &&
           import_module("torch").attribute("is_grad_enabled")().get() == Py_True;
}

object call_directly(kernel& kernel, const library& library, const call& call) {
    const arguments given(kernel, call);
    std::vector<object> all;
    for (PyObject* one : given.inputs()) all.push_back(object::share(one));
    const castings casting = to_casting(given.option("casting"));
    std::vector<argument_type> types;
    const signature& signature = chosen(kernel, library, all, types, to_element_type(given.option("dtype")), casting);
    if (kernel.torch_operator && requires_gradient(all)) {
        for (std::size_t i = kernel.inputs(); i < kernel.parameters.size(); ++i)
            if (!is_none(given.all()[i]))
                fail(PyExc_RuntimeError, kernel.name + "(): " + kernel.parameters[i] +
                                             "= is not for tensors that require grad, unless torch.no_grad() holds");
        return call_torch_operator(kernel, all, signature);
    }
    const inputs inputs(library, signature, all, types);

    for (const char* other : {"order", "subok"})
        if (given.option(other) && !is_numpy(library))
            fail(PyExc_TypeError, kernel.name + "() takes " + other + "= with NumPy's arrays alone");

    PyObject* where = given.option("where");
    const object condition = is_none(where) || where == Py_True ? object() : condition_of(library, where);
    const shape extents = shape_of_call(kernel, signature, given, inputs, library, condition);
    std::vector<output> outputs;
    outputs.reserve(kernel.outputs());
    for (PyObject* one : given.outputs())
        outputs.emplace_back(library, one, extents, signature.operands[kernel.inputs() + outputs.size()].type, inputs,
                             output_options{false, casting, &kernel});
    if (condition)
        for (output& one : outputs) one.detach();
    const executor executor = library.executor_for(outputs.front().target());
    const std::vector<operand_ref> refs = inputs.broadcast_to(extents);
    run(outputs, [&] {
        std::vector<operand_ref> operands = refs;
        for (const output& one : outputs) operands.push_back(one.ref());
        library.launch({kernel, signature, std::move(operands), executor});
    });
    return results_of(outputs, condition);
}

}  // namespace foldwise::python
