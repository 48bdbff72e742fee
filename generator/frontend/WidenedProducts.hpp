// generator/frontend/WidenedProducts.hpp: finds products of 32-bit integers that become 64-bit ones when they may have
// overflowed.
#pragma once

#include "Finding.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>

namespace foldwise {

/// Adds a finding for each product in `function` of integers that are not known, of at most 32 bits, that is converted
/// to an integer of 64 bits without a cast in words. Products of 8- and 16-bit integers fit. `asked` is the type that
/// the function's deduced result is converted to, or null if there is none.
void findWidenedProducts(const clang::FunctionDecl& function, clang::QualType asked, const clang::ASTContext& context,
                         std::vector<Finding>& findings);

}  // namespace foldwise
