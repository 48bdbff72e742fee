// python/torch.hpp: elementwise functions as operators of PyTorch, which its compiler knows.
#pragma once

#include "object.hpp"

#include <string>

namespace foldwise::python {

/// Whether the program uses PyTorch.
bool is_torch_imported();

/// Names a function of a module that is to be torch.ops.<module>.<function>, if it is elementwise.
void become_torch_operator(const std::string& module, const object& function);

/// Makes them operators, once. PyTorch has been imported.
void register_torch_operators();

}  // namespace foldwise::python
