// generator/model/Instances.hpp: the instances that a kernel is compiled in, from the runtime's tables.
#pragma once

#include "KernelSpec.hpp"

#include <llvm/ADT/StringRef.h>

#include <vector>

namespace foldwise {

/// One of the instances that a pattern's kernels may have.
struct Instance {
    llvm::StringRef name;         ///< The instance as emitted code names it: "transposed".
    llvm::StringRef description;  ///< When a launch takes the instance.
    bool exists = true;           ///< Whether this signature has a use for the instance.
};

// For each pattern: its instances, in the order of the runtime's table.
#define FOLDWISE_PATTERN(name, ...) std::vector<Instance> instancesOf(const name##Signature& signature);
#include "Patterns.def"

}  // namespace foldwise
