// generator/frontend/LostWrites.hpp: finds parameters taken by value that a kernel writes to but never reads.
#pragma once

#include "Finding.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>

namespace foldwise {

/// Adds a finding for each parameter of a kernel's body that is taken by value, is written to, and is never read.
void findLostWrites(const clang::FunctionDecl& body, const clang::ASTContext& context, std::vector<Finding>& findings);

}  // namespace foldwise
