// python/module.hpp: what module.cpp, which is compiled for each module, needs of the library of what modules have in
// common. It includes little, as that is most of what such a file takes to compile.
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>

namespace foldwise::python {

class object;

/// What is done for JAX with the functions of a module, which are an array.
using jax_step = void (*)(const char* module, const object* functions, Py_ssize_t count);

/// Gives a module the functions that emitted tables have added. `gradients` is what the build has named as gradients,
/// as set_gradients() takes it; `for_jax` is called with all functions, unless it is null. Returns 0, or -1 with an
/// exception of Python's.
int fill(PyObject* module, const char* gradients, jax_step for_jax);

/// Has JAX's arrays and those that it traces belong to a library whose calls are targets of XLA's FFI, which JAX
/// traces, compiles, vectorises and differentiates. They are registered now if JAX has been imported, so that programs
/// that JAX has compiled earlier find them, and otherwise when a call has such an array. Only modules that name this
/// function, by the keyword JAX, have it linked in.
void make_jax_targets(const char* module, const object* functions, Py_ssize_t count);

}  // namespace foldwise::python
