// python/numpy_abi.hpp: the parts of NumPy's binary interface that versions 1 and 2 have in common, so that a module is
// built without NumPy's headers and works with both.
#pragma once

#include "object.hpp"

#include <cstdint>

namespace foldwise::python::numpy_abi {

/// The beginning of a dtype.
struct descriptor {
    PyObject_HEAD PyTypeObject* scalar_type;
    char kind, character, byte_order, unused;
    int number;
};

/// The beginning of an array.
struct array {
    PyObject_HEAD char* data;
    int rank;
    Py_ssize_t* extents;
    Py_ssize_t* strides;  ///< In bytes.
    PyObject* base;
    descriptor* type;
    int flags;
};

enum flags : int { row_major = 0x0001, aligned = 0x0100, writeable = 0x0400 };

/// NumPy's functions, of which each has its place in a table.
struct functions {
    void* const* table = nullptr;

    PyTypeObject* array_type() const { return static_cast<PyTypeObject*>(table[2]); }
    /// Returns a new reference.
    descriptor* type_of_number(int number) const { return reinterpret_cast<descriptor* (*)(int)>(table[45])(number); }
    /// Turns an array without axes into a scalar. Takes over the reference.
    PyObject* scalar_or_array(PyObject* made) const {
        return reinterpret_cast<PyObject* (*)(PyObject*)>(table[76])(made);
    }
    /// Returns a new array without values. Takes over the reference to the type.
    PyObject* make(descriptor* type, int rank, const Py_ssize_t* extents) const {
        using function =
            PyObject* (*)(PyTypeObject*, descriptor*, int, const Py_ssize_t*, const Py_ssize_t*, void*, int, PyObject*);
        return reinterpret_cast<function>(table[94])(array_type(), type, rank, extents, nullptr, nullptr, 0, nullptr);
    }
};

inline const array& fields(PyObject* of_array) { return *reinterpret_cast<const array*>(of_array); }
inline bool is_native(const descriptor& type) { return type.byte_order != '>'; }  // on little-endian machines

}  // namespace foldwise::python::numpy_abi
