// generator/frontend/LowerVectorize.hpp: from a variable of type foldwise::vectorized to a KernelSpec.
#pragma once

#include "FindKernels.hpp"
#include "Slicer.hpp"

#include <optional>

namespace foldwise {

/// Lowers one kernel and has `slicer` carry along what it needs. Nothing if the kernel is wrong; that has been reported.
std::optional<KernelSpec> lowerVectorize(const KernelSite& site, clang::ASTContext& context, const SourceText& text,
                                         Slicer& slicer);

}  // namespace foldwise
