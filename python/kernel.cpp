// python/kernel.cpp: the type of the module's functions.
#include "kernel.hpp"

#include <structmember.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <new>

namespace foldwise::python {

namespace {

/// Whether calls from Python can be made of a signature: what they cannot is left out of the types.
bool is_callable(const signature& one) {
    if (one.pattern == patterns::unsupported || one.takes_index || one.operands.empty()) return false;
    if (one.pattern == patterns::vectorize && one.inputs == 0) return false;
    return std::ranges::all_of(one.operands, [&](const operand_type& operand) {
        return operand.type.kind != element_type::kinds::other &&
               (one.pattern == patterns::forall || operand.axes == 0);
    });
}

}  // namespace

kernel::kernel(const function& what, const char* of_module) : table(what), name(what.name), module(of_module) {
    name.erase(0, name.rfind(':') + 1);
    for (const signature* one : in_order(what.signatures))
        if (is_callable(*one)) ordered.push_back(one);
    if (ordered.empty()) return;
    const auto add = [&](std::initializer_list<const char*> names) {
        for (const char* one : names)
            if (std::ranges::find(parameters, one) == parameters.end()) parameters.emplace_back(one);
    };
    if (first().pattern == patterns::forall) parameters.emplace_back("shape");
    const std::size_t operands = first().pattern == patterns::vectorize ? first().operands.size() : inputs();
    for (std::size_t i = 0; i < operands; ++i) parameters.emplace_back(first().operands[i].name);
    required = positional = parameters.size();
    switch (first().pattern) {
    case patterns::vectorize:
        required = inputs();
        add({"out", "where", "dtype"});
        break;
    case patterns::reduce:
        add({"axis", "dtype", "out", "keepdims", "initial"});
        positional = parameters.size();
        break;
    case patterns::scan:
        add({"axis", "dtype", "out", "exclusive", "reverse", "initial"});
        positional += 3;
        break;
    default:
        break;
    }
}

std::size_t kernel::place_of(const char* parameter) const {
    return static_cast<std::size_t>(std::ranges::find(parameters, parameter) - parameters.begin());
}

namespace {

struct kernel_object {
    PyObject_HEAD vectorcallfunc vectorcall;
    python::kernel* kernel;
};

python::kernel& kernel_of(PyObject* self) { return *reinterpret_cast<kernel_object*>(self)->kernel; }

PyObject* call_kernel(PyObject* self, PyObject* const* arguments, std::size_t count, PyObject* keywords) {
    return guarded([&]() -> object {
        python::kernel& kernel = kernel_of(self);
        const call call{kernel.name.c_str(), arguments, PyVectorcall_NARGS(count), keywords};
        if (kernel.ordered.empty())
            fail(PyExc_NotImplementedError,
                 kernel.name +
                     "() has no signature that Python can call: so far these are elementwise functions, "
                     "reductions, scans and tasks of numbers, without indices and whole arrays among elements");
        switch (kernel.first().pattern) {
        case patterns::vectorize:
            return call_elementwise(kernel, call);
        case patterns::reduce:
            return call_fold(kernel, call);
        case patterns::scan:
            return call_scan(kernel, call);
        default:
            return call_tasks(kernel, call);
        }
    });
}

bool is_elementwise(const python::kernel& kernel) {
    return !kernel.ordered.empty() && kernel.first().pattern == patterns::vectorize;
}

/// Calls a method of a universal function.
PyObject* call_method(PyObject* method, PyObject* arguments, PyObject* keywords) {
    return guarded([&] { return looped([&] { return PyObject_Call(method, arguments, keywords); }); });
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

/// What an elementwise function does not have itself, NumPy's universal function has: outer, reduce, nin and so on.
PyObject* get_attribute(PyObject* self, PyObject* name) {
    PyObject* own = PyObject_GenericGetAttr(self, name);
    if (own || !PyErr_ExceptionMatches(PyExc_AttributeError) || !is_elementwise(kernel_of(self))) return own;
    const char* text = PyUnicode_AsUTF8AndSize(name, nullptr);
    if (!text || std::strncmp(text, "__", 2) == 0) return nullptr;
    PyErr_Clear();
    return guarded([&] {
        object found = object::take(PyObject_GetAttr(ufunc_of(kernel_of(self)).get(), name));
        for (PyMethodDef& one : loop_methods)
            if (std::strcmp(text, one.ml_name) == 0) return object::take(PyCFunction_NewEx(&one, found.get(), nullptr));
        return found;
    });
}

PyObject* get_name(PyObject* self, void*) { return PyUnicode_FromString(kernel_of(self).name.c_str()); }
PyObject* get_module(PyObject* self, void*) { return PyUnicode_FromString(kernel_of(self).module.c_str()); }

/// The calls that the function takes, and the user's comment.
PyObject* get_documentation(PyObject* self, void*) {
    const python::kernel& kernel = kernel_of(self);
    std::string text = kernel.name + "(";
    for (std::size_t i = 0; i < kernel.parameters.size(); ++i)
        text += (i ? ", " : "") + kernel.parameters[i] + (i < kernel.required ? "" : "=None");
    text += ")\n";
    if (*kernel.table.documentation) text += std::string("\n") + kernel.table.documentation + "\n";
    for (const signature* one : kernel.ordered) text += "\n    (" + input_names(*one) + ")";
    return PyUnicode_FromString(text.c_str());
}

PyObject* get_signature(PyObject* self, void*) {
    return guarded([&] {
        const python::kernel& kernel = kernel_of(self);
        const object inspect = import_module("inspect");
        const object parameter = inspect.attribute("Parameter");
        const object list = object::take(PyList_New(0));
        const object kinds[] = {parameter.attribute("POSITIONAL_OR_KEYWORD"), parameter.attribute("KEYWORD_ONLY")};
        for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
            const object positional = object::take(
                Py_BuildValue("(sO)", kernel.parameters[i].c_str(), kinds[i < kernel.positional ? 0 : 1].get()));
            const object keywords =
                i < kernel.required ? object() : object::take(Py_BuildValue("{sO}", "default", Py_None));
            const object one = object::take(PyObject_Call(parameter.get(), positional.get(), keywords.get()));
            if (PyList_Append(list.get(), one.get()) < 0) throw python_error();
        }
        return inspect.attribute("Signature")(list);
    });
}

/// The numbers of inputs and outputs, of elementwise functions.
PyObject* get_count(PyObject* self, void* of_outputs) {
    const python::kernel& kernel = kernel_of(self);
    if (!is_elementwise(kernel)) {
        PyErr_Format(PyExc_AttributeError, "'%s' is no elementwise function", kernel.name.c_str());
        return nullptr;
    }
    return PyLong_FromSize_t(of_outputs ? kernel.outputs() : kernel.inputs());
}

/// As NumPy writes them: "ff->f", in the order in which they are tried.
PyObject* get_types(PyObject* self, void*) {
    return guarded([&] {
        const object list = object::take(PyList_New(0));
        for (const signature* one : kernel_of(self).ordered) {
            std::string types;
            for (std::size_t i = 0; i < one->operands.size(); ++i) {
                types += i == static_cast<std::size_t>(one->inputs) ? "->" : "";
                types += character_of(one->operands[i].type);
            }
            if (PyList_Append(list.get(), make_text(types).get()) < 0) throw python_error();
        }
        return list;
    });
}

PyObject* represent(PyObject* self) {
    const python::kernel& kernel = kernel_of(self);
    return PyUnicode_FromFormat("<function '%s.%s' of kernels>", kernel.module.c_str(), kernel.name.c_str());
}

/// For operators of PyTorch: the names of the types of the results, from those of the inputs.
PyObject* get_result_types(PyObject* self, PyObject* names) {
    return guarded([&] {
        const python::kernel& kernel = kernel_of(self);
        std::vector<argument_type> types;
        for (Py_ssize_t i = 0; i < PyTuple_Size(names); ++i)
            types.push_back({type_of_name(object::share(PyTuple_GetItem(names, i)).text())});
        if (types.size() != kernel.inputs()) fail(PyExc_TypeError, kernel.name + "() has other inputs");
        const signature* found = choose(kernel.ordered, types, {});
        if (!found) fail(PyExc_TypeError, kernel.name + "() takes no inputs of these types");
        const object list = object::take(PyList_New(0));
        for (std::size_t i = kernel.inputs(); i < found->operands.size(); ++i)
            if (PyList_Append(list.get(), make_text(name_of(found->operands[i].type)).get()) < 0) throw python_error();
        return list;
    });
}

/// Pickled by name, as functions are.
PyObject* reduce_to_name(PyObject* self, PyObject*) { return get_name(self, nullptr); }

PyMemberDef members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(kernel_object, vectorcall), READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr},
};
PyGetSetDef properties[] = {
    {"__name__", get_name, nullptr, nullptr, nullptr},
    {"__qualname__", get_name, nullptr, nullptr, nullptr},
    {"__module__", get_module, nullptr, nullptr, nullptr},
    {"__doc__", get_documentation, nullptr, nullptr, nullptr},
    {"__signature__", get_signature, nullptr, nullptr, nullptr},
    {"nin", get_count, nullptr, nullptr, nullptr},
    {"nout", get_count, nullptr, nullptr, const_cast<char*>("outputs")},
    {"types", get_types, nullptr, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};
PyMethodDef methods[] = {
    {"__reduce__", reduce_to_name, METH_NOARGS, nullptr},
    {"_result_types", get_result_types, METH_VARARGS, nullptr},
    {nullptr, nullptr, 0, nullptr},
};
template <class Function> void* slot(Function* function) { return reinterpret_cast<void*>(function); }
PyType_Slot slots[] = {
    {Py_tp_call, slot(PyVectorcall_Call)},
    {Py_tp_getattro, slot(get_attribute)},
    {Py_tp_repr, slot(represent)},
    {Py_tp_members, members},
    {Py_tp_getset, properties},
    {Py_tp_methods, methods},
    {0, nullptr},
};
PyType_Spec specification = {
    .name = "foldwise.kernel",
    .basicsize = sizeof(kernel_object),
    .itemsize = 0,
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = slots,
};

}  // namespace

object make_kernel(const function& what, const char* module) {
    static PyObject* const type = PyType_FromSpec(&specification);  // as long as the process, like the kernels
    if (!type) throw python_error();
    auto kernel = std::make_unique<python::kernel>(what, module);
    auto* made = PyObject_New(kernel_object, reinterpret_cast<PyTypeObject*>(type));
    object result = object::take(reinterpret_cast<PyObject*>(made));
    made->vectorcall = call_kernel;
    made->kernel = kernel.release();
    return result;
}

}  // namespace foldwise::python
