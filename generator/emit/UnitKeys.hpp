// generator/emit/UnitKeys.hpp: the keys of templates, made from the spec and the plan: strings, booleans, arrays and
// objects.
#pragma once

#include "../model/KernelSpec.hpp"

#include <llvm/Support/JSON.h>

namespace foldwise {

/// Which backends a unit is generated for, and how.
struct Backends {
    bool cuda = true;
    bool cpu = true;
    bool simulator = false;
    bool checked = false;  ///< Whether what can go wrong is looked at while kernels run.
    bool python = false;   ///< Whether there is a table of the functions for a Python module.
};

/// The keys of a unit; templates/README.md documents all of them. `attributes` is what functions and constants are
/// marked with: "__device__ " for CUDA, nothing for the CPU.
llvm::json::Value unitKeys(const UnitSpec& unit, const Backends& backends, llvm::StringRef attributes);

}  // namespace foldwise
