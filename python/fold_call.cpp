// python/fold_call.cpp: the beginnings of calls of reductions and scans.
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
    const python::signature& found =
        chosen(kernel, library, given_inputs, types, to_element_type(given.option("dtype")));
    for (std::size_t i = 0; i < given_inputs.size(); ++i) {
        const object mask = found.operands[i].axes == 0 ? mask_of(given_inputs[i].get()) : object();
        if (!mask || found.operands[i].type.kind == element_type::kinds::record) continue;
        const object own = object::take(PyNumber_Invert(mask.get()));
        unmasked = unmasked ? object::take(PyNumber_And(unmasked.get(), own.get())) : own;
        given_inputs[i] = import_module("numpy").attribute("asarray")(given_inputs[i]);
    }
    return found;
}

/// Whether a call has a condition as where=.
static bool says_where(const arguments& given) {
    PyObject* const where = given.option("where");
    return !is_none(where) && where != Py_True;
}

bool fold_call::has_condition() const { return says_where(given) || unmasked; }

object fold_call::condition(const char* pattern) const {
    PyObject* const where_option = given.option("where");
    const bool is_said = says_where(given);
    if (!is_said && !unmasked) return {};
    object result = is_said ? condition_of(library, where_option) : unmasked;
    if (is_said && unmasked) result = object::take(PyNumber_And(result.get(), unmasked.get()));
    const char* const masked = "() would leave masked elements out as where=~m.mask does, and ";
    if (!signature.has_identity && !has_initial()) {
        if (!is_said) fail(PyExc_TypeError, kernel.name + masked + "needs initial= for that, as it has no identity");
        fail(PyExc_ValueError, pattern + (" operation '" + kernel.name) +
                                   "' does not have an identity, so to use a where mask one has to specify 'initial'");
    }
    return result;
}

void fold_call::refuse_masked(const char* how) const {
    if (unmasked)
        fail(PyExc_TypeError, kernel.name + how + " does not leave masked elements out, as where=~m.mask does: pass " +
                                  "m.filled(value)");
}

void fold_call::read_initial() const {
    PyObject* const value = given.option("initial");
    const element_type type = signature.accumulator;
    const bool is_record = type.kind == element_type::kinds::record;
    // NumPy would give all members of a record the value of a number.
    bool fits = !is_record || PyTuple_Check(value) || (numpy_of(value) && numpy().type_of(value) == type);
    if (fits) try {
            initial.emplace(value, type);
            return;
        } catch (const python_error&) {
            if (!PyErr_ExceptionMatches(PyExc_TypeError) && !(is_record && PyErr_ExceptionMatches(PyExc_ValueError)))
                throw;
            PyErr_Clear();
        }
    const std::string dtype = is_record ? "dtype " + numpy_dtype(type).text() + ", a tuple or a record of it"
                                        : std::string("type ") + name_of(type);
    // As NumPy has it, of text and sequences it is the value that is wrong.
    const bool is_value = !is_record && PySequence_Check(value);
    fail(is_value ? PyExc_ValueError : PyExc_TypeError,
         kernel.name + "(): initial= is an accumulator, of " + dtype + ", not " +
             (is_record && PyTuple_Check(value) ? object::share(value).text() : class_of(value)));
}

prepared_call fold_call::prepared() const {
    if (has_initial() && !initial) read_initial();
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
