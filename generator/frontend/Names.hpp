// generator/frontend/Names.hpp: names of the user's that generated code could not tell from its own.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Type.h>

namespace foldwise {

/// Generated code names what it uses by the names of the global namespace, from inside the kernel's. Says where the
/// user hides one of those, or has taken one that generated code declares; returns whether all is well.
bool checkNames(const clang::VarDecl& kernel);

/// The same of the name that leads to an element's type.
bool checkTypeName(clang::QualType type, const clang::VarDecl& kernel);

/// Whether a declaration's name leads to something else from inside the kernel's namespaces.
bool isHidden(const clang::NamedDecl& declaration, const clang::VarDecl& kernel);

/// Whether generated code declares such a name in the namespaces of kernels.
bool isReserved(const clang::NamedDecl& declaration);

}  // namespace foldwise
