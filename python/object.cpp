// python/object.cpp: translates exceptions of C++ to those of Python.
#include "object.hpp"

#include "call_name.hpp"

#include <foldwise/error.hpp>

#include <charconv>
#include <cstddef>
#include <exception>
#include <new>
#include <stdexcept>
#include <vector>

namespace foldwise::python {

static thread_local const char* name_of_call = nullptr;

call_name::call_name(const char* name) : outer_(name_of_call) { name_of_call = name; }
call_name::~call_name() { name_of_call = outer_; }

/// A message that begins with the function's name in Python: "total(): axis 2 is out of bounds". Kernels have theirs in
/// C++, "stats::total: ...".
static std::string named(const std::string& text) {
    if (!name_of_call) return text;
    const std::string name = name_of_call;
    // total(), total.partial()
    if (text.starts_with(name) && text.size() > name.size() && (text[name.size()] == '(' || text[name.size()] == '.'))
        return text;
    const std::size_t colon = text.find(": ");
    const std::string cxx_name = text.substr(0, colon);
    const std::string last = cxx_name.substr(cxx_name.rfind(':') + 1);
    const bool is_own = colon != std::string::npos && (last == name || last + "_" == name);
    return name + "(): " + (is_own ? text.substr(colon + 2) : text);
}

/// Shapes of one axis, and coordinates along one, as Python writes them: (3,) for (3).
static std::string in_python(std::string text) {
    for (std::size_t begin = 0; (begin = text.find(" (", begin)) != std::string::npos; begin += 2) {
        const std::size_t end = text.find_first_not_of("0123456789", begin + 2);
        if (end != std::string::npos && end > begin + 2 && text[end] == ')') text.insert(end, ",");
    }
    return text;
}

static void set_error(PyObject* type, const std::string& text) { PyErr_SetString(type, named(text).c_str()); }

void fail(PyObject* type, const std::string& text) {
    set_error(type, text);
    throw python_error();
}

void translate_exception() noexcept {
    try {
        throw;
    } catch (const python_error&) {
    } catch (const value_error& error) {
        set_error(PyExc_OverflowError, in_python(error.what()));
    } catch (const bounds_error& error) {
        set_error(PyExc_IndexError, in_python(error.what()));
    } catch (const shape_error& error) {
        set_error(PyExc_ValueError, in_python(error.what()));
    } catch (const overlap_error& error) {
        set_error(PyExc_ValueError, in_python(error.what()));
    } catch (const empty_error& error) {
        set_error(PyExc_ValueError, in_python(error.what()));
    } catch (const out_of_memory& error) {
        set_error(PyExc_MemoryError, in_python(error.what()));
    } catch (const std::bad_alloc&) {
        PyErr_NoMemory();
    } catch (const std::invalid_argument& error) {
        set_error(PyExc_ValueError, in_python(error.what()));
    } catch (const std::exception& error) {
        set_error(PyExc_RuntimeError, in_python(error.what()));
    } catch (...) {
        set_error(PyExc_RuntimeError, "an unknown exception of C++");
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
object make_truth(bool truth) { return object::share(truth ? Py_True : Py_False); }

}  // namespace foldwise::python
