// python/jax.hpp: functions of a module as targets of XLA's FFI, which JAX traces, compiles, vectorises and
// differentiates. Only modules that are built with the keyword JAX have it linked in.
#pragma once

#include "kernel.hpp"

#include <span>
#include <string>

namespace foldwise::python {

/// Has JAX's arrays and those that it traces belong to a library whose calls are targets of XLA. They are registered
/// when a call has such an array, or by make_jax_targets_if_imported().
void become_jax_targets(const std::string& module, std::span<const object> functions);

/// Registers them if JAX has been imported, so that programs which JAX has compiled earlier find them. With a JAX that
/// is too old, nothing happens.
void make_jax_targets_if_imported();

}  // namespace foldwise::python
