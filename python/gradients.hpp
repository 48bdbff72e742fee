// python/gradients.hpp: finds the function that computes the gradient of another.
#pragma once

#include "kernel.hpp"

namespace foldwise::python {

/// Whether values of a type can have a gradient: floats and complex numbers.
inline bool is_differentiable(element_type type) {
    return type.kind == element_type::kinds::floating || type.kind == element_type::kinds::brain_floating ||
           type.kind == element_type::kinds::complex;
}

/// Takes what the build has named, "f=f_backward g=g_backward": f_backward takes the inputs of f and then a gradient
/// for each of its outputs, and returns a gradient for each input that is a float or complex. ImportError if the module
/// has no such function, or if its signatures do not fit.
void set_gradients(const object& module, const char* pairs);

}  // namespace foldwise::python
