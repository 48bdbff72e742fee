// generator/frontend/Names.cpp: looks up names in the scope where generated code will be.
#include "Names.hpp"

#include "Diagnostics.hpp"
#include "HeaderMacros.hpp"

#include <clang/AST/DeclTemplate.h>

namespace foldwise {

using namespace clang;

static DiagnosticBuilder complain(const Decl& at, Message message) {
    return report(at.getASTContext().getDiagnostics(), at.getLocation(), message);
}

/// What is found by a name from inside the kernel's namespaces before the global one is reached; or null.
static const NamedDecl* hider(llvm::StringRef name, const VarDecl& kernel) {
    IdentifierInfo& identifier = kernel.getASTContext().Idents.get(name);
    for (const DeclContext* scope = kernel.getDeclContext(); !scope->isTranslationUnit(); scope = scope->getParent())
        if (const auto found = scope->lookup(&identifier); !found.empty()) return found.front();
    return nullptr;
}

static bool checkNotHidden(llvm::StringRef name, const VarDecl& kernel) {
    const NamedDecl* hides = hider(name, kernel);
    if (hides) complain(*hides, Message::HiddenName) << hides->getQualifiedNameAsString() << name << kernel.getName();
    return !hides;
}

/// The declaration in the global namespace that holds this one, or is it.
static const NamedDecl& outermost(const NamedDecl& declaration) {
    const NamedDecl* found = &declaration;
    for (const DeclContext* scope = declaration.getDeclContext(); scope; scope = scope->getParent())
        if (const auto* named = dyn_cast<NamedDecl>(scope); named && named->getIdentifier()) found = named;
    return *found;
}

bool isReserved(const NamedDecl& declaration) {
    const auto hides = [](const NamedDecl& named) {
        // A function or variable in front of `::` is not seen.
        return named.getIdentifier() && named.getName() == "device" &&
               isa<NamespaceDecl, TagDecl, TypedefNameDecl, ClassTemplateDecl, TypeAliasTemplateDecl>(named);
    };
    const bool isMember = declaration.getDeclContext()->isRecord();
    return hides(outermost(declaration)) || (!isMember && hides(declaration));
}

bool checkNames(const VarDecl& kernel) {
    const bool isGlobal = kernel.getDeclContext()->getRedeclContext()->isTranslationUnit();
    if (isReserved(kernel) || kernel.getName() == "device" || (isGlobal && kernel.getName().starts_with("foldwise"))) {
        complain(kernel, Message::ReservedName) << (isReserved(kernel) ? "device" : kernel.getName());
        return false;
    }
    if (headerMacro(kernel.getName()) != HeaderMacro::None) {
        complain(kernel, Message::HeaderMacro) << kernel.getName();
        return false;
    }
    return checkNotHidden("foldwise", kernel) && checkNotHidden("std", kernel);
}

bool isHidden(const NamedDecl& declaration, const VarDecl& kernel) {
    const NamedDecl& top = outermost(declaration);
    const NamedDecl* found = hider(top.getName(), kernel);
    return found && found->getCanonicalDecl() != top.getCanonicalDecl();
}

bool checkTypeName(QualType type, const VarDecl& kernel) {
    const TagDecl* tag = type.getNonReferenceType()->getAsTagDecl();
    if (!tag) return true;
    const NamedDecl& top = outermost(*tag);
    const NamedDecl* found = hider(top.getName(), kernel);
    return !found || found->getCanonicalDecl() == top.getCanonicalDecl() || checkNotHidden(top.getName(), kernel);
}

}  // namespace foldwise
