// python/elementwise.cpp: calls of elementwise functions. NumPy's arrays go through a universal function of NumPy's
// own, whose loops are the kernels: so where, order, subok, casts, byte orders, overlaps and warnings are NumPy's. The
// types of a call are chosen here, for all libraries alike.
#include "kernel.hpp"
#include "numpy_abi.hpp"
#include "streams.hpp"

#include <foldwise/detail/layout.hpp>
#include <foldwise/error.hpp>

#include <algorithm>
#include <cstring>
#include <exception>
#include <optional>

namespace foldwise::python {

namespace {

constexpr std::size_t max_loop_operands = 64;

/// The first exception of a loop since the last call of looped() began. It cannot be thrown through NumPy's C code.
thread_local std::exception_ptr thrown;

/// Stores the current exception in `thrown`, and sets Python's error indicator too, so that callers that do not use
/// looped() get a SystemError with this cause, instead of a result that has not been computed.
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

/// Describes an operand of a loop: `count` elements that are `step` elements apart.
operand_ref strided_operand(char* data, std::int64_t count, std::int64_t step) {
    return {data, detail::strided(shape(count), std::span<const std::int64_t>(&step, 1)), {}, false};
}

/// Whether the iterations of a loop can run in parallel, as a call of the runtime: all steps are multiples of the
/// element's size, and no output is an input of a later iteration, as it is in accumulate.
bool is_parallel(const signature& signature, char* const* data, std::int64_t count, const std::intptr_t* steps) {
    for (std::size_t i = 0; i < signature.operands.size(); ++i) {
        if (steps[i] % static_cast<std::intptr_t>(signature.operands[i].type.size) != 0) return false;
        if (!signature.operands[i].is_written) continue;
        if (steps[i] == 0) return false;
        for (std::size_t j = 0; j < i; ++j) {
            const std::intptr_t own = steps[i] * (count - 1), other = steps[j] * (count - 1);
            const char* begin = data[i] + std::min<std::intptr_t>(own, 0);
            const char* end = data[i] + std::max<std::intptr_t>(own, 0) + signature.operands[i].type.size;
            const char* other_begin = data[j] + std::min<std::intptr_t>(other, 0);
            const char* other_end = data[j] + std::max<std::intptr_t>(other, 0) + signature.operands[j].type.size;
            const bool is_same = data[i] == data[j] && steps[i] == steps[j] && !signature.operands[j].is_written;
            if (!is_same && begin < other_end && other_begin < end) return false;
        }
    }
    return true;
}

/// The signatures that an inner loop of the universal function calls.
struct loop {
    const python::signature* signature;       ///< The elementwise function.
    const python::signature* fold = nullptr;  ///< The reduction that combines elements by it; null if there is none.
    const python::signature* scan = nullptr;  ///< The scan that combines elements by it; null if there is none.
};

/// Whether a step in bytes is a multiple of the element's size.
bool is_whole(std::intptr_t step, element_type type) { return step % static_cast<std::intptr_t>(type.size) == 0; }

/// If a loop is the inner loop of NumPy's reduce, which combines the second operand's elements into the first operand,
/// computes it by the module's own reduction, which is faster. Returns whether it has done so.
bool try_fold(const loop& loop, char* const* data, std::int64_t count, const std::intptr_t* steps) {
    const element_type type = loop.signature->operands[0].type;
    if (!loop.fold || data[0] != data[2] || steps[0] != 0 || steps[2] != 0 || !is_whole(steps[1], type)) return false;
    alignas(16) std::byte initial[16];
    std::memcpy(initial, data[0], type.size);
    detail::reduce_options options;
    options.initial = initial;
    const executor anywhere;
    options.executor = &anywhere;
    const operand_ref operands[] = {strided_operand(data[1], count, steps[1] / static_cast<std::intptr_t>(type.size)),
                                    {data[0], {}, {}, false}};
    loop.fold->reduce(operands, nullptr, options);
    return true;
}

/// If a loop is the inner loop of NumPy's accumulate, where each result is an operand of the next, computes it by the
/// module's own scan. Returns whether it has done so.
bool try_scan(const loop& loop, char* const* data, std::int64_t count, const std::intptr_t* steps) {
    const element_type type = loop.signature->operands[0].type;
    if (!loop.scan || steps[0] == 0 || steps[0] != steps[2] || data[2] - data[0] != steps[0]) return false;
    if (!is_whole(steps[0], type) || !is_whole(steps[1], type)) return false;
    alignas(16) std::byte initial[16];
    std::memcpy(initial, data[0], type.size);
    detail::scan_options options;
    options.initial = initial;
    const executor anywhere;
    options.executor = &anywhere;
    const auto size = static_cast<std::intptr_t>(type.size);
    const operand_ref operands[] = {strided_operand(data[1], count, steps[1] / size),
                                    strided_operand(data[2], count, steps[2] / size)};
    try {
        loop.scan->scan(operands, options);
    } catch (const overlap_error&) {
        return false;  // the input is the output too, one element further on
    }
    return true;
}

/// Computes one element after the other, each of which may be an input of the next.
void run_in_order(const signature& signature, char* const* data, std::int64_t count, const std::intptr_t* steps) {
    operand_ref operands[max_loop_operands];
    void* addresses[max_loop_operands];
    const std::size_t operand_count = signature.operands.size();
    for (std::int64_t k = 0; k < count; ++k) {
        for (std::size_t i = 0; i < operand_count; ++i) addresses[i] = data[i] + k * steps[i];
        if (signature.elements) {
            signature.elements(addresses, 1);
            continue;
        }
        for (std::size_t i = 0; i < operand_count; ++i) operands[i] = {addresses[i], {}, {}, false};
        signature.vectorize(operands, cpu());
    }
}

/// The inner loop of the universal function, which NumPy calls with `which`, the address of a `loop`.
void run_loop(char** data, const std::intptr_t* count, const std::intptr_t* steps, void* which) {
    const loop& loop = *static_cast<const struct loop*>(which);
    const python::signature& signature = *loop.signature;
    if (*count == 0) return;
    try {
        if (is_parallel(signature, data, *count, steps)) {
            operand_ref operands[max_loop_operands];
            for (std::size_t i = 0; i < signature.operands.size(); ++i)
                operands[i] = strided_operand(data[i], *count,
                                              steps[i] / static_cast<std::intptr_t>(signature.operands[i].type.size));
            signature.vectorize(operands, {});
        } else if (!try_fold(loop, data, *count, steps) && !try_scan(loop, data, *count, steps)) {
            run_in_order(signature, data, *count, steps);
        }
    } catch (...) {
        note_exception();
    }
}

/// The type of NumPy's PyUFunc_FromFuncAndDataAndSignatureAndIdentity, its place in the table that NumPy exports, and
/// the values of its parameter `identity`.
using make_ufunc = PyObject* (*)(loop_function*, void**, const char*, int, int, int, int, const char*, const char*, int,
                                 const char*, PyObject*);
constexpr int make_ufunc_entry = 42;
constexpr int no_identity = -1, no_identity_in_any_order = -2, identity_value = -3;

/// Returns NumPy's PyUFunc_FromFuncAndDataAndSignatureAndIdentity.
make_ufunc ufunc_maker() {
    object module = object::take(PyImport_ImportModule("numpy"));
    const object core = module.attribute_if_any("_core");
    module = import_module(core ? "numpy._core._multiarray_umath" : "numpy.core._multiarray_umath");
    const object capsule = module.attribute("_UFUNC_API");
    auto* table = static_cast<void**>(PyCapsule_GetPointer(capsule.get(), nullptr));
    if (!table) throw python_error();
    return reinterpret_cast<make_ufunc>(table[make_ufunc_entry]);
}

/// The memory that a universal function refers to as long as it exists.
struct ufunc_tables {
    std::vector<loop_function> loops;  ///< run_loop for each signature.
    std::vector<loop> loops_of;        ///< What each of these calls.
    std::vector<void*> which;          ///< The addresses of the elements of `loops_of`, which run_loop gets.
    std::string types;                 ///< NumPy's type numbers of the operands of each signature.
};

/// Returns the signature among those of `folds` that combines elements of the type of all operands of `binary` into one
/// of the same type; null if there is none.
const signature* fold_of(std::span<const function* const> folds, const signature& binary) {
    if (binary.inputs != 2 || binary.operands.size() != 3) return nullptr;
    const element_type type = binary.operands[0].type;
    for (const operand_type& one : binary.operands)
        if (one.type != type) return nullptr;
    for (const function* fold : folds)
        for (const signature& one : fold->signatures)
            if (one.inputs == 1 && one.index_rank == 0 && one.operands[0].axes == 0 && one.operands[0].type == type &&
                one.operands[1].type == type && one.accumulator == type)
                return &one;
    return nullptr;
}

/// Returns a reduction's result for no elements as a Python scalar; null if there are no kernels for the CPU.
object identity_of(const signature& fold) {
    const element_type type = fold.operands[1].type;
    alignas(16) std::byte result[16] = {};
    detail::reduce_options options;
    const executor here = cpu();
    options.executor = &here;
    const operand_ref operands[] = {{result, detail::row_major(shape(0)), {}, false}, {result, {}, {}, false}};
    try {
        fold.reduce(operands, nullptr, options);
    } catch (const std::exception&) {
        return {};
    }
    const object bytes = object::take(
        PyBytes_FromStringAndSize(reinterpret_cast<const char*>(result), static_cast<Py_ssize_t>(type.size)));
    const object one = import_module("numpy").attribute("frombuffer")(bytes, numpy_dtype(type));
    return one.attribute("item")();
}

/// If NumPy has raised a ValueError because shapes do not broadcast, replaces it by the runtime's, which names the
/// shapes.
void name_shapes(const std::vector<object>& arguments) {
    if (!PyErr_ExceptionMatches(PyExc_ValueError)) return;
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    std::vector<shape> shapes;
    for (const object& argument : arguments) {
        if (!argument || !numpy().owns(argument.get())) continue;
        const std::vector<std::int64_t> extents = numpy().extents_of(argument.get());
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

/// Returns the outputs that a call passes; nothing if NumPy would not take them, so that it raises its own error.
std::optional<std::vector<PyObject*>> named_outputs(const kernel& kernel, std::span<PyObject* const> given,
                                                    PyObject* out) {
    std::vector<PyObject*> all(given.begin(), given.end());
    if (!is_none(out) && !all.empty()) return std::nullopt;
    if (out && PyTuple_Check(out)) {
        if (PyTuple_Size(out) != static_cast<Py_ssize_t>(kernel.outputs())) return std::nullopt;
        for (Py_ssize_t i = 0; i < PyTuple_Size(out); ++i) all.push_back(PyTuple_GetItem(out, i));
    } else if (!is_none(out)) {
        if (kernel.outputs() != 1) return std::nullopt;
        all.push_back(out);
    }
    for (PyObject* one : all)
        if (!is_none(one) && !is_numpy_array(one)) return std::nullopt;
    return all;
}

/// Raises ValueError for an output that is read-only, and TypeError for one that results are not safely cast to.
void check_outputs(const kernel& kernel, const signature& signature, const std::vector<PyObject*>& outputs) {
    for (PyObject* one : outputs)
        if (!is_none(one) && !(numpy_abi::fields(one).flags & numpy_abi::writeable))
            fail(PyExc_ValueError, "output array is read-only");
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        PyObject* const one = outputs[i];
        if (is_none(one)) continue;
        const element_type from = signature.operands[kernel.inputs() + i].type;
        if (const element_type to = numpy().type_of(one); !casts_safely(from, to))
            fail(PyExc_TypeError, std::string("cannot cast a result of ") + name_of(from) + " to the output's " +
                                      numpy().type_name(one) + " without losing values" +
                                      casting_hint(kernel, from, to));
    }
}

/// Raises ValueError for an `order` that NumPy does not know.
void check_order(PyObject* order) {
    if (!PyUnicode_Check(order)) return;  // NumPy's to refuse
    const std::string word = object::share(order).text();
    if (word.size() != 1 || std::string("CFAKcfak").find(word) == std::string::npos)
        fail(PyExc_ValueError, "order must be one of 'C', 'F', 'A', or 'K' (got '" + word + "')");
}

/// Raises TypeError for an input that is passed by name, `given`: universal functions take inputs by position.
[[noreturn]] void refuse_names(const kernel& kernel, const std::string& given) {
    std::string example = kernel.name + "(";
    for (std::size_t i = 0; i < kernel.required; ++i) example += (i ? ", " : "") + kernel.parameters[i];
    fail(PyExc_TypeError,
         kernel.name + "() takes its inputs by position, and not as " + given + "=: call " + example + ")");
}

/// Calls NumPy's universal function for a kernel, with the signature that chosen() gives for the arguments.
object call_ufunc(kernel& kernel, const call& call) {
    const object& ufunc = ufunc_of(kernel);
    std::vector<object> owners;
    std::vector<PyObject*> all(call.arguments, call.arguments + call.positional);
    std::vector<PyObject*> names, values;
    PyObject *dtype = nullptr, *casting = nullptr, *out = nullptr, *where = nullptr, *order = nullptr;
    bool is_chosen = false, is_known = true;
    for (Py_ssize_t i = 0; i < call.keyword_count(); ++i) {
        const std::string name = object::share(call.keyword(i)).text();
        const auto known = std::ranges::find(kernel.parameters, name);
        if (known < kernel.parameters.begin() + static_cast<std::ptrdiff_t>(kernel.required))
            refuse_names(kernel, name);
        is_known &= known - kernel.parameters.begin() >= static_cast<std::ptrdiff_t>(kernel.required) &&
                    known != kernel.parameters.end();
        is_chosen |= name == "signature" || name == "sig";
        if (name == "casting") casting = call.value(i);
        if (name == "out") out = call.value(i);
        if (name == "where") where = call.value(i);
        if (name == "order") order = call.value(i);
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
    const auto name_value = [&](const char* name, object value) {
        owners.push_back(make_text(name));
        names.push_back(owners.back().get());
        values.push_back(value.get());
        owners.push_back(std::move(value));
    };
    const bool is_complete = is_known && all.size() >= inputs && all.size() <= inputs + kernel.outputs();
    const auto named = is_complete ? named_outputs(kernel, std::span(all).subspan(inputs), out) : std::nullopt;
    if (!is_chosen && !is_overridden && named) {
        const std::vector<PyObject*>& outputs = *named;
        // In NumPy's order, so that the first error is the same.
        if (where && !PyBool_Check(where)) condition_of(numpy(), where);
        const castings casts = to_casting(casting);
        if (!is_none(order)) check_order(order);
        std::vector<object> arguments;
        for (std::size_t i = 0; i < inputs; ++i) arguments.push_back(object::share(all[i]));
        std::vector<argument_type> types;
        const signature& signature = chosen(kernel, numpy(), arguments, types, to_element_type(dtype), casts);
        const auto place = std::ranges::find(kernel.looped, &signature);
        if (place == kernel.looped.end()) return call_directly(kernel, numpy(), call);
        const bool are_numbers = !casting && std::ranges::all_of(types, &argument_type::is_weak);
        for (std::size_t i = 0; i < inputs; ++i) {
            if (types[i].is_weak) {
                to_value(arguments[i].get(), signature.operands[i].type);  // or it does not fit
                // NumPy would give numbers alone types of its own, which may not be cast to those of the signature.
                if (are_numbers)
                    arguments[i] = import_module("numpy").attribute("asarray")(arguments[i],
                                                                               numpy_dtype(signature.operands[i].type));
                all[i] = arguments[i].get();
            }
            // NumPy gets arguments that wrap results or are of subclasses as they are.
            const bool is_shared = !numpy().owns(all[i]) && PyObject_HasAttrString(all[i], "__dlpack__");
            if (PyList_Check(all[i]) || PyTuple_Check(all[i]) || is_shared) all[i] = arguments[i].get();
            owners.push_back(std::move(arguments[i]));
        }
        const std::size_t loop = static_cast<std::size_t>(place - kernel.looped.begin());
        name_value("signature", kernel.ufunc_signatures[loop]);
        if (!casting) {
            check_outputs(kernel, signature, outputs);
            name_value("casting", make_text(is_none(dtype) ? "safe" : "same_kind"));
        }
    } else if (dtype) {
        name_value("dtype", object::share(dtype));
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

}  // namespace

/// Makes NumPy's universal function for a kernel.
static void make_ufunc_of(kernel& kernel) {
    auto* tables = new ufunc_tables;  // as long as the process
    object identity;
    kernel.ufunc_signatures.clear();
    bool is_one_for_all = true, commutes = true, has_folds = false;
    for (const signature* one : kernel.looped) {
        std::string characters;
        for (std::size_t i = 0; i < one->operands.size(); ++i) {
            const element_type type = one->operands[i].type;
            characters += i == kernel.inputs() ? "->" : "";
            characters += character_of(type);
            tables->types += static_cast<char>(number_of(type));
        }
        kernel.ufunc_signatures.push_back(make_text(characters));
        const signature* fold = fold_of(kernel.folds, *one);
        tables->loops.push_back(run_loop);
        tables->loops_of.push_back({one, fold, fold_of(kernel.scans, *one)});
        if (!fold) continue;
        has_folds = true;
        commutes = commutes && fold->commutes;
        const object own = fold->has_identity ? identity_of(*fold) : object();
        const bool is_same = own && (!identity || PyObject_RichCompareBool(own.get(), identity.get(), Py_EQ) == 1);
        is_one_for_all = is_one_for_all && is_same;
        if (own && !identity) identity = own;
    }
    PyErr_Clear();
    for (loop& one : tables->loops_of) tables->which.push_back(&one);
    const bool has_identity = identity && is_one_for_all;
    kernel.ufunc = object::take(ufunc_maker()(
        tables->loops.data(), tables->which.data(), tables->types.data(), static_cast<int>(tables->loops.size()),
        static_cast<int>(kernel.inputs()), static_cast<int>(kernel.outputs()),
        has_identity            ? identity_value
        : has_folds && commutes ? no_identity_in_any_order
                                : no_identity,
        kernel.name.c_str(), kernel.table.documentation, 0, nullptr, has_identity ? identity.get() : nullptr));
}

const object& ufunc_of(kernel& kernel) {
    kernel.ufunc_made([&] { make_ufunc_of(kernel); });
    return kernel.ufunc;
}

object make_simple_ufunc(loop_function* loop, void** data, char* types, const char* name) {
    return object::take(ufunc_maker()(loop, data, types, 1, 1, 1, no_identity, name, "", 0, nullptr, nullptr));
}

object call_elementwise(kernel& kernel, const call& call) {
    std::vector<PyObject*> arrays(call.arguments, call.arguments + call.positional);
    for (Py_ssize_t i = 0; i < call.keyword_count(); ++i)
        if (object::share(call.keyword(i)).text() == "out" && !is_none(call.value(i)) && !PyTuple_Check(call.value(i)))
            arrays.push_back(call.value(i));
    const library& library = common_library(kernel.name.c_str(), arrays);
    if (is_numpy(library)) call_scope::current().refuse_stream();
    return is_numpy(library) && !kernel.looped.empty() ? call_ufunc(kernel, call)
                                                       : call_directly(kernel, library, call);
}

}  // namespace foldwise::python
