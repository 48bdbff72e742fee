// python/arguments.cpp: how calls are read, with the messages of functions that are written in Python.
#include "arguments.hpp"

#include "library.hpp"

#include <algorithm>

namespace foldwise::python {

std::string counted(std::size_t number, const char* one, const char* several) {
    return std::to_string(number) + " " + (number == 1 ? one : several);
}

std::vector<PyObject*> sorted(const call& call, std::span<const std::string> parameters, std::size_t required,
                              std::size_t positional) {
    const std::string name = std::string(call.function) + "()";
    std::vector<PyObject*> values(parameters.size());
    const auto given = static_cast<std::size_t>(call.positional);
    if (given > positional)
        fail(PyExc_TypeError, name + " takes at most " +
                                  counted(positional, "positional argument", "positional arguments") + " but " +
                                  counted(given, "was given", "were given"));
    std::copy_n(call.arguments, given, values.begin());
    for (Py_ssize_t i = 0; i < call.keyword_count(); ++i) {
        const std::string keyword = object::share(call.keyword(i)).text();
        const auto found = std::ranges::find(parameters, keyword);
        if (found == parameters.end())
            fail(PyExc_TypeError, name + " got an unexpected keyword argument '" + keyword + "'");
        PyObject*& value = values[static_cast<std::size_t>(found - parameters.begin())];
        if (value) fail(PyExc_TypeError, name + " got multiple values for argument '" + keyword + "'");
        value = call.value(i);
    }
    for (std::size_t i = 0; i < required; ++i)
        if (!values[i])
            fail(PyExc_TypeError, name + " takes " + counted(required, "argument", "arguments") + ", and '" +
                                      parameters[i] + "' is missing");
    return values;
}

bool is_none(PyObject* argument) { return !argument || argument == Py_None; }

bool to_truth(PyObject* argument, bool otherwise) {
    if (!argument) return otherwise;
    const int truth = PyObject_IsTrue(argument);
    if (truth < 0) throw python_error();
    return truth == 1;
}

std::int64_t to_integer(PyObject* argument) {
    const object index = object::take(PyNumber_Index(argument));
    const long long number = PyLong_AsLongLong(index.get());
    if (number == -1 && PyErr_Occurred()) throw python_error();
    return number;
}

std::vector<std::int64_t> to_integers(PyObject* argument) {
    const bool is_sequence = PySequence_Check(argument) != 0 || PyObject_HasAttrString(argument, "__iter__") != 0;
    if (PyIndex_Check(argument) || !is_sequence) return {to_integer(argument)};
    const object tuple = object::take(PySequence_Tuple(argument));
    std::vector<std::int64_t> numbers;
    for (Py_ssize_t i = 0; i < PyTuple_Size(tuple.get()); ++i)
        numbers.push_back(to_integer(PyTuple_GetItem(tuple.get(), i)));
    return numbers;
}

shape to_shape(PyObject* argument) { return to_shape(to_integers(argument)); }

shape to_shape(const std::vector<std::int64_t>& extents) {
    for (const std::int64_t extent : extents)
        if (extent < 0) fail(PyExc_ValueError, "negative dimensions are not allowed");
    if (extents.size() > max_rank)
        fail(PyExc_ValueError, "a shape of " + std::to_string(extents.size()) + " axes; at most " +
                                   std::to_string(max_rank) + " are supported");
    return shape(std::span<const std::int64_t>(extents));
}

object tuple_of(const shape& extents) {
    object tuple = object::take(PyTuple_New(extents.rank()));
    for (int axis = 0; axis < extents.rank(); ++axis)
        if (PyTuple_SetItem(tuple.get(), axis, make_integer(extents[axis]).release()) < 0) throw python_error();
    return tuple;
}

castings to_casting(PyObject* argument) {
    if (!argument) return castings::usual;
    if (!PyUnicode_Check(argument)) fail(PyExc_TypeError, "casting must be a string");
    const std::string word = object::share(argument).text();
    if (word == "no" || word == "equiv") return castings::no;
    if (word == "safe") return castings::safe;
    if (word == "same_kind") return castings::same_kind;
    if (word == "unsafe") return castings::unsafe;
    fail(PyExc_ValueError,
         "casting must be one of 'no', 'equiv', 'safe', 'same_kind', or 'unsafe' (got '" + word + "')");
}

void fail_axes(const std::string& text) {
    for (const char* module : {"numpy.exceptions", "numpy"}) {
        PyObject* imported = PyDict_GetItemString(PyImport_GetModuleDict(), module);
        const object type = imported ? object::share(imported).attribute_if_any("AxisError") : object();
        if (type) fail(type.get(), text);
    }
    fail(PyExc_IndexError, text);
}

std::optional<std::vector<std::int64_t>> to_axes(PyObject* argument, int rank) {
    if (is_none(argument)) return std::nullopt;
    if (has_axes(argument))
        fail(PyExc_TypeError, "axis is an integer or a tuple of integers, not an array; an output is named: out=");
    const std::vector<std::int64_t> axes = to_integers(argument);
    // As in NumPy, what has no axes may be called as if it had one.
    if (rank == 0 && PyIndex_Check(argument) && (axes[0] == 0 || axes[0] == -1)) return std::vector<std::int64_t>();
    return normalized(axes, rank);
}

std::vector<std::int64_t> normalized(std::vector<std::int64_t> axes, int rank) {
    for (std::int64_t& axis : axes) {
        if (axis < -rank || axis >= rank)
            fail_axes("axis " + std::to_string(axis) + " is out of bounds for array of dimension " +
                      std::to_string(rank));
        if (axis < 0) axis += rank;
    }
    std::vector<std::int64_t> ordered = axes;
    std::ranges::sort(ordered);
    if (std::ranges::adjacent_find(ordered) != ordered.end()) fail(PyExc_ValueError, "duplicate value in 'axis'");
    return axes;
}

}  // namespace foldwise::python
