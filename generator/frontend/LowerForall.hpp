// generator/frontend/LowerForall.hpp: from a variable of type foldwise::indexed to a KernelSpec.
#pragma once

#include "FindKernels.hpp"
#include "Slicer.hpp"

#include <optional>

namespace clang {
class Sema;
}

namespace foldwise {

/// Lowers one kernel, has `slicer` carry along what it needs and `header` what its callers need. Nothing if the kernel
/// is wrong; that has been reported. `sema` instantiates types of operands that nothing in the spec did.
std::optional<KernelSpec> lowerForall(const KernelSite& site, clang::Sema& sema, Slicer& slicer, Slicer& header);

}  // namespace foldwise
