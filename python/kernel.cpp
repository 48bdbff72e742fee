// python/kernel.cpp: the Python type of the module's functions.
#include "kernel.hpp"

#include "call_name.hpp"
#include "gradients.hpp"
#include "quick.hpp"
#include "streams.hpp"

#include <structmember.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <new>

namespace foldwise::python {

namespace {

struct kernel_object {
    PyObject_HEAD vectorcallfunc vectorcall;
    python::kernel* kernel;
    PyObject* weak;  ///< The list of weak references, which are Python's.
};

python::kernel& own_kernel(PyObject* self) { return *reinterpret_cast<kernel_object*>(self)->kernel; }

object call_pattern(python::kernel& kernel, const call& call) {
    switch (kernel.first().pattern) {
    case patterns::vectorize:
        return call_elementwise(kernel, call);
    case patterns::reduce:
        return call_fold(kernel, call);
    case patterns::scan:
        return call_scan(kernel, call);
    case patterns::scatter:
        return call_scatter(kernel, call);
    case patterns::guvectorize:
        return call_generalized(kernel, call);
    case patterns::stencil:
        return call_stencil(kernel, call);
    case patterns::forall:
    case patterns::blocks:
        break;
    }
    return call_tasks(kernel, call);
}

/// Calls what a call is made of, on the stream that its keyword `stream` names, which all functions have.
template <class Function> object on_stream(const call& call, const Function& function) {
    Py_ssize_t place = 0;
    while (place < call.keyword_count() && PyUnicode_CompareWithASCIIString(call.keyword(place), "stream") != 0)
        ++place;
    if (place == call.keyword_count()) {
        const call_scope scope(nullptr);
        return function(call);
    }
    const call_scope scope(call.value(place));
    std::vector<PyObject*> arguments(call.arguments, call.arguments + call.positional + call.keyword_count());
    arguments.erase(arguments.begin() + call.positional + place);
    const object before = object::take(PyTuple_GetSlice(call.keywords, 0, place));
    const object after = object::take(PyTuple_GetSlice(call.keywords, place + 1, call.keyword_count()));
    const object others = object::take(PySequence_Concat(before.get(), after.get()));
    return function(python::call{call.function, arguments.data(), call.positional, others.get(), call.self});
}

PyObject* call_kernel(PyObject* self, PyObject* const* arguments, std::size_t count, PyObject* keywords) {
    python::kernel& kernel = own_kernel(self);
    const call_name name(kernel.name.c_str());
    return guarded([&]() -> object {
        const call call{kernel.name.c_str(), arguments, PyVectorcall_NARGS(count), keywords, self};
        if (kernel.ordered.empty())
            fail(PyExc_NotImplementedError,
                 kernel.name + "() has no signature with elements that Python can have: numbers, and structs of them");
        if (kernel.first().pattern == patterns::vectorize)
            if (object result = call_quickly(kernel, call)) return result;
        return on_stream(call, [&](const python::call& rest) { return call_pattern(kernel, rest); });
    });
}

bool is_elementwise(const python::kernel& kernel) { return !kernel.looped.empty(); }

/// Calls a method of a universal function.
PyObject* call_method(PyObject* method, PyObject* arguments, PyObject* keywords) {
    return guarded([&] {
        const std::string function = object::share(method).attribute("__self__").attribute("__name__").text();
        const call_name name(function.c_str());
        return object::take(
            guarded([&] { return looped([&] { return PyObject_Call(method, arguments, keywords); }); }));
    });
}

PyMethodDef loop_methods[] = {
#define FOLDWISE_LOOP_METHOD(name)                                                                                     \
    {                                                                                                                  \
#name, reinterpret_cast < PyCFunction>(reinterpret_cast <void (*)()>(call_method)),                            \
            METH_VARARGS | METH_KEYWORDS, nullptr                                                                      \
    }
    FOLDWISE_LOOP_METHOD(accumulate), FOLDWISE_LOOP_METHOD(at),       FOLDWISE_LOOP_METHOD(outer),
    FOLDWISE_LOOP_METHOD(reduce),     FOLDWISE_LOOP_METHOD(reduceat),
#undef FOLDWISE_LOOP_METHOD
};

/// Calls of a fold in parts.
template <auto Call>
PyObject* call_part(PyObject* self, PyObject* const* arguments, Py_ssize_t count, PyObject* keywords) {
    python::kernel& kernel = own_kernel(self);
    const call_name name(kernel.name.c_str());
    return guarded([&]() -> object {
        if (kernel.ordered.empty() || kernel.first().pattern != patterns::reduce)
            fail(PyExc_TypeError, kernel.name + " is no reduction, and has no parts");
        return on_stream(call{kernel.name.c_str(), arguments, count, keywords, self},
                         [&](const call& rest) { return Call(kernel, rest); });
    });
}

/// What an elementwise function does not have itself, NumPy's universal function has: outer, reduce, nin and so on.
PyObject* get_attribute(PyObject* self, PyObject* name) {
    PyObject* own = PyObject_GenericGetAttr(self, name);
    if (own || !PyErr_ExceptionMatches(PyExc_AttributeError) || !is_elementwise(own_kernel(self))) return own;
    const char* text = PyUnicode_AsUTF8AndSize(name, nullptr);
    if (!text || std::strncmp(text, "__", 2) == 0) return nullptr;
    PyErr_Clear();
    return guarded([&] {
        object found = object::take(PyObject_GetAttr(ufunc_of(own_kernel(self)).get(), name));
        for (PyMethodDef& one : loop_methods)
            if (std::strcmp(text, one.ml_name) == 0) return object::take(PyCFunction_NewEx(&one, found.get(), nullptr));
        return found;
    });
}

PyObject* get_name(PyObject* self, void*) { return PyUnicode_FromString(own_kernel(self).name.c_str()); }
PyObject* get_module(PyObject* self, void*) { return PyUnicode_FromString(own_kernel(self).module.c_str()); }

/// The signature that inputs of these names of types choose.
const signature& chosen_by_names(const python::kernel& kernel, PyObject* names) {
    std::vector<argument_type> types;
    for (Py_ssize_t i = 0; i < PyTuple_Size(names); ++i)
        types.push_back({type_of_name(object::share(PyTuple_GetItem(names, i)).text())});
    if (types.size() != kernel.inputs()) fail(PyExc_TypeError, kernel.name + "() has other inputs");
    const signature* found = choose(kernel.ordered, types, {});
    if (!found) fail(PyExc_TypeError, kernel.name + "() takes no inputs of these types");
    return *found;
}

/// For operators of PyTorch and JAX: the names of the types of the results, from those of the inputs.
PyObject* get_result_types(PyObject* self, PyObject* names) {
    return guarded([&] {
        const python::kernel& kernel = own_kernel(self);
        const signature& found = chosen_by_names(kernel, names);
        const object list = object::take(PyList_New(0));
        for (std::size_t i = kernel.inputs(); i < found.operands.size(); ++i)
            if (PyList_Append(list.get(), make_text(name_of(found.operands[i].type)).get()) < 0) throw python_error();
        return list;
    });
}

/// For their gradients: whether each input is a float or complex in the signature that is chosen.
PyObject* get_differentiable_inputs(PyObject* self, PyObject* names) {
    return guarded([&] {
        const python::kernel& kernel = own_kernel(self);
        const signature& found = chosen_by_names(kernel, names);
        const object list = object::take(PyList_New(0));
        for (std::size_t i = 0; i < kernel.inputs(); ++i)
            if (PyList_Append(list.get(), is_differentiable(found.operands[i].type) ? Py_True : Py_False) < 0)
                throw python_error();
        return list;
    });
}

PyObject* get_gradient(PyObject* self, void*) {
    const object& gradient = own_kernel(self).gradient;
    return Py_NewRef(gradient ? gradient.get() : Py_None);
}

PyObject* set_torch_operator(PyObject* self, PyObject* operation) {
    own_kernel(self).torch_operator = object::share(operation);
    return Py_NewRef(Py_None);
}

/// What the function is, for __doc__, __signature__ and stubs, which python/describe.cpp makes of it.
PyObject* get_documentation(PyObject* self, void*) {
    return guarded([&] { return make_text(documentation_of(own_kernel(self))); });
}
PyObject* get_signature(PyObject* self, void*) {
    return guarded([&] { return signature_of(own_kernel(self)); });
}
PyObject* get_description(PyObject* self, void*) {
    return guarded([&] { return description_of(own_kernel(self)); });
}

/// An attribute that elementwise functions and those of rows and matrices have, as NumPy's universal functions do.
template <class Make> PyObject* ufunc_attribute(PyObject* self, const char* name, const Make& make) {
    const python::kernel& kernel = own_kernel(self);
    const patterns pattern = kernel.ordered.empty() ? patterns::forall : kernel.first().pattern;
    if (pattern != patterns::vectorize && pattern != patterns::guvectorize) {
        PyErr_Format(PyExc_AttributeError, "'%s' is no universal function: it has no attribute '%s'",
                     kernel.name.c_str(), name);
        return nullptr;
    }
    return guarded([&] { return make(kernel); });
}

PyObject* get_inputs(PyObject* self, void*) {
    return ufunc_attribute(self, "nin",
                           [](const auto& kernel) { return make_integer(static_cast<long>(kernel.inputs())); });
}
PyObject* get_outputs(PyObject* self, void*) {
    return ufunc_attribute(self, "nout",
                           [](const auto& kernel) { return make_integer(static_cast<long>(kernel.outputs())); });
}
PyObject* get_operands(PyObject* self, void*) {
    return ufunc_attribute(self, "nargs", [](const auto& kernel) {
        return make_integer(static_cast<long>(kernel.first().operands.size()));
    });
}
PyObject* get_type_count(PyObject* self, void*) {
    return ufunc_attribute(self, "ntypes",
                           [](const auto& kernel) { return make_integer(static_cast<long>(kernel.ordered.size())); });
}
PyObject* get_layout(PyObject* self, void*) {
    return ufunc_attribute(self, "signature", [](const auto& kernel) {
        return kernel.first().pattern == patterns::guvectorize ? make_text(layout_text(kernel.first()))
                                                               : object::share(Py_None);
    });
}
PyObject* get_identity(PyObject* self, void*) {
    python::kernel& kernel = own_kernel(self);
    return ufunc_attribute(self, "identity", [&](const auto&) {
        return kernel.looped.empty() ? object::share(Py_None) : ufunc_of(kernel).attribute("identity");
    });
}

/// A list with something for each signature, in the order in which they are tried.
template <class Make> object list_of_signatures(const python::kernel& kernel, const Make& make) {
    const object list = object::take(PyList_New(0));
    for (const signature* one : kernel.ordered)
        if (PyList_Append(list.get(), make(*one).get()) < 0) throw python_error();
    return list;
}

/// As NumPy writes them: "ff->f".
PyObject* get_types(PyObject* self, void*) {
    return guarded([&] {
        return list_of_signatures(own_kernel(self), [](const signature& one) {
            std::string types;
            for (std::size_t i = 0; i < one.operands.size(); ++i) {
                types += i == static_cast<std::size_t>(one.inputs) ? "->" : "";
                types += character_of(one.operands[i].type);
            }
            return make_text(types);
        });
    });
}

/// NumPy's dtypes of the inputs and outputs, or of all parameters of tasks; of folds also that of the accumulator.
PyObject* get_dtypes(PyObject* self, void*) {
    return guarded([&] {
        return list_of_signatures(own_kernel(self), [](const signature& one) {
            const bool is_fold = one.accumulator.kind != element_type::kinds::other;
            const object list = object::take(PyList_New(0));
            const auto add = [&](element_type type) {
                if (PyList_Append(list.get(), numpy_dtype(type).get()) < 0) throw python_error();
            };
            for (const operand_type& operand : one.operands) add(operand.type);
            if (is_fold) add(one.accumulator);
            return object::take(PySequence_Tuple(list.get()));
        });
    });
}

/// Refuses `f[blocks, threads]`, as kernels of Numba's are launched.
PyObject* refuse_launch(PyObject* self, PyObject*) {
    const python::kernel& kernel = own_kernel(self);
    const char* name = kernel.name.c_str();
    if (!kernel.ordered.empty() && kernel.is_of_tasks())
        PyErr_Format(PyExc_TypeError,
                     "%s() has no blocks and threads to choose: call %s(tasks, ...), with the number of tasks or a "
                     "tuple of them",
                     name, name);
    else
        PyErr_Format(PyExc_TypeError, "%s() has no blocks and threads to choose: call %s(...)", name, name);
    return nullptr;
}

PyObject* represent(PyObject* self) {
    const python::kernel& kernel = own_kernel(self);
    return PyUnicode_FromFormat("<function '%s.%s' of kernels>", kernel.module.c_str(), kernel.name.c_str());
}

/// Pickled by name, as functions are.
PyObject* reduce_to_name(PyObject* self, PyObject*) { return get_name(self, nullptr); }

PyMemberDef members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(kernel_object, vectorcall), READONLY, nullptr},
    {"__weaklistoffset__", T_PYSSIZET, offsetof(kernel_object, weak), READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr},
};
PyGetSetDef kernel_properties[] = {
    {"__name__", get_name, nullptr, nullptr, nullptr},
    {"__qualname__", get_name, nullptr, nullptr, nullptr},
    {"__module__", get_module, nullptr, nullptr, nullptr},
    {"__doc__", get_documentation, nullptr, nullptr, nullptr},
    {"__signature__", get_signature, nullptr, nullptr, nullptr},
    {"nin", get_inputs, nullptr, nullptr, nullptr},
    {"nout", get_outputs, nullptr, nullptr, nullptr},
    {"nargs", get_operands, nullptr, nullptr, nullptr},
    {"ntypes", get_type_count, nullptr, nullptr, nullptr},
    {"types", get_types, nullptr, nullptr, nullptr},
    {"signature", get_layout, nullptr, nullptr, nullptr},
    {"identity", get_identity, nullptr, nullptr, nullptr},
    {"dtypes", get_dtypes, nullptr, nullptr, nullptr},
    {"_description", get_description, nullptr, nullptr, nullptr},
    {"gradient", get_gradient, nullptr, "The function that computes the gradient, or None.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};
using part_function = PyObject*(PyObject*, PyObject* const*, Py_ssize_t, PyObject*);
PyCFunction as_method(part_function* function) {
    return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function));
}
PyMethodDef kernel_methods[] = {
    {"__reduce__", reduce_to_name, METH_NOARGS, nullptr},
    {"_set_torch_operator", set_torch_operator, METH_O, nullptr},
    {"_differentiable_inputs", get_differentiable_inputs, METH_VARARGS, nullptr},
    {"_result_types", get_result_types, METH_VARARGS, nullptr},
    {"partial", as_method(call_part<call_partial>), METH_FASTCALL | METH_KEYWORDS,
     "Folds as a call does, to accumulators that are not finished."},
    {"from_partials", as_method(call_part<call_from_partials>), METH_FASTCALL | METH_KEYWORDS,
     "Combines such accumulators in their order, and finishes."},
    {nullptr, nullptr, 0, nullptr},
};
template <class Function> void* slot(Function* function) { return reinterpret_cast<void*>(function); }
PyType_Slot kernel_slots[] = {
    {Py_tp_call, slot(PyVectorcall_Call)},
    {Py_tp_getattro, slot(get_attribute)},
    {Py_tp_repr, slot(represent)},
    {Py_mp_subscript, slot(refuse_launch)},
    {Py_tp_members, members},
    {Py_tp_getset, kernel_properties},
    {Py_tp_methods, kernel_methods},
    {0, nullptr},
};
PyType_Spec kernel_specification = {
    .name = "foldwise.kernel",
    .basicsize = sizeof(kernel_object),
    .itemsize = 0,
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = kernel_slots,
};

PyTypeObject* kernel_type() {
    return made_once(
        [] { return reinterpret_cast<PyTypeObject*>(object::take(PyType_FromSpec(&kernel_specification)).release()); });
}

}  // namespace

kernel* kernel_of(PyObject* object) { return Py_TYPE(object) == kernel_type() ? &own_kernel(object) : nullptr; }

object make_kernel(const function& what, const char* module) {
    PyTypeObject* const type = kernel_type();
    auto kernel = std::make_unique<python::kernel>(what, module);
    auto* made = PyObject_New(kernel_object, type);
    object result = object::take(reinterpret_cast<PyObject*>(made));
    made->vectorcall = call_kernel;
    made->kernel = kernel.release();
    made->weak = nullptr;
    return result;
}

void link_folds(const object& made, std::span<const function> functions) {
    kernel& elementwise = own_kernel(made.get());
    if (elementwise.looped.empty() || !*elementwise.table.operation) return;
    for (const function& one : functions) {
        if (std::strcmp(one.operation, elementwise.table.operation) != 0 || one.signatures.empty()) continue;
        if (one.signatures.front().pattern == patterns::reduce) elementwise.folds.push_back(&one);
        if (one.signatures.front().pattern == patterns::scan) elementwise.scans.push_back(&one);
    }
}

bool is_elementwise(const object& made) { return is_elementwise(own_kernel(made.get())); }

}  // namespace foldwise::python
