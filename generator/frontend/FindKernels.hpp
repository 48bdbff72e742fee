// generator/frontend/FindKernels.hpp: finds the variables of a spec that declare kernels.
#pragma once

#include "../model/KernelSpec.hpp"
#include "Includes.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>

#include <optional>
#include <vector>

namespace foldwise {

/// A variable whose type is one of the vocabulary's.
struct KernelSite {
    const clang::VarDecl* variable;
    const clang::ClassTemplateSpecializationDecl* type;  ///< foldwise::vectorized<Lambda, Signatures...> and its like.
    Pattern pattern;
};

/// What a variable declares, or nothing if that is no kernel.
std::optional<KernelSite> kernelSite(const clang::VarDecl& variable);

/// All kernel variables of the main file, in its order, those inside functions included. Warns of those in files of the
/// user's that it includes, which are kernels of no spec.
std::vector<KernelSite> findKernels(clang::ASTContext& context, const Includes& includes);

}  // namespace foldwise
