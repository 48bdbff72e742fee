// python/arguments.hpp: the arguments of a call, sorted by the parameters that they are for.
#pragma once

#include "object.hpp"
#include "types.hpp"

#include <foldwise/shape.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace foldwise::python {

/// A call as Python's vectorcall protocol passes it.
struct call {
    const char* function;  ///< For messages.
    PyObject* const* arguments;
    Py_ssize_t positional;
    PyObject* keywords;  ///< The names of the arguments after those, a tuple; may be null.
    PyObject* self;      ///< The function.

    Py_ssize_t keyword_count() const { return keywords ? PyTuple_Size(keywords) : 0; }
    PyObject* keyword(Py_ssize_t i) const { return PyTuple_GetItem(keywords, i); }
    PyObject* value(Py_ssize_t i) const { return arguments[positional + i]; }
};

/// "1 argument", "2 arguments"
std::string counted(std::size_t number, const char* one, const char* several);

/// Returns the arguments in the order of the parameters, null for one that is not given. Of the parameters the first
/// `required` must be given, and the first `positional` may be without a keyword. Throws python_error with TypeError.
std::vector<PyObject*> sorted(const call& call, std::span<const std::string> parameters, std::size_t required,
                              std::size_t positional);

/// An argument, and what messages call it: "sum(): axis".
struct named_argument {
    std::string_view function, name;
    PyObject* given;

    /// Raises an exception that begins with both names.
    [[noreturn]] void refuse(PyObject* kind, const std::string& why) const;
};

/// Whether an argument is None or is not passed.
bool is_none(PyObject* argument);
bool to_truth(PyObject* argument, bool otherwise);
std::int64_t to_integer(PyObject* argument);
/// TypeError and OverflowError name the argument.
std::int64_t to_integer(const named_argument& argument);
/// The integers of a sequence.
std::vector<std::int64_t> to_integers(PyObject* argument);
/// The integers of a sequence, or a single integer.
std::vector<std::int64_t> to_integers(const named_argument& argument);

/// A shape from an integer or a sequence of integers, none of which may be negative.
shape to_shape(const named_argument& argument);
shape to_shape(const std::vector<std::int64_t>& extents);
/// A shape as a tuple of Python's.
object tuple_of(const shape& extents);
/// The casting rule that an argument names as NumPy does, such as "same_kind".
castings to_casting(PyObject* argument);

/// The axes that an argument names, from 0; null for None. AxisError for one that an array of so many axes lacks,
/// ValueError for one that is named twice.
std::optional<std::vector<std::int64_t>> to_axes(const named_argument& argument, int rank);
/// Raises NumPy's AxisError, which is both a ValueError and an IndexError; without NumPy, an IndexError.
[[noreturn]] void fail_axes(const std::string& text);
/// The axes from 0 that numbers stand for, negative ones counted from the end. Errors name `function`.
std::vector<std::int64_t> normalized(std::vector<std::int64_t> axes, int rank, std::string_view function);

}  // namespace foldwise::python
