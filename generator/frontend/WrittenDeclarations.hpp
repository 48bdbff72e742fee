// generator/frontend/WrittenDeclarations.hpp: the declarations in the source that the AST's come from.
#pragma once

#include <clang/AST/Decl.h>

#include <string>
#include <vector>

namespace foldwise {

/// The template that a declaration is an instance of; otherwise the declaration itself.
const clang::Decl& written(const clang::Decl& declaration);

/// The outermost declaration around this one that stands in a namespace, or null inside a function.
const clang::Decl* namespaceMember(const clang::Decl& declaration);

/// The named namespaces around a declaration, outermost first; an inline one as "inline v1".
std::vector<std::string> namespacesOf(const clang::Decl& declaration);

/// The outermost of the namespaces around a declaration, or null in the global one.
const clang::NamespaceDecl* outermostNamespace(const clang::Decl& declaration);

/// Declarations that one text holds, as `int a = 1, b = 2;` and `struct S {} s;` do: the last of them spans it all.
std::vector<const clang::Decl*> writtenTogether(const clang::Decl& member);

}  // namespace foldwise
