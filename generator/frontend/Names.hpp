// generator/frontend/Names.hpp: names of the user's that clash with those that generated code uses.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Type.h>

namespace foldwise {

/// Reports where the user hides a name of the global namespace that generated code uses from inside the kernel's
/// namespaces, or has declared one that generated code declares. Returns whether there is no such clash.
bool checkNames(const clang::VarDecl& kernel);

/// Reports where the user hides the name that leads to an element's type. Returns whether it is visible.
bool checkTypeName(clang::QualType type, const clang::VarDecl& kernel);

/// Whether a declaration's name leads to something else from inside the kernel's namespaces.
bool isHidden(const clang::NamedDecl& declaration, const clang::VarDecl& kernel);

/// Whether generated code declares such a name in the namespaces of kernels.
bool isReserved(const clang::NamedDecl& declaration);

}  // namespace foldwise
