// generator/frontend/DoubleComputation.hpp: finds what makes float arithmetic double without anybody having asked for
// it.
#pragma once

#include "Finding.hpp"
#include "Includes.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>

namespace foldwise {

/// Whether a type is double (or long double), or has one in it: a member, an element, a template argument.
bool holdsDouble(clang::QualType type);

/// Whether a function's result type stands there, rather than `auto` or nothing.
bool statesResult(const clang::FunctionDecl& function);

/// Findings for the double literals, constants and library calls that promote floats in `function`, or whose result
/// becomes a float again. Double that is written there, as a variable's type, a cast or a result type, is meant.
/// `asked` is the type that the function's deduced result is converted to (null: none), `signature` the kernel's.
void findDoubleComputations(const clang::FunctionDecl& function, clang::QualType asked, const std::string& signature,
                            const clang::ASTContext& context, const Includes& includes, std::vector<Finding>& findings);

}  // namespace foldwise
