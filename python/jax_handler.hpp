// python/jax_handler.hpp: the function that XLA calls.
#pragma once

#include "kernel.hpp"
#include "xla_ffi.hpp"

namespace foldwise::python {

/// Names a function that handlers may be told to run. It is never forgotten.
void add_jax_function(const kernel& function);

/// Runs the function that the attribute `function` names by the plan of the attribute `plan`, on the calling thread or
/// on XLA's stream. The inputs of XLA's call are those of the plan and then its offsets or keys. Nothing of Python's is
/// used.
xla::error* run_on_host(xla::call* call);
xla::error* run_on_gpu(xla::call* call);

}  // namespace foldwise::python
