// generator/model/KernelNames.hpp: finds kernels by the names that users give.
#pragma once

#include "KernelSpec.hpp"

#include <utility>
#include <vector>

namespace foldwise {

/// A kernel and the unit that has its declarations.
using KernelOfUnit = std::pair<const UnitSpec*, const KernelSpec*>;

/// The kernels of these names, in the order of the units: each qualified ("stats::sum"), unqualified where that is
/// clear ("sum"), or "*" for all. The error says which name is none, with what was meant or what there is, or which
/// kernels a name could stand for.
llvm::Expected<std::vector<KernelOfUnit>> kernelsNamed(const std::vector<UnitSpec>& units,
                                                       const std::vector<std::string>& names);

}  // namespace foldwise
