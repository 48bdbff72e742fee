// python/torch.hpp: elementwise functions as operators of PyTorch, which its compiler knows.
#pragma once

#include "kernel.hpp"

#include <span>
#include <string>

namespace foldwise::python {

/// Whether the program uses PyTorch.
bool is_torch_imported();

/// Names a function of a module that is to be torch.ops.<module>.<function>, if it is elementwise. In the name of a
/// module of a package, "_" stands for ".".
void become_torch_operator(const std::string& module, const object& function);

/// Calls the operator of a function, by which PyTorch notes what its gradient needs. Python numbers become tensors of
/// the signature's types.
object call_torch_operator(const kernel& kernel, std::span<const object> arguments, const signature& signature);

/// Makes them operators. To be called once, when PyTorch has been imported.
void register_torch_operators();

}  // namespace foldwise::python
