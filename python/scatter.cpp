// python/scatter.cpp: calls of scattered folds, into an array that exists or a new one.
#include "prepared.hpp"

namespace foldwise::python {

object call_scatter(kernel& kernel, const call& call) {
    const arguments given(kernel, call);
    const library& library = given.common_library();
    std::vector<object> all;
    for (PyObject* one : given.inputs()) all.push_back(object::share(one));
    std::vector<argument_type> types;
    const signature& signature = chosen(kernel, library, all, types, to_element_type(given.option("dtype")));
    const inputs inputs(library, signature, all, types);
    PyObject* const out = given.option("out");
    PyObject* const extents = given.option("shape");
    if (is_none(out) == is_none(extents))
        fail(PyExc_TypeError, kernel.name + "() takes out=, an array to combine with, or shape=, that of a new one");
    if (!is_none(out) && !library.owns(out)) fail(PyExc_TypeError, "an output must be an array, not " + class_of(out));
    const shape bins = is_none(out) ? to_shape({kernel.name, "shape", extents}) : library.shape_of(out);
    if (bins.rank() != signature.bin_axes)
        fail(PyExc_ValueError, kernel.name + "() combines into arrays of " +
                                   counted(static_cast<std::size_t>(signature.bin_axes), "axis", "axes") + ", not of " +
                                   std::to_string(bins.rank()));
    output result(library, out, bins, signature.operands.back().type, inputs, {.keeps = true});
    const executor executor = library.executor_for(result.target());
    run(std::span(&result, 1), [&] {
        std::vector<operand_ref> operands = inputs.refs();
        operands.push_back(result.ref());
        prepared_call prepared{kernel, signature, std::move(operands), executor};
        prepared.is_fresh = is_none(out);
        library.launch(prepared);
    });
    return result.finished();
}

}  // namespace foldwise::python
