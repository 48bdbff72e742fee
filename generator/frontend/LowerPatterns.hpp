// generator/frontend/LowerPatterns.hpp: from a variable of the vocabulary's types to a KernelSpec, pattern by pattern.
#pragma once

#include "FindKernels.hpp"
#include "Slicer.hpp"

#include <optional>

namespace clang {
class Sema;
}

namespace foldwise {

// For each pattern: lowers one kernel, has `slicer` carry along what it needs and `header` what its callers need.
// Nothing if the kernel is wrong; that has been reported. `sema` instantiates types of operands that nothing in the
// spec did.
#define FOLDWISE_PATTERN(name, ...)                                                                                    \
    std::optional<KernelSpec> lower##name(const KernelSite& site, clang::Sema& sema, Slicer& slicer, Slicer& header);
#include "../model/Patterns.def"

}  // namespace foldwise
