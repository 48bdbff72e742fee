// generator/frontend/DeclarationOrder.hpp: the order in which declarations are carried along.
#pragma once

#include "Includes.hpp"
#include "Reachability.hpp"

#include <clang/AST/ASTContext.h>

#include <vector>

namespace foldwise {

/// What was reached, in the order of the sources, with the user's using-directives that apply to it. A directive or a
/// namespace alias comes after the first declaration that opens the namespace it names.
std::vector<const clang::Decl*> inOrder(const Reached& reached, const clang::ASTContext& context,
                                        const Includes& includes);

}  // namespace foldwise
