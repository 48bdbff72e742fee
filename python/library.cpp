// python/library.cpp: finds the library that a call's arrays belong to, and converts Python's own numbers.
#include "library.hpp"

#include "arguments.hpp"
#include "dlpack.hpp"
#include "foreign.hpp"
#include "streams.hpp"

#include <foldwise/bfloat16.hpp>
#include <foldwise/detail/copy.hpp>
#include <foldwise/half.hpp>

#include <cmath>
#include <complex>
#include <cstring>
#include <limits>

namespace foldwise::python {

using kinds = element_type::kinds;

bool is_number(PyObject* candidate) {
    return PyLong_CheckExact(candidate) || PyFloat_CheckExact(candidate) || PyComplex_CheckExact(candidate);
}

/// The library that an array belongs to, or null if it is none.
static const library* library_of_array(PyObject* argument) {
    if (const library* own = numpy_of(argument)) return own;
    if (const library* exchanging = exchanging_library(argument)) return exchanging;
    return foreign_library(argument);
}

const library* library_of(PyObject* argument) {
    if (is_number(argument) || PyBool_Check(argument)) return nullptr;
    const library* const own = library_of_array(argument);
    return own ? own : &numpy();
}

bool has_axes(PyObject* argument) {
    if (is_number(argument) || PyTuple_CheckExact(argument)) return false;
    const library* const own = library_of_array(argument);
    return own && own->owns(argument) && !own->extents_of(argument).empty();
}

shape library::shape_of(PyObject* array) const { return to_shape(extents_of(array)); }

executor library::executor_for(const array& any) const {
    call_scope& scope = call_scope::current();
    const foldwise::place place = any.ref.place;
    if (place.kind == memory::cuda) return cuda(place.device, scope.stream_on(*this, place.device));
    scope.refuse_stream();
    return {};
}

static std::string type_of(PyObject* argument) {
    const object type = object::share(reinterpret_cast<PyObject*>(Py_TYPE(argument)));
    return type.attribute("__module__").text() + "." + type.attribute("__name__").text();
}

const library& common_library(const char* function, std::span<PyObject* const> arguments) {
    const library* common = nullptr;
    PyObject* first = nullptr;
    for (PyObject* argument : arguments) {
        const library* own = argument ? library_of(argument) : nullptr;
        if (!own || own == common) continue;
        if (common)
            fail(PyExc_TypeError, std::string(function) + "() takes arrays of one library, not " + type_of(first) +
                                      " and " + type_of(argument));
        common = own;
        first = argument;
    }
    return common ? *common : numpy();
}

argument_type describe(const library& library, object& argument) {
    PyObject* given = argument.get();
    if (PyBool_Check(given)) return {{kinds::boolean, 1}, false};
    const auto weak = [&](kinds kind, int wide) {
        const int size = library.has_wide_types() ? wide : wide / 2;
        return argument_type{{kind, static_cast<std::uint8_t>(size)}, true};
    };
    if (PyLong_CheckExact(given)) return weak(kinds::integer, 8);
    if (PyFloat_CheckExact(given)) return weak(kinds::floating, 8);
    if (PyComplex_CheckExact(given)) return weak(kinds::complex, 16);
    if (!library.owns(given)) argument = as_numpy(argument);
    return {library.type_of(argument.get()), false};
}

template <class T> static void store(value& result, T number) {
    static_assert(sizeof(T) <= sizeof result.bytes);
    std::memcpy(result.bytes, &number, sizeof number);
}

[[noreturn]] static void refuse(PyObject* number, element_type type) {
    fail(PyExc_OverflowError, "Python integer " + object::share(number).text() + " out of bounds for " + name_of(type));
}

static void store_integer(value& result, PyObject* number, element_type type) {
    const int bits = type.size * 8;
    if (type.kind == kinds::integer) {
        int overflows = 0;
        const long long all = PyLong_AsLongLongAndOverflow(number, &overflows);
        if (all == -1 && PyErr_Occurred()) throw python_error();
        if (overflows || (bits < 64 && (all >> (bits - 1)) != 0 && (all >> (bits - 1)) != -1)) refuse(number, type);
        std::memcpy(result.bytes, &all, type.size);  // little-endian
        return;
    }
    const unsigned long long all = PyLong_AsUnsignedLongLong(number);
    if (all == static_cast<unsigned long long>(-1) && PyErr_Occurred()) {
        if (!PyErr_ExceptionMatches(PyExc_OverflowError)) throw python_error();
        PyErr_Clear();
        refuse(number, type);
    }
    if (bits < 64 && (all >> bits) != 0) refuse(number, type);
    std::memcpy(result.bytes, &all, type.size);
}

static void store_floating(value& result, double number, element_type type) {
    if (type.kind == kinds::brain_floating)
        store(result, bfloat16(static_cast<float>(number)));
    else if (type.size == 2)
        store(result, half(static_cast<float>(number)));
    else if (type.size == 4)
        store(result, static_cast<float>(number));
    else
        store(result, number);
}

value to_value(PyObject* number, element_type type) {
    value result = {};
    switch (type.kind) {
    case kinds::boolean: {
        const int truth = PyObject_IsTrue(number);
        if (truth < 0) throw python_error();
        store(result, truth == 1);
        return result;
    }
    case kinds::integer:
    case kinds::unsigned_integer:
        store_integer(result, number, type);
        return result;
    case kinds::floating:
    case kinds::brain_floating: {
        const double all = PyFloat_AsDouble(number);
        if (all == -1 && PyErr_Occurred()) throw python_error();
        store_floating(result, all, type);
        return result;
    }
    case kinds::complex: {
        const std::complex<double> all(PyComplex_RealAsDouble(number), PyComplex_ImagAsDouble(number));
        if (all.real() == -1 && PyErr_Occurred()) throw python_error();
        if (type.size == 8)
            store(result, std::complex<float>(all));
        else
            store(result, all);
        return result;
    }
    case kinds::record:
    case kinds::other:
        break;
    }
    fail(PyExc_TypeError, "an element of a type that Python does not have");
}

void library::clear(const array& made, const executor& executor) const {
    const std::byte zero{};
    detail::fill_elements(made.ref.data, made.ref.place, &zero, 1, made.ref.layout.shape.size() * made.type.size,
                          executor.stream());
}

}  // namespace foldwise::python
