// generator/frontend/Spelling.hpp: writes types and names as C++.
#pragma once

#include <clang/AST/Expr.h>
#include <clang/AST/Type.h>

#include <string>

namespace foldwise {

/// The type as C++ spells it from the global namespace, with standard aliases such as std::int32_t kept.
std::string spelling(clang::QualType type, const clang::ASTContext& context);

/// An expression as the source has it.
std::string sourceOf(const clang::Expr& expression, const clang::ASTContext& context);

/// What a function returns, for messages: "'float'", or "nothing".
std::string quotedResult(clang::QualType type, const clang::ASTContext& context);

/// The type as spelling() has it, with `struct` or `enum` before each class's and enumeration's name, which variables
/// of the name do not hide.
std::string spellingWithKeywords(clang::QualType type, const clang::ASTContext& context);

/// The alias or alias template by which a type is written, looking through references; null if it is by none.
const clang::NamedDecl* aliasOf(clang::QualType written);

/// The outermost name of a declaration: "geo" of geo::real.
std::string firstName(const clang::NamedDecl& declaration);

}  // namespace foldwise
