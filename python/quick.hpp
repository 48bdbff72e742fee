// python/quick.hpp: fast calls of elementwise functions on arrays that kernels can use as they are.
#pragma once

#include "kernel.hpp"

namespace foldwise::python {

/// Calls an elementwise function with arrays of one library whose types are exactly those of a signature, with Python
/// numbers and, at most, with out=. Returns null, with nothing done and no exception set, for all other calls.
object call_quickly(kernel& kernel, const call& call);

/// Has call_quickly know a library by the type of its arrays, of which subclasses are not meant.
void add_quick_library(PyTypeObject* type, const library& library);

}  // namespace foldwise::python
