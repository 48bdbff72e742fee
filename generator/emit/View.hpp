// generator/emit/View.hpp: spec and plan as what templates see: strings, booleans, arrays and objects.
#pragma once

#include "../model/KernelPlan.hpp"

#include <llvm/Support/JSON.h>

namespace foldwise {

/// Which backends a unit is generated for, and how.
struct Backends {
    bool cuda = true;
    bool cpu = true;
    bool simulator = false;
    bool checked = false;  ///< Whether what can go wrong is looked at while kernels run.
};

/// The view of a unit; templates/README.md documents every key. `attributes` is what functions and constants are marked
/// with: "__device__ " for CUDA, nothing for the CPU.
llvm::json::Value unitView(const UnitSpec& unit, const Backends& backends, llvm::StringRef attributes);

}  // namespace foldwise
