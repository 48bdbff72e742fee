// generator/frontend/LocalNames.hpp: finds the names that a lambda or an expression uses from the function around it.
#pragma once

#include <clang/AST/DeclCXX.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/TypeLoc.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace foldwise {

/// What an expression or a lambda names of the functions around it.
class LocalNames : public clang::DynamicRecursiveASTVisitor {
  public:
    /// `what` is in the functions, as messages call it.
    explicit LocalNames(std::string what = "the lambda") : what_(std::move(what)) {}

    /// Something other than a variable: a type, an enumerator, an argument of a template.
    struct Other {
        clang::SourceLocation place;
        std::string what;
    };

    /// The variables.
    std::vector<const clang::VarDecl*> found() const {
        std::vector<const clang::VarDecl*> outside;
        for (const clang::VarDecl* variable : named_)
            if (!declared_.contains(variable)) outside.push_back(variable);
        return outside;
    }
    /// The first of the others.
    std::optional<Other> other() const {
        for (const auto& [declaration, other] : others_)
            if (!declaration || !declared_.contains(declaration)) return other;
        return std::nullopt;
    }
    bool VisitDecl(clang::Decl* declaration) override {
        declared_.insert(declaration);
        return true;
    }
    /// Takes note of the names that need no qualifier because the functions around a lambda have using-directives.
    void openNamespacesAround(const clang::CXXRecordDecl& lambda);
    /// Takes note of the names that need no qualifier because a lambda has using-directives in it.
    void openNamespacesIn(const clang::CXXRecordDecl& lambda);
    bool VisitDeclRefExpr(clang::DeclRefExpr* e) override {
        addIfBroughtIn(*e->getFoundDecl(), e->getQualifierLoc(), e->getLocation());
        const auto* variable = clang::dyn_cast<clang::VarDecl>(e->getDecl());
        if (variable && variable->isLocalVarDeclOrParm() && !llvm::is_contained(named_, variable))
            named_.push_back(variable);
        return !clang::isa<clang::EnumConstantDecl>(e->getDecl()) ||
               addIfLocal(*e->getDecl(), e->getLocation(), "an enumerator");
    }
    bool VisitUsingTypeLoc(clang::UsingTypeLoc type) override {
        return addIfBroughtIn(*type.getDecl(), type.getQualifierLoc(), type.getNameLoc());
    }
    bool VisitTemplateSpecializationTypeLoc(clang::TemplateSpecializationTypeLoc type) override {
        const clang::TemplateDecl* named = type.getTypePtr()->getTemplateName().getAsTemplateDecl();
        return !named || addIfBroughtIn(*named, type.getQualifierLoc(), type.getTemplateNameLoc());
    }
    bool TraverseNestedNameSpecifierLoc(clang::NestedNameSpecifierLoc qualifier) override {
        if (qualifier.getNestedNameSpecifier().getKind() == clang::NestedNameSpecifier::Kind::Namespace)
            addIfLocal(*qualifier.castAsNamespaceAndPrefix().Namespace, qualifier.getBeginLoc(), "a namespace alias");
        return clang::DynamicRecursiveASTVisitor::TraverseNestedNameSpecifierLoc(qualifier);
    }
    bool VisitTagTypeLoc(clang::TagTypeLoc type) override {
        return addIfLocal(*type.getDecl(), type.getNameLoc(), "a type") &&
               addIfBroughtIn(*type.getDecl(), type.getQualifierLoc(), type.getNameLoc());
    }
    bool VisitTypedefTypeLoc(clang::TypedefTypeLoc type) override {
        return addIfLocal(*type.getDecl(), type.getNameLoc(), "a type") &&
               addIfBroughtIn(*type.getDecl(), type.getQualifierLoc(), type.getNameLoc());
    }
    bool VisitSubstTemplateTypeParmTypeLoc(clang::SubstTemplateTypeParmTypeLoc type) override {
        return add(nullptr, type.getNameLoc(), type.getTypePtr()->getReplacedParameter()->getNameAsString(),
                   "a template's parameter");
    }
    bool VisitSubstNonTypeTemplateParmExpr(clang::SubstNonTypeTemplateParmExpr* e) override {
        return add(nullptr, e->getNameLoc(), e->getParameter()->getNameAsString(), "a template's parameter");
    }

  private:
    bool addIfLocal(const clang::NamedDecl& declaration, clang::SourceLocation place, llvm::StringRef kind) {
        return !declaration.getParentFunctionOrMethod() ||
               add(&declaration, place, declaration.getNameAsString(), kind);
    }
    /// A name that is found only because the function says so.
    bool addIfBroughtIn(const clang::NamedDecl& found, clang::NestedNameSpecifierLoc qualifier,
                        clang::SourceLocation place) {
        if (qualifier) return true;
        const auto* shadow = clang::dyn_cast<clang::UsingShadowDecl>(&found);
        const bool isLocal = shadow && shadow->getDeclContext()->isFunctionOrMethod();
        if (!isLocal && !opened_.contains(found.getDeclContext()->getPrimaryContext())) return true;
        const clang::Decl* introducer = isLocal ? shadow->getIntroducer() : nullptr;
        return add(introducer, place, found.getNameAsString(), "a name that is known by 'using'");
    }
    bool add(const clang::Decl* declaration, clang::SourceLocation place, const std::string& name,
             llvm::StringRef kind) {
        others_.push_back(
            {declaration, {place, ("'" + name + "', " + kind + " of the function around " + what_ + ",").str()}});
        return true;
    }

    std::string what_;
    llvm::SmallPtrSet<const clang::DeclContext*, 2> opened_;
    std::vector<const clang::VarDecl*> named_;
    std::vector<std::pair<const clang::Decl*, Other>> others_;
    llvm::SmallPtrSet<const clang::Decl*, 8> declared_;
};

}  // namespace foldwise
