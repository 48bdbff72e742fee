// python/floating_errors.hpp: divisions by zero, overflows and the like, as NumPy's functions report them.
#pragma once

#include "kernel.hpp"

namespace foldwise::python {

/// Notes what the processor finds from here on. NumPy's errstate says whether that is ignored, warned of or raised.
class floating_errors {
  public:
    floating_errors();
    /// Reports what has been found, under the function's name. Throws python_error if that raises.
    void report(kernel& of) const;
};

}  // namespace foldwise::python
