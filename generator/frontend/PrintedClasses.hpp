// generator/frontend/PrintedClasses.hpp: finds objects of classes among what a kernel prints.
#pragma once

#include "Finding.hpp"

#include <clang/AST/Decl.h>

#include <vector>

namespace foldwise {

/// Adds a finding for each object of a class, such as an index or a view, that a function hands to printf or another
/// function that takes any number of arguments, and for which no format stands.
void findPrintedClasses(const clang::FunctionDecl& function, const clang::ASTContext& context,
                        std::vector<Finding>& findings);

}  // namespace foldwise
