// generator/frontend/CountOperations.hpp: counts the operations of a body, by class.
#pragma once

#include "../model/Operations.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <llvm/ADT/STLFunctionalExtras.h>

namespace foldwise {

/// Counts a function's operations and those of all that it calls, as model/Operations.hpp says. What Clang computes
/// while compiling counts nothing; nor do loads, stores, addresses, and the counters of loops whose trips are known,
/// which compilers unroll.
Operations countOperations(const clang::FunctionDecl& body, llvm::function_ref<Place(clang::SourceLocation)> placeOf);

/// Counts the operations that convert what a lambda returns to a signature's result, for each element of a tuple.
Operations countConversions(clang::QualType returned, clang::QualType result, const clang::ASTContext& context);

}  // namespace foldwise
