// generator/frontend/IntegerDivision.hpp: finds quotients of integers that are converted to floating-point numbers
// after their fraction is lost.
#pragma once

#include "Finding.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>

namespace foldwise {

/// Adds a finding for each division of integers in `function` whose quotient is converted to a floating-point type
/// without a cast in words, and whose remainder is not known to be zero. `asked` is the type that the function's
/// deduced result is converted to, or null if there is none.
void findIntegerDivisions(const clang::FunctionDecl& function, clang::QualType asked, const clang::ASTContext& context,
                          std::vector<Finding>& findings);

}  // namespace foldwise
