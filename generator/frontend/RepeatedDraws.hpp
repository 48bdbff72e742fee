// generator/frontend/RepeatedDraws.hpp: finds random generators that give the numbers of another one again.
#pragma once

#include "Finding.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>

namespace foldwise {

/// Adds a finding for each foldwise::random, or draw of foldwise::random::at, that has the arguments of one before it
/// which certainly runs as well, and for each in a loop whose turns all have the same arguments.
void findRepeatedDraws(const clang::FunctionDecl& function, const clang::ASTContext& context,
                       std::vector<Finding>& findings);

}  // namespace foldwise
