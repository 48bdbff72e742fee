// generator/frontend/Specializations.hpp: the specializations of a template that a constraint may select.
#pragma once

#include "Includes.hpp"

#include <clang/AST/Decl.h>
#include <llvm/ADT/SmallVector.h>

namespace foldwise {

/// The specializations of a class or variable template that may decide whether a constraint holds, though no reference
/// leads to them: the explicit ones whose arguments are all built in or of the user's, since those for other types,
/// such as std::string, say nothing of what kernels compute with; and the partial ones that have been instantiated.
/// None for other declarations.
llvm::SmallVector<const clang::NamedDecl*, 4> specializationsMet(const clang::Decl& declaration,
                                                                 const Includes& includes);

}  // namespace foldwise
