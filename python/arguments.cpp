// python/arguments.cpp: reads the arguments of calls, with the errors that functions written in Python raise.
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

void named_argument::refuse(PyObject* kind, const std::string& why) const {
    fail(kind, std::string(function) + "(): " + std::string(name) + " " + why);
}

std::int64_t to_integer(PyObject* argument) {
    const object index = object::take(PyNumber_Index(argument));
    const long long number = PyLong_AsLongLong(index.get());
    if (number == -1 && PyErr_Occurred()) throw python_error();
    return number;
}

/// An integer, or `refusal` where there is none.
static std::int64_t to_integer(const named_argument& argument, PyObject* given, const std::string& refusal) {
    PyObject* const found = PyNumber_Index(given);
    if (!found) {
        if (!PyErr_ExceptionMatches(PyExc_TypeError)) throw python_error();
        PyErr_Clear();
        argument.refuse(PyExc_TypeError, refusal + class_of(given));
    }
    const object index = object::take(found);
    int overflows = 0;
    const long long number = PyLong_AsLongLongAndOverflow(index.get(), &overflows);
    if (overflows) argument.refuse(PyExc_OverflowError, "has more than 64 bits: " + index.text());
    if (number == -1 && PyErr_Occurred()) throw python_error();
    return number;
}

std::int64_t to_integer(const named_argument& argument) {
    return to_integer(argument, argument.given, "is an integer, not ");
}

std::vector<std::int64_t> to_integers(PyObject* argument) {
    const object tuple = object::take(PySequence_Tuple(argument));
    std::vector<std::int64_t> numbers;
    for (Py_ssize_t i = 0; i < PyTuple_Size(tuple.get()); ++i)
        numbers.push_back(to_integer(PyTuple_GetItem(tuple.get(), i)));
    return numbers;
}

/// Whether it is an integer, as an array without axes is and others are not.
static bool is_integer(PyObject* given) {
    if (PyLong_Check(given)) return true;
    if (!PyIndex_Check(given)) return false;
    PyObject* const index = PyNumber_Index(given);
    Py_XDECREF(index);
    PyErr_Clear();
    return index != nullptr;
}

std::vector<std::int64_t> to_integers(const named_argument& argument) {
    PyObject* const sequence = is_integer(argument.given) ? nullptr : PySequence_Tuple(argument.given);
    PyErr_Clear();
    if (!sequence) return {to_integer(argument, argument.given, "is an integer or a sequence of integers, not ")};
    const object tuple = object::take(sequence);
    std::vector<std::int64_t> numbers;
    for (Py_ssize_t i = 0; i < PyTuple_Size(tuple.get()); ++i)
        numbers.push_back(to_integer(argument, PyTuple_GetItem(tuple.get(), i), "consists of integers, not of "));
    return numbers;
}

static std::string too_many_axes(std::size_t count) {
    return std::to_string(count) + " axes; at most " + std::to_string(max_rank) + " are supported";
}

shape to_shape(const named_argument& argument) {
    const std::vector<std::int64_t> extents = to_integers(argument);
    if (extents.size() > max_rank) argument.refuse(PyExc_ValueError, "has " + too_many_axes(extents.size()));
    for (const std::int64_t extent : extents)
        if (extent < 0)
            argument.refuse(PyExc_ValueError,
                            "has " + std::to_string(extent) + ", and negative dimensions are not allowed");
    return to_shape(extents);
}

shape to_shape(const std::vector<std::int64_t>& extents) {
    for (const std::int64_t extent : extents)
        if (extent < 0) fail(PyExc_ValueError, "negative dimensions are not allowed");
    if (extents.size() > max_rank) fail(PyExc_ValueError, "a shape of " + too_many_axes(extents.size()));
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

std::optional<std::vector<std::int64_t>> to_axes(const named_argument& argument, int rank) {
    if (is_none(argument.given)) return std::nullopt;
    if (has_axes(argument.given))
        argument.refuse(PyExc_TypeError,
                        "is an integer or a tuple of integers, not an array; an output is named: out=");
    const std::vector<std::int64_t> axes = to_integers(argument);
    // As in NumPy, what has no axes may be called as if it had one.
    if (rank == 0 && PyIndex_Check(argument.given) && (axes[0] == 0 || axes[0] == -1))
        return std::vector<std::int64_t>();
    return normalized(axes, rank, argument.function);
}

std::vector<std::int64_t> normalized(std::vector<std::int64_t> axes, int rank, std::string_view function) {
    const std::string name = std::string(function) + "(): ";
    for (std::int64_t& axis : axes) {
        if (axis < -rank || axis >= rank)
            fail_axes(name + "axis " + std::to_string(axis) + " is out of bounds for array of dimension " +
                      std::to_string(rank));
        if (axis < 0) axis += rank;
    }
    std::vector<std::int64_t> ordered = axes;
    std::ranges::sort(ordered);
    if (std::ranges::adjacent_find(ordered) != ordered.end())
        fail(PyExc_ValueError, name + "duplicate value in 'axis'");
    return axes;
}

}  // namespace foldwise::python
