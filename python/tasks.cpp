// python/tasks.cpp: calls of functions that run a task per index: the shape comes first, then views and values.
#include "prepared.hpp"

#include <algorithm>

namespace foldwise::python {

namespace {

/// Whether the arrays that tasks write are exactly of the signature's types, the others go to it safely, and all have
/// the signature's numbers of axes.
bool fits(const library& library, const signature& signature, std::span<const object> arguments,
          std::span<const argument_type> types) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const operand_type& parameter = signature.operands[i];
        if (parameter.is_written
                ? types[i].is_weak || !library.owns(arguments[i].get()) || types[i].type != parameter.type
                : !is_accepted(types[i], parameter.type))
            return false;
    }
    return true;
}

}  // namespace

/// TypeError if an argument that is one value in all signatures is an array of more or fewer.
static void refuse_array(const kernel& kernel, std::size_t operand, const library& library, const object& argument) {
    const auto is_view = [&](const signature* one) { return one->operands[operand].axes > 0; };
    if (std::ranges::any_of(kernel.ordered, is_view) || !library.owns(argument.get())) return;
    const shape extents = library.shape_of(argument.get());
    if (extents.size() != 1)
        fail(PyExc_TypeError, kernel.name + "(): " + kernel.parameters[operand + 1] +
                                  " is one value, which all tasks are given, not an array of shape " +
                                  tuple_of(extents).text());
}

/// TypeError if a call begins with an array, where the numbers of tasks belong.
static void refuse_leading_array(const kernel& kernel, const call& call) {
    if (call.positional == 0 || !has_axes(call.arguments[0])) return;
    const int axes = kernel.first().index_rank;
    std::string numbers = "n";
    for (int axis = 1; axis < axes; ++axis) numbers += (axis == 1 ? "0, n" : ", n") + std::to_string(axis);
    std::string example = kernel.name + (axes == 1 ? "(n" : "((" + numbers + ")");
    for (std::size_t i = 1; i < kernel.required; ++i) example += ", " + kernel.parameters[i];
    fail(PyExc_TypeError, kernel.name + "() takes the " + (axes == 1 ? "number" : "numbers") +
                              " of tasks first, as in " + example + "), not an array");
}

object call_tasks(kernel& kernel, const call& call) {
    refuse_leading_array(kernel, call);
    const arguments call_arguments(kernel, call);
    const std::span<PyObject* const> given = call_arguments.all();
    detail::task_extents tasks;
    const std::vector<std::int64_t> numbers = to_integers({kernel.name, kernel.parameters[0], given[0]});
    const auto rank = static_cast<std::size_t>(kernel.first().index_rank);
    if (numbers.size() != rank)
        fail(PyExc_ValueError,
             kernel.name + "() takes " + (rank == 1 ? "one number" : std::to_string(rank) + " numbers") + " of " +
                 (kernel.first().pattern == patterns::blocks ? "items" : "tasks") +
                 (rank == 1 ? ", not " : ", one for each axis, not ") + std::to_string(numbers.size()));
    for (const std::int64_t number : numbers) tasks.append(number);

    const std::span<PyObject* const> parameters = given.subspan(1, kernel.first().operands.size());
    const library& library = common_library(kernel.name.c_str(), parameters);
    std::vector<object> arguments;
    std::vector<argument_type> types;
    std::string names;
    for (PyObject* argument : parameters) {
        const bool is_written = kernel.first().operands[arguments.size()].is_written;
        // Of a list NumPy would make an array that is lost with what tasks write; a buffer's memory is its own.
        if (is_written && !library.owns(argument) && !PyObject_CheckBuffer(argument))
            fail(PyExc_TypeError,
                 kernel.parameters[arguments.size() + 1] + " is written, so it is an array, not " + class_of(argument));
        arguments.push_back(object::share(argument));
        types.push_back(describe(library, arguments.back()));
        refuse_array(kernel, arguments.size() - 1, library, arguments.back());
        const bool is_array = library.owns(arguments.back().get());
        names +=
            (names.empty() ? "" : ", ") + (is_array ? library.type_name(arguments.back().get()) : class_of(argument));
    }
    const signature* found = nullptr;
    std::string taken;
    for (const signature* one : kernel.ordered) {
        taken += (taken.empty() ? "" : " or ") + types_of(*one);
        if (!found && fits(library, *one, arguments, types)) found = one;
    }
    if (!found) {
        for (std::size_t i = 0; i < arguments.size(); ++i)
            if (types[i].type.kind == element_type::kinds::other) refuse_members(kernel, i, arguments[i]);
        std::vector<refused_argument> refused;
        for (std::size_t i = 0; i < arguments.size(); ++i)
            refused.push_back({kernel.parameters[i + 1], arguments[i], types[i], library.owns(parameters[i])});
        fail(PyExc_TypeError, kernel.name + "() does not take (" + names + "); it takes " + taken +
                                  ", exactly so where elements are written" + cast_texts(kernel.ordered, refused));
    }

    std::vector<array> arrays;
    std::vector<std::unique_ptr<scalar>> values;
    std::vector<operand_ref> refs;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const operand_type& parameter = found->operands[i];
        PyObject* argument = arguments[i].get();
        if (parameter.axes == 0) {
            refuse_mask(argument);
            const bool is_record = parameter.type.kind == element_type::kinds::record;
            const bool is_array = library.owns(argument) && !is_record;
            const object item = is_array ? arguments[i].attribute_if_any("item") : object();
            if (is_array && !item)
                fail(PyExc_TypeError, kernel.parameters[i + 1] + " is one value, which an array of " +
                                          class_of(argument) + " does not give: pass a number of Python's");
            const object one = is_array ? item() : arguments[i];
            values.push_back(std::make_unique<scalar>(one.get(), parameter.type));
            refs.push_back(values.back()->ref());
        } else {
            if (!library.owns(argument))
                fail(PyExc_TypeError, kernel.parameters[i + 1] + " is an array, not " + class_of(argument));
            if (parameter.is_written && !library.is_fitting(argument, parameter.type)) {
                refuse_members(kernel, i, arguments[i]);
                refuse_layout(kernel, *found, i, arguments[i]);
                fail(PyExc_ValueError,
                     kernel.parameters[i + 1] +
                         " is written, and its elements are not aligned, or not in the machine's byte order");
            }
            arrays.push_back(parameter.is_written ? library.write(argument, parameter.type)
                                                  : library.read(argument, parameter.type));
            refs.push_back(arrays.back().ref);
        }
    }
    const executor executor = library.executor_for(arrays.empty() ? array() : arrays.front());
    library.launch({kernel, *found, std::move(refs), executor, tasks});
    return object::share(Py_None);
}

}  // namespace foldwise::python
