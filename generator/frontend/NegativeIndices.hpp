// generator/frontend/NegativeIndices.hpp: finds indices of views that are negative for every argument of a kernel.
#pragma once

#include "Finding.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>

namespace foldwise {

/// Adds a finding for each coordinate of a view in `function` that is a negative constant, or a place subtracted from
/// one.
void findNegativeIndices(const clang::FunctionDecl& function, const clang::ASTContext& context,
                         std::vector<Finding>& findings);

}  // namespace foldwise
