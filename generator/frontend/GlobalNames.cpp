// generator/frontend/GlobalNames.cpp: the slicer's names of the global namespace, which the user and libraries share.
#include "Slicer.hpp"

namespace foldwise {

using namespace clang;

/// Whether the user's code has a function of this name in the global namespace, as a library may have as well.
bool Slicer::isUsersGlobalFunction(DeclarationName name) const {
    const TranslationUnitDecl& unit = *context_.getTranslationUnitDecl();
    const auto has = [&](const DeclContext* scope) {
        return scope && llvm::any_of(scope->lookup(name), [&](const NamedDecl* found) {
                   return found->getAsFunction() && includes_.isUsersCode(found->getLocation());
               });
    };
    return has(&unit) || has(unit.getAnonymousNamespace());
}

/// The user's code is carried into a namespace, and `::` has to go there too: unless it leads to a library.
void Slicer::useGlobalScope(SourceLocation colons) {
    const auto found = context_.getTranslationUnitDecl()->lookup(&context_.Idents.get(text_.after(colons)));
    const auto isUsers = [&](const NamedDecl* d) {
        return includes_.isUsersCode(d->getCanonicalDecl()->getLocation());
    };
    if (found.empty() || llvm::any_of(found, isUsers)) roots_[colons] = "::FOLDWISE_BACKEND";
}

/// The user's global functions would hide a library's of the same name there, such as abs: its calls name its
/// namespace. A template that calls now the one, now the other, needs a using-declaration, which for the global
/// namespace would make calls ambiguous: CUDA adds overloads to it.
void Slicer::useGlobalFunction(const DeclRefExpr& reference, const Route* route) {
    const auto* function = dyn_cast<FunctionDecl>(reference.getDecl());
    if (!function || !function->getIdentifier() || isCompilersOwn(*function)) return;
    if (!function->getDeclContext()->getRedeclContext()->isFileContext() || function->getFriendObjectKind()) return;
    const NestedNameSpecifierLoc qualifier = reference.getQualifierLoc();
    const bool isGlobal =
        qualifier && qualifier.getNestedNameSpecifier().getKind() == NestedNameSpecifier::Kind::Global;
    if ((qualifier && !isGlobal) || !isUsersGlobalFunction(function->getDeclName())) return;

    Called& called = globalCalls_[reference.getLocation()];
    (includes_.isUsersCode(function->getLocation()) ? called.users : called.library) = function;
    if (!called.library) return;
    const std::string name = function->getNameAsString();
    const SourceLocation begin = isGlobal ? qualifier.getBeginLoc() : reference.getLocation();
    if (called.users) {
        librarys_.erase(begin);
        if (called.library->getDeclContext()->getRedeclContext()->isTranslationUnit())
            return complain(reference.getLocation(), route, Message::NotInDeviceCode,
                            "a call of the C library's '" + name + "' where a template also calls yours");
        usedFromLibrary_.try_emplace(name, called.library);
    } else {
        const std::string scope = "::" + plainName(*function);
        librarys_[begin] = isGlobal ? "" : scope.substr(0, scope.size() - name.size());
    }
}

/// Where a template calls the user's global function and a library's by one name, both have to be found.
void Slicer::addUsingDeclarations(std::vector<Declaration>& declarations) const {
    for (const auto& [name, function] : usedFromLibrary_) {
        Declaration declaration;
        declaration.name = name;
        declaration.place = placeOf(function->getLocation());
        declaration.text = "using ::" + plainName(*function) + ";";
        declarations.push_back(std::move(declaration));
    }
}

}  // namespace foldwise
