// generator/frontend/LostConstants.hpp: finds constants with a fraction that a signature's integer type makes whole.
#pragma once

#include "Finding.hpp"

#include <clang/AST/Decl.h>

#include <string>
#include <vector>

namespace foldwise {

/// Adds a finding for each constant such as 3.3 that a function converts to an integer type, if this type follows from
/// the kernel's signature, as in `decltype(x)(3.3)` and `T y = 2 * 1.7;`. A type that is written as it is, as in
/// `int(3.3)`, is meant, and of a literal without a cast Clang itself warns.
void findLostConstants(const clang::FunctionDecl& function, const std::string& signature,
                       const clang::ASTContext& context, std::vector<Finding>& findings);

}  // namespace foldwise
