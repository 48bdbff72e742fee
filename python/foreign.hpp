// python/foreign.hpp: CuPy, Numba, JAX, and any other library whose arrays have DLPack's methods or the CUDA Array
// Interface.
#pragma once

#include "library.hpp"

namespace foldwise::python {

/// The library of such an array; null for what NumPy makes an array of.
const library* foreign_library(PyObject* candidate);

/// Has JAX's arrays belong to a library that is made when one of them is seen first, and may throw python_error.
void set_jax_library(const library* (*make)());

/// What NumPy makes of an object that is no array of a library's: of DLPack's arrays on the CPU and of buffers without
/// a copy. ValueError for Arrow's columns with nulls.
object as_numpy(const object& any);

}  // namespace foldwise::python
