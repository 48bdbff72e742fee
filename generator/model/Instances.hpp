// generator/model/Instances.hpp: how often a kernel is compiled. The tables are the runtime's, which chooses among
// them.
#pragma once

#include "KernelSpec.hpp"

#include <llvm/ADT/StringRef.h>

#include <vector>

namespace foldwise {

/// One of the instances that a pattern's kernels may have.
struct Instance {
    llvm::StringRef name;         ///< As in emitted code: "transposed".
    llvm::StringRef description;  ///< When a launch takes it.
    bool exists = true;           ///< Whether this signature has a use for it.
};

/// All of the pattern's, in the order of the runtime's table.
std::vector<Instance> instancesOf(Pattern pattern, const Signature& signature);

}  // namespace foldwise
