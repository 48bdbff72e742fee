// generator/frontend/DeclarationOrder.cpp: sorts declarations and finds places for using-directives.
#include "DeclarationOrder.hpp"

#include <clang/AST/DeclCXX.h>
#include <clang/Basic/SourceManager.h>

namespace foldwise {

using namespace clang;

/// Whether something that was reached lies in the namespace that a directive names.
static bool isNeeded(const UsingDirectiveDecl& directive, const Reached& reached) {
    const DeclContext* nominated = directive.getNominatedNamespace()->getPrimaryContext();
    if (reached.libraryNamespaces.contains(nominated)) return true;
    return llvm::any_of(reached.declarations, [&](const auto& one) {
        const DeclContext* scope = one.first->getDeclContext();
        while (scope && scope->getPrimaryContext() != nominated) scope = scope->getParent();
        return scope != nullptr;
    });
}

/// Only users' directives are looked for, so namespaces that other headers open, such as std, are passed over: all that
/// they hold would be read from a precompiled header for nothing.
static void addUsingDirectives(const DeclContext& scope, const Reached& reached, const Includes& includes,
                               std::vector<const Decl*>& declarations) {
    for (const Decl* declaration : scope.decls()) {
        if (const auto* space = dyn_cast<NamespaceDecl>(declaration)) {
            if (includes.isUsersCode(space->getLocation())) addUsingDirectives(*space, reached, includes, declarations);
        } else if (const auto* directive = dyn_cast<UsingDirectiveDecl>(declaration)) {
            const bool isWritten = !directive->isImplicit() && includes.isUsersCode(directive->getLocation());
            if (isWritten && isNeeded(*directive, reached)) declarations.push_back(directive);
        }
    }
}

/// The namespace that a directive or an alias names, which has to exist by then; null for other declarations.
static const DeclContext* namedNamespace(const Decl& declaration) {
    const NamespaceDecl* named = nullptr;
    if (const auto* directive = dyn_cast<UsingDirectiveDecl>(&declaration))
        named = directive->getNominatedNamespace();
    else if (const auto* alias = dyn_cast<NamespaceAliasDecl>(&declaration))
        named = alias->getNamespace();
    return named ? named->getPrimaryContext() : nullptr;
}

/// Moves what names a namespace behind the first declaration of it. Nothing may have been reached of what opened that
/// namespace in the sources.
static std::vector<const Decl*> afterTheirNamespaces(const std::vector<const Decl*>& sorted, const Reached& reached,
                                                     const Includes& includes) {
    std::vector<const Decl*> result, waiting;
    std::set<const DeclContext*> open(reached.libraryNamespaces);
    for (const Decl* declaration : sorted) {
        const DeclContext* named = namedNamespace(*declaration);
        if (named && !open.contains(named) && includes.isUsersCode(cast<Decl>(named)->getLocation())) {
            waiting.push_back(declaration);
            continue;
        }
        result.push_back(declaration);
        for (const DeclContext* scope = declaration->getDeclContext(); scope; scope = scope->getParent())
            open.insert(scope->getPrimaryContext());
        llvm::erase_if(waiting, [&](const Decl* one) {
            const bool isReady = open.contains(namedNamespace(*one));
            if (isReady) result.push_back(one);
            return isReady;
        });
    }
    result.insert(result.end(), waiting.begin(), waiting.end());
    return result;
}

std::vector<const Decl*> inOrder(const Reached& reached, const ASTContext& context, const Includes& includes) {
    std::vector<const Decl*> sorted;
    for (const auto& [declaration, route] : reached.declarations) sorted.push_back(declaration);
    addUsingDirectives(*context.getTranslationUnitDecl(), reached, includes, sorted);
    const SourceManager& sources = context.getSourceManager();
    llvm::stable_sort(sorted, [&](const Decl* a, const Decl* b) {
        return sources.isBeforeInTranslationUnit(a->getBeginLoc(), b->getBeginLoc());
    });
    return afterTheirNamespaces(sorted, reached, includes);
}

}  // namespace foldwise
