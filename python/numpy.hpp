// python/numpy.hpp: what other files need of NumPy's binary interface.
#pragma once

#include "library.hpp"
#include "numpy_abi.hpp"

namespace foldwise::python {

/// NumPy's C functions. NumPy is imported when they are asked for first.
const numpy_abi::functions& numpy_functions();

/// The element type that a dtype of NumPy's stands for, bfloat16 of ml_dtypes included; `other` if no kernel has it.
element_type type_of_dtype(PyObject* dtype);

}  // namespace foldwise::python
