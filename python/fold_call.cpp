// python/fold_call.cpp: what the calls of reductions and scans begin with.
#include "fold_call.hpp"

namespace foldwise::python {

fold_call::fold_call(const python::kernel& of, const call& call, detail::fold_stage of_stage)
    : kernel(of), given(of, call), library(given.common_library()), signature(choose_signature()),
      operands(library, signature, given_inputs, types), stage(of_stage) {
    bool has_arrays = false;
    for (const operand_ref& one : operands.refs()) has_arrays |= !one.is_scalar;
    if (PyObject* extents = given.option("shape"); !is_none(extents)) {
        whole = to_shape({kernel.name, "shape", extents});
        const shape both[] = {*whole, operands.extents()};
        if (broadcast(both) != *whole)
            fail(PyExc_ValueError, "arrays do not broadcast to the shape that " + kernel.name + " is called with");
    } else if (!has_arrays) {
        if (signature.takes_shape())
            fail(PyExc_TypeError, kernel.name + "() has no arrays to take a shape from: say shape=");
        whole = shape();  // numbers alone are one element
    }
    where = library.executor_for(operands.any() ? *operands.any() : array());
}

const python::signature& fold_call::choose_signature() {
    for (PyObject* argument : given.inputs()) given_inputs.push_back(object::share(argument));
    return chosen(kernel, library, given_inputs, types, to_element_type(given.option("dtype")));
}

prepared_call fold_call::prepared() const {
    if (has_initial() && !initial) initial.emplace(given.option("initial"), signature.accumulator);
    prepared_call all{kernel, signature, operands.refs(), where};
    all.initial = initial ? initial->address() : nullptr;
    all.whole = whole;
    all.stage = stage;
    return all;
}

offsets_of::offsets_of(object given) {
    const library* own = library_of(given.get());
    const library& library = own ? *own : numpy();
    const element_type type = describe(library, given).type;
    const bool is_integer = type.kind == element_type::kinds::integer ||
                            type.kind == element_type::kinds::unsigned_integer ||
                            type.kind == element_type::kinds::boolean;
    if (!is_integer || !library.owns(given.get()))
        fail(PyExc_TypeError, "segments and keys are arrays of integers, not of " +
                                  (library.owns(given.get()) ? library.type_name(given.get()) : class_of(given.get())));
    elements_ = library.read(given.get(), type);
}

detail::restarts offsets_of::restarts(bool are_offsets) const {
    if (are_offsets && elements_.type.size < 4)
        fail(PyExc_TypeError, std::string("segments are offsets of 32 or 64 bits, not of ") + name_of(elements_.type));
    return {elements_.ref, static_cast<std::uint8_t>(elements_.type.size),
            are_offsets && elements_.type.kind == element_type::kinds::integer, are_offsets};
}

object namespace_of(PyObject* array) {
    if (!array || numpy_of(array)) return import_module("numpy");
    const object type = object::share(reinterpret_cast<PyObject*>(Py_TYPE(array)));
    std::string name = type.attribute("__module__").text();
    name.erase(std::min(name.find('.'), name.size()));
    const object of = object::share(array).attribute_if_any("__array_namespace__");
    object found = of ? of() : import_module(name == "jax" || name == "jaxlib" ? "jax.numpy" : name.c_str());
    for (const char* needed : {"broadcast_to", "moveaxis", "concatenate"})
        if (!PyObject_HasAttrString(found.get(), needed))
            fail(PyExc_TypeError,
                 "where= is not for arrays of " + class_of(array) + ", whose library has no " + needed + "()");
    return found;
}

}  // namespace foldwise::python
