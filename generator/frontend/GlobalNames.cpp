// generator/frontend/GlobalNames.cpp: qualifies names so that they lead to the same declarations as in the spec.
#include "GlobalNames.hpp"

#include "SystemCalls.hpp"

namespace foldwise {

using namespace clang;

/// Whether the user's code has a function of this name in the global namespace, as a library may have as well.
bool GlobalNames::isUsersFunction(DeclarationName name) const {
    const TranslationUnitDecl& unit = *context_.getTranslationUnitDecl();
    const auto has = [&](const DeclContext* scope) {
        return scope && llvm::any_of(scope->lookup(name), [&](const NamedDecl* found) {
                   return found->getAsFunction() && includes_.isUsersCode(found->getLocation());
               });
    };
    return has(&unit) || has(unit.getAnonymousNamespace());
}

void GlobalNames::addUnqualified(const NamedDecl& declaration, SourceLocation at) {
    const std::string name = declaration.getNameAsString();
    // Implicit code refers to what its place does not spell, or spells behind a scope, as `using random::random` does.
    if (!declaration.getIdentifier() || text_.at(at) != name || text_.before(at) == "::") return;
    if (const auto called = calls_.find(at); called != calls_.end() && called->second.users) return;
    const std::string qualified = plainName(declaration);
    foldwises_[at] = qualified.substr(0, qualified.size() - name.size());
}

/// The user's code is carried into a namespace, and `::` has to lead there, unless it leads to a library.
void GlobalNames::addScope(SourceLocation colons) {
    const auto found = context_.getTranslationUnitDecl()->lookup(&context_.Idents.get(text_.after(colons)));
    const auto isUsers = [&](const NamedDecl* d) {
        return includes_.isUsersCode(d->getCanonicalDecl()->getLocation());
    };
    if (found.empty() || llvm::any_of(found, isUsers)) users_[colons] = "::FOLDWISE_BACKEND";
}

/// The user's global functions would hide a library's of the same name, such as abs, in the namespace of kernels: calls
/// of the library's name its namespace. A template that sometimes calls the one, sometimes the other, needs a
/// using-declaration; for the global namespace that would make calls ambiguous, since CUDA adds overloads to it.
std::optional<Refused> GlobalNames::addFunction(const DeclRefExpr& reference) {
    const auto* function = dyn_cast<FunctionDecl>(reference.getDecl());
    if (!function || !function->getIdentifier() || isCompilersOwn(*function)) return std::nullopt;
    if (!function->getDeclContext()->getRedeclContext()->isFileContext() || function->getFriendObjectKind())
        return std::nullopt;
    const NestedNameSpecifierLoc qualifier = reference.getQualifierLoc();
    const bool isGlobal =
        qualifier && qualifier.getNestedNameSpecifier().getKind() == NestedNameSpecifier::Kind::Global;
    if ((qualifier && !isGlobal) || !isUsersFunction(function->getDeclName())) return std::nullopt;

    Called& called = calls_[reference.getLocation()];
    (includes_.isUsersCode(function->getLocation()) ? called.users : called.library) = function;
    if (!called.library) return std::nullopt;
    const std::string name = function->getNameAsString();
    const SourceLocation begin = isGlobal ? qualifier.getBeginLoc() : reference.getLocation();
    if (called.users) {
        libraries_.erase(begin);
        foldwises_.erase(reference.getLocation());
        if (called.library->getDeclContext()->getRedeclContext()->isTranslationUnit())
            return Refused{Message::NotInDeviceCode,
                           "a call of the C library's '" + name + "' where a template also calls yours"};
        usingDeclarations_.try_emplace(name, called.library);
    } else {
        const std::string scope = "::" + plainName(*function);
        libraries_[begin] = isGlobal ? "" : scope.substr(0, scope.size() - name.size());
    }
    return std::nullopt;
}

llvm::DenseMap<SourceLocation, std::string> GlobalNames::insertions() const {
    llvm::DenseMap<SourceLocation, std::string> all = foldwises_;
    for (const auto& [begin, scope] : users_) all[begin] = scope;
    for (const auto& [begin, scope] : libraries_) all[begin] = scope;
    return all;
}

}  // namespace foldwise
