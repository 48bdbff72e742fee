// python/cupy.hpp: reads CuPy's arrays by their own attributes, which tell what __cuda_array_interface__ does in a
// fraction of the time.
#pragma once

#include "library.hpp"

namespace foldwise::python {

/// An attribute of the objects of a class. Of objects of that very class it is read by the class's own property: to
/// look up a name takes as long as to read most attributes.
class property_of {
  public:
    /// The class lives as long as this does.
    property_of(PyObject* type, const char* name);

    /// Returns the attribute of any object; throws python_error if it has none.
    object operator()(PyObject* of) const {
        if (get_ && reinterpret_cast<PyObject*>(Py_TYPE(of)) == type_)
            return object::take(get_(property_.get(), of, type_));
        return object::take(PyObject_GetAttr(of, name_.get()));
    }

  private:
    PyObject* type_;
    object name_, property_;
    descrgetfunc get_ = nullptr;
};

class cupy_arrays {
  public:
    /// Imports CuPy.
    cupy_arrays();

    /// Describes an array of CuPy's. ValueError for one that no kernel takes, RuntimeError where there is no GPU.
    void read(PyObject* array, operand_ref& ref, element_type& type) const;
    CUstream_st* current_stream(int device) const;

  private:
    void read_extents(PyObject* array, std::int64_t* extents, int rank) const;
    bool is_row_major(PyObject* array) const;

    object array_, pointer_;  ///< The classes.
    property_of data_, rank_, shape_, strides_, dtype_, is_row_major_, address_, device_;
    object current_stream_, handle_;
};

}  // namespace foldwise::python
