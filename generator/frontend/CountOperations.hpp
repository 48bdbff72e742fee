// generator/frontend/CountOperations.hpp: what a body computes, by class of operation.
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

/// Of turning what a lambda returns into a signature's result, element of a tuple by element.
Operations countConversions(clang::QualType returned, clang::QualType result, const clang::ASTContext& context);

}  // namespace foldwise
