// generator/frontend/DoubleComputation.hpp: finds what turns float arithmetic into double although the user has not
// asked for it.
#pragma once

#include "Finding.hpp"
#include "Includes.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>

namespace foldwise {

/// Whether a type is double or long double, or contains one of them as a member, an element or a template argument.
bool holdsDouble(clang::QualType type);

/// Whether a function's result type is written out, rather than `auto` or left out.
bool statesResult(const clang::FunctionDecl& function);

/// Adds a finding for each double literal, constant and library call in `function` that promotes floats to double, or
/// whose result becomes a float again. Where the user has written double, as a variable's type, a cast or a result
/// type, it is intended, and there is no finding. `asked` is the type that the function's deduced result is converted
/// to, or null if there is none; `signature` is the kernel's signature, for the message.
void findDoubleComputations(const clang::FunctionDecl& function, clang::QualType asked, const std::string& signature,
                            const clang::ASTContext& context, const Includes& includes, std::vector<Finding>& findings);

}  // namespace foldwise
