// generator/frontend/BoolConversions.hpp: finds conversions of bools to floating-point numbers.
#pragma once

#include <clang/AST/Decl.h>
#include <clang/AST/Stmt.h>
#include <clang/Basic/SourceLocation.h>

#include <vector>

namespace foldwise {

/// The expressions of type bool in a declaration or body whose values become floating-point numbers, by a cast or by
/// themselves; of templates, those of which any instance makes such a number. Each once, an outer one before those
/// within it.
std::vector<clang::SourceRange> boolConversions(const clang::Decl& declaration);
std::vector<clang::SourceRange> boolConversions(const clang::Stmt& body);

/// The expressions in a function's body that boolConversions() finds there, in any of its instances if it is a
/// template.
std::vector<clang::SourceRange> boolConversionsInBody(const clang::FunctionDecl& function);

}  // namespace foldwise
