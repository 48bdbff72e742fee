// generator/frontend/NarrowOwn.hpp: finds items' own variables of integer types that are given floating-point numbers.
#pragma once

#include "Finding.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>

namespace foldwise {

/// Adds a finding for each place in a phase where the item's own variable, which `b.own(0)` has made an integer, is
/// assigned a floating-point number without a cast in words, or updated with one.
void findNarrowOwn(const clang::FunctionDecl& phase, const clang::ASTContext& context, std::vector<Finding>& findings);

}  // namespace foldwise
