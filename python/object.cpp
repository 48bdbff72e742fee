// python/object.cpp: what exceptions of C++ are in Python.
#include "object.hpp"

#include <foldwise/error.hpp>

#include <charconv>
#include <cstddef>
#include <exception>
#include <new>
#include <stdexcept>
#include <vector>

namespace foldwise::python {

void fail(PyObject* type, const std::string& text) {
    PyErr_SetString(type, text.c_str());
    throw python_error();
}

void translate_exception() noexcept {
    try {
        throw;
    } catch (const python_error&) {
    } catch (const value_error& error) {
        PyErr_SetString(PyExc_OverflowError, error.what());
    } catch (const shape_error& error) {
        PyErr_SetString(PyExc_ValueError, error.what());
    } catch (const overlap_error& error) {
        PyErr_SetString(PyExc_ValueError, error.what());
    } catch (const empty_error& error) {
        PyErr_SetString(PyExc_ValueError, error.what());
    } catch (const out_of_memory& error) {
        PyErr_SetString(PyExc_MemoryError, error.what());
    } catch (const std::bad_alloc&) {
        PyErr_NoMemory();
    } catch (const std::invalid_argument& error) {
        PyErr_SetString(PyExc_ValueError, error.what());
    } catch (const std::exception& error) {
        PyErr_SetString(PyExc_RuntimeError, error.what());
    } catch (...) {
        PyErr_SetString(PyExc_RuntimeError, "an unknown exception of C++");
    }
}

object object::attribute_if_any(const char* name) const {
    PyObject* found = PyObject_GetAttrString(pointer_, name);
    if (!found && !PyErr_ExceptionMatches(PyExc_AttributeError)) throw python_error();
    PyErr_Clear();
    return object(found);
}

std::string object::text() const {
    const object string = take(PyObject_Str(pointer_));
    Py_ssize_t size = 0;
    const char* characters = PyUnicode_AsUTF8AndSize(string.get(), &size);
    if (!characters) throw python_error();
    return std::string(characters, static_cast<std::size_t>(size));
}

std::string class_of(PyObject* one) {
    return object::share(reinterpret_cast<PyObject*>(Py_TYPE(one))).attribute("__name__").text();
}

object import_module(const char* name) { return object::take(PyImport_ImportModule(name)); }

/// The numbers at the beginning of a version: 2, 10 and 0 of "2.10.0rc1".
static std::vector<int> numbers_of(std::string_view version) {
    std::vector<int> numbers;
    for (;;) {
        int number = 0;
        const auto [end, error] = std::from_chars(version.data(), version.data() + version.size(), number);
        if (error != std::errc()) return numbers;
        numbers.push_back(number);
        version.remove_prefix(static_cast<std::size_t>(end - version.data()));
        if (!version.starts_with('.')) return numbers;
        version.remove_prefix(1);
    }
}

bool is_at_least(const object& package, std::string_view oldest) {
    const object version = package.attribute_if_any("__version__");
    return !version || numbers_of(version.text()) >= numbers_of(oldest);  // without one, it is for its user to know
}

object import_package(const char* name, std::string_view oldest) {
    const object package = import_module(name);
    if (!is_at_least(package, oldest))
        fail(PyExc_ImportError, "arrays of " + std::string(name) + " need " + name + ' ' + std::string(oldest) +
                                    " or later, and " + package.attribute("__version__").text() + " is installed");
    return package;
}

object make_text(const std::string& text) {
    return object::take(PyUnicode_FromStringAndSize(text.data(), static_cast<Py_ssize_t>(text.size())));
}
object intern(const char* text) { return object::take(PyUnicode_InternFromString(text)); }
object make_integer(long long value) { return object::take(PyLong_FromLongLong(value)); }

}  // namespace foldwise::python
