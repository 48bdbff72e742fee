// python/elementwise.cpp: calls of elementwise functions. NumPy's arrays go through a universal function of NumPy's
// own, whose loops are the kernels: so where, order, subok, casts, byte orders, overlaps and warnings are NumPy's. The
// types of a call are chosen here, for all libraries alike.
#include "kernel.hpp"

#include <foldwise/detail/layout.hpp>

#include <algorithm>
#include <exception>

namespace foldwise::python {

namespace {

constexpr std::size_t max_loop_operands = 64;

/// What the first loop to throw has thrown since the last call of looped(): NumPy's frames cannot pass it on.
thread_local std::exception_ptr thrown;

/// Notes the current exception, and sets Python's error indicator too. Who calls NumPy's function in another way than
/// by looped() then gets a SystemError with this cause, instead of a result that has not been computed.
void note_exception() {
    if (!thrown) thrown = std::current_exception();
    const PyGILState_STATE state = PyGILState_Ensure();
    if (!PyErr_Occurred()) translate_exception();
    PyGILState_Release(state);
}

}  // namespace

object looped(const std::function<PyObject*()>& call) {
    thrown = nullptr;
    PyObject* const result = call();
    if (!thrown) return object::take(result);
    Py_XDECREF(result);
    PyErr_Clear();
    std::rethrow_exception(std::exchange(thrown, nullptr));
}

namespace {

/// The elements of an operand of a loop.
operand_ref strided_operand(char* data, std::int64_t count, std::int64_t step) {
    return {data, detail::strided(shape(count), std::span<const std::int64_t>(&step, 1)), {}, false};
}

/// Whether the runtime can take the operands of a loop as arrays: whole elements apart, and no output feeds an input,
/// as in accumulate.
bool is_parallel(const signature& signature, char* const* data, std::int64_t count, const std::intptr_t* steps) {
    for (std::size_t i = 0; i < signature.operands.size(); ++i) {
        if (steps[i] % signature.operands[i].type.size != 0) return false;
        if (!signature.operands[i].is_written) continue;
        if (steps[i] == 0) return false;
        for (std::size_t j = 0; j < i; ++j) {
            const std::intptr_t own = steps[i] * (count - 1), other = steps[j] * (count - 1);
            const char* begin = data[i] + std::min<std::intptr_t>(own, 0);
            const char* end = data[i] + std::max<std::intptr_t>(own, 0) + signature.operands[i].type.size;
            const char* other_begin = data[j] + std::min<std::intptr_t>(other, 0);
            const char* other_end = data[j] + std::max<std::intptr_t>(other, 0) + signature.operands[j].type.size;
            const bool is_same = data[i] == data[j] && steps[i] == steps[j];
            if (!is_same && begin < other_end && other_begin < end) return false;
        }
    }
    return true;
}

/// The inner loop of the universal function.
void run_loop(char** data, const std::intptr_t* count, const std::intptr_t* steps, void* which) {
    const auto& signature = *static_cast<const python::signature*>(which);
    if (*count == 0) return;
    try {
        operand_ref operands[max_loop_operands];
        if (is_parallel(signature, data, *count, steps)) {
            for (std::size_t i = 0; i < signature.operands.size(); ++i)
                operands[i] = strided_operand(data[i], *count, steps[i] / signature.operands[i].type.size);
            signature.vectorize(operands, {});
            return;
        }
        for (std::intptr_t k = 0; k < *count; ++k) {
            for (std::size_t i = 0; i < signature.operands.size(); ++i)
                operands[i] = {data[i] + k * steps[i], {}, {}, false};
            signature.vectorize(operands, cpu());
        }
    } catch (...) {
        note_exception();
    }
}

using loop_function = void (*)(char**, const std::intptr_t*, const std::intptr_t*, void*);

/// PyUFunc_FromFuncAndData, the second entry of the table that NumPy exports.
using make_ufunc = PyObject* (*)(loop_function*, void**, const char*, int, int, int, int, const char*, const char*,
                                 int);

make_ufunc ufunc_maker() {
    object module = object::take(PyImport_ImportModule("numpy"));
    const object core = module.attribute_if_any("_core");
    module = import_module(core ? "numpy._core._multiarray_umath" : "numpy.core._multiarray_umath");
    const object capsule = module.attribute("_UFUNC_API");
    auto* table = static_cast<void**>(PyCapsule_GetPointer(capsule.get(), nullptr));
    if (!table) throw python_error();
    return reinterpret_cast<make_ufunc>(table[1]);
}

/// The memory that a universal function refers to as long as it exists.
struct ufunc_tables {
    std::vector<loop_function> loops;
    std::vector<void*> which;
    std::string types;
};

/// Where NumPy has raised a ValueError, because shapes do not broadcast, that is said with the shapes as Python writes
/// them.
void name_shapes(const std::vector<object>& arguments) {
    if (!PyErr_ExceptionMatches(PyExc_ValueError)) return;
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    std::vector<shape> shapes;
    for (const object& argument : arguments) {
        if (!argument || !numpy().owns(argument.get())) continue;
        const std::vector<std::int64_t> extents = to_integers(argument.attribute("shape").get());
        if (extents.size() <= max_rank) shapes.emplace_back(std::span<const std::int64_t>(extents));
    }
    try {
        broadcast(shapes);
    } catch (const python_error&) {
        Py_XDECREF(type), Py_XDECREF(value), Py_XDECREF(trace);
        throw;
    }
    PyErr_Restore(type, value, trace);
}

object call_ufunc(kernel& kernel, const call& call) {
    const object& ufunc = ufunc_of(kernel);
    std::vector<object> owners;
    std::vector<PyObject*> all(call.arguments, call.arguments + call.positional);
    std::vector<PyObject*> names, values;
    PyObject* dtype = nullptr;
    bool casts = false, is_chosen = false;
    for (Py_ssize_t i = 0; i < call.keyword_count(); ++i) {
        const std::string name = object::share(call.keyword(i)).text();
        casts |= name == "casting";
        is_chosen |= name == "signature" || name == "sig";
        if (name == "dtype") {
            dtype = call.value(i);
            continue;
        }
        names.push_back(call.keyword(i));
        values.push_back(call.value(i));
    }
    const std::size_t inputs = kernel.inputs();
    bool is_overridden = false;
    for (PyObject* argument : all) {
        const bool is_plain = is_number(argument) || PyBool_Check(argument) || numpy().owns(argument);
        is_overridden |= !is_plain && object::share(argument).attribute_if_any("__array_ufunc__");
    }
    if (!is_chosen && !is_overridden && all.size() >= inputs) {
        std::vector<object> arguments;
        for (std::size_t i = 0; i < inputs; ++i) arguments.push_back(object::share(all[i]));
        std::vector<argument_type> types;
        const signature& signature = chosen(kernel, numpy(), arguments, types, to_element_type(dtype));
        for (std::size_t i = 0; i < inputs; ++i) {
            if (types[i].is_weak) to_value(arguments[i].get(), signature.operands[i].type);  // or it does not fit
            all[i] = arguments[i].get();
            owners.push_back(std::move(arguments[i]));
        }
        for (std::size_t i = 0; i < kernel.ordered.size(); ++i)
            if (kernel.ordered[i] == &signature) values.push_back(kernel.ufunc_signatures[i].get());
        owners.push_back(make_text("signature"));
        names.push_back(owners.back().get());
        if (!casts) {
            owners.push_back(make_text("casting"));
            names.push_back(owners.back().get());
            owners.push_back(make_text(is_none(dtype) ? "safe" : "same_kind"));
            values.push_back(owners.back().get());
        }
    } else if (dtype) {
        owners.push_back(make_text("dtype"));
        names.push_back(owners.back().get());
        values.push_back(dtype);
    }
    const object keywords = object::take(PyTuple_New(static_cast<Py_ssize_t>(names.size())));
    for (std::size_t i = 0; i < names.size(); ++i)
        if (PyTuple_SetItem(keywords.get(), static_cast<Py_ssize_t>(i), Py_NewRef(names[i])) < 0) throw python_error();
    const std::size_t positional = all.size();
    all.insert(all.end(), values.begin(), values.end());
    return looped([&] {
        PyObject* result = PyObject_Vectorcall(ufunc.get(), all.data(), positional, keywords.get());
        if (!result && !thrown) name_shapes(owners);
        return result;
    });
}

object call_directly(kernel& kernel, const library& library, const call& call) {
    const std::vector<PyObject*> given = sorted(call, kernel.parameters, kernel.required, kernel.positional);
    std::vector<object> arguments;
    for (std::size_t i = 0; i < kernel.inputs(); ++i) arguments.push_back(object::share(given[i]));
    std::vector<argument_type> types;
    const signature& signature =
        chosen(kernel, library, arguments, types, to_element_type(given[kernel.place_of("dtype")]));
    const python::inputs inputs(library, signature, arguments, types);
    std::vector<PyObject*> wanted(kernel.outputs());
    for (std::size_t i = 0; i < wanted.size(); ++i) wanted[i] = given[kernel.inputs() + i];
    if (PyObject* out = given[kernel.place_of("out")]; !is_none(out)) {
        const bool is_tuple = PyTuple_Check(out);
        if (is_tuple ? PyTuple_Size(out) != static_cast<Py_ssize_t>(wanted.size()) : wanted.size() != 1)
            fail(PyExc_ValueError, "out must be a tuple with an array, or None, for each output of " + kernel.name);
        for (std::size_t i = 0; i < wanted.size(); ++i)
            wanted[i] = is_tuple ? PyTuple_GetItem(out, static_cast<Py_ssize_t>(i)) : out;
    }
    std::vector<output> outputs;
    outputs.reserve(wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i)
        outputs.emplace_back(library, wanted[i], inputs.extents(), signature.operands[kernel.inputs() + i].type,
                             inputs);
    PyObject* where = given[kernel.place_of("where")];
    const object condition = is_none(where) || where == Py_True ? object() : object::share(where);
    if (condition)
        for (output& one : outputs) one.detach();
    const executor executor = library.executor_for(outputs.front().target());
    run(outputs, [&] {
        std::vector<operand_ref> operands = inputs.refs();
        for (const output& one : outputs) operands.push_back(one.ref());
        signature.vectorize(operands.data(), executor);
    });
    if (outputs.size() == 1) return outputs.front().finished(condition);
    object results = object::take(PyTuple_New(static_cast<Py_ssize_t>(outputs.size())));
    for (std::size_t i = 0; i < outputs.size(); ++i)
        if (PyTuple_SetItem(results.get(), static_cast<Py_ssize_t>(i), outputs[i].finished(condition).release()) < 0)
            throw python_error();
    return results;
}

}  // namespace

const object& ufunc_of(kernel& kernel) {
    if (kernel.ufunc) return kernel.ufunc;
    auto* tables = new ufunc_tables;  // as long as the process
    const auto count = kernel.inputs() + kernel.outputs();
    for (const signature* one : kernel.ordered) {
        std::string characters;
        for (std::size_t i = 0; i < count; ++i) {
            const element_type type = one->operands[i].type;
            characters += i == kernel.inputs() ? "->" : "";
            characters += character_of(type);
            tables->types += static_cast<char>(number_of(type));
        }
        kernel.ufunc_signatures.push_back(make_text(characters));
        tables->loops.push_back(run_loop);
        tables->which.push_back(const_cast<signature*>(one));
    }
    kernel.ufunc = object::take(ufunc_maker()(tables->loops.data(), tables->which.data(), tables->types.data(),
                                              static_cast<int>(tables->loops.size()), static_cast<int>(kernel.inputs()),
                                              static_cast<int>(kernel.outputs()), -1, kernel.name.c_str(),
                                              kernel.table.documentation, 0));
    return kernel.ufunc;
}

object call_elementwise(kernel& kernel, const call& call) {
    std::vector<PyObject*> arrays(call.arguments, call.arguments + call.positional);
    for (Py_ssize_t i = 0; i < call.keyword_count(); ++i)
        if (object::share(call.keyword(i)).text() == "out" && !is_none(call.value(i)) && !PyTuple_Check(call.value(i)))
            arrays.push_back(call.value(i));
    const library& library = common_library(kernel.name.c_str(), arrays);
    return &library == &numpy() ? call_ufunc(kernel, call) : call_directly(kernel, library, call);
}

}  // namespace foldwise::python
