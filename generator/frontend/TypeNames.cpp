// generator/frontend/TypeNames.cpp: names operands' types in emitted code: by the user's own names, where possible.
#include "Lowering.hpp"

#include "../model/NameChoice.hpp"
#include "Names.hpp"
#include "Spelling.hpp"
#include "Types.hpp"

#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/TypeLoc.h>

namespace foldwise {

using namespace clang;

namespace {

/// The type arguments of a kernel's declaration, as they are written: its signatures.
std::vector<TypeLoc> signaturesOf(const VarDecl& kernel) {
    const CallExpr* call = kernelCall(kernel);
    const auto* callee = call ? dyn_cast<DeclRefExpr>(call->getCallee()->IgnoreParenImpCasts()) : nullptr;
    std::vector<TypeLoc> signatures;
    if (!callee) return signatures;
    for (const TemplateArgumentLoc& argument : callee->template_arguments())
        if (argument.getArgument().getKind() == TemplateArgument::Type)
            signatures.push_back(argument.getTypeSourceInfo()->getTypeLoc());
    return signatures;
}

/// Whether a type is computed from functions or variables, which no header of kernels has: `decltype(f(1))`.
class ComputedTypes : public DynamicRecursiveASTVisitor {
  public:
    bool found = false;

    bool VisitDecltypeTypeLoc(DecltypeTypeLoc) override { return !(found = true); }
    bool VisitTypeOfExprTypeLoc(TypeOfExprTypeLoc) override { return !(found = true); }
    bool VisitDeclRefExpr(DeclRefExpr* e) override {
        found |= isa<FunctionDecl, VarDecl>(e->getDecl());
        return !found;
    }
    bool VisitOverloadExpr(OverloadExpr*) override { return !(found = true); }
    bool VisitTypedefTypeLoc(TypedefTypeLoc type) override { return lookInto(type.getDecl()); }
    bool VisitTemplateSpecializationTypeLoc(TemplateSpecializationTypeLoc type) override {
        const TemplateDecl* named = type.getTypePtr()->getTemplateName().getAsTemplateDecl();
        return !type.getTypePtr()->isTypeAlias() || !named || lookInto(named->getTemplatedDecl());
    }
    bool lookInto(NamedDecl* alias) {
        const auto* name = dyn_cast<TypedefNameDecl>(alias);
        const bool isUsers = name && !context_.getSourceManager().isInSystemHeader(name->getLocation());
        return !isUsers || TraverseTypeLoc(name->getTypeSourceInfo()->getTypeLoc());
    }
    explicit ComputedTypes(const ASTContext& context) : context_(context) {}

  private:
    const ASTContext& context_;
};

bool isComputed(const NamedDecl& alias) {
    ComputedTypes types(alias.getASTContext());
    const auto* generic = dyn_cast<TypeAliasTemplateDecl>(&alias);
    types.lookInto(generic ? generic->getTemplatedDecl() : const_cast<NamedDecl*>(&alias));
    return types.found;
}

class Aliases : public DynamicRecursiveASTVisitor {
  public:
    std::vector<const NamedDecl*> found;

    bool VisitTypedefTypeLoc(TypedefTypeLoc type) override { return add(type.getDecl()); }
    bool VisitUsingTypeLoc(UsingTypeLoc type) override {
        return add(dyn_cast<TypedefNameDecl>(type.getDecl()->getTargetDecl()));
    }
    bool VisitTemplateSpecializationTypeLoc(TemplateSpecializationTypeLoc type) override {
        return add(type.getTypePtr()->isTypeAlias() ? type.getTypePtr()->getTemplateName().getAsTemplateDecl()
                                                    : nullptr);
    }

  private:
    bool add(const NamedDecl* alias) {
        if (alias && !alias->getParentFunctionOrMethod()) found.push_back(alias);
        return true;
    }
};

}  // namespace

QualType Lowering::writtenSignature(std::size_t number) const {
    const std::vector<TypeLoc> signatures = signaturesOf(variable_);
    if (number >= signatures.size()) return {};
    followAliases(signatures[number]);
    return signatures[number].getType();
}

void Lowering::followAliases(TypeLoc type) const {
    Aliases aliases;
    aliases.TraverseTypeLoc(type);
    for (const NamedDecl* alias : aliases.found) {
        if (isComputed(*alias)) continue;
        slicer_.followAlias(*alias);
        header_.followAlias(*alias);
    }
}

void Lowering::addAlias(ElementType& element, QualType written) const {
    const NamedDecl* alias = aliasOf(written);
    if (!alias || !slicer_.isUsersCode(alias->getLocation()) || alias->getParentFunctionOrMethod()) return;
    if (isComputed(*alias) || isHiding(firstName(*alias))) return;
    const AccessSpecifier access = alias->getAccess();
    if (access == AS_private || access == AS_protected || isHidden(*alias, variable_)) return;
    // Nobody has written one that a template's instantiation goes by.
    for (const DeclContext* scope = alias->getDeclContext(); scope; scope = scope->getParent())
        if (isa<ClassTemplateSpecializationDecl>(scope)) return;
    slicer_.followAlias(*alias);
    header_.followAlias(*alias);
    element.alias = spelling(written.getNonReferenceType(), context_);
}

void Lowering::beginSignature(const FunctionDecl* body, const std::vector<std::string>& outputs) {
    operandNames_ = {name(), "out", "out_pack"};
    for (const std::string& output : outputs) operandNames_.insert({output, output + "_pack"});
    if (!body) operandNames_.insert({"x", "x_pack"});
    if (body)
        for (const ParmVarDecl* parameter : body->parameters())
            operandNames_.insert({parameter->getNameAsString(), parameter->getNameAsString() + "_pack"});
}

bool Lowering::isHiding(llvm::StringRef name) const {
    return operandNames_.count(name.str()) > 0 || templateWords(pattern_).besideTypes.contains(name.str());
}

bool Lowering::nameApart(ElementType& element, QualType type) const {
    for (const TagDecl* tag : globalTags(type)) {
        if (templateWords(pattern_).types.contains(tag->getName().str())) {
            complain(tag->getLocation(), Message::ReservedName) << tag->getName();
            return false;
        }
        // Declarations of kernels stand beside the class, where `struct` is not written.
        if (tag->getName() == name() && variable_.getDeclContext()->getRedeclContext()->isTranslationUnit()) {
            complain(variable_.getLocation(), Message::HiddenName) << name() << name() << name();
            return false;
        }
        if (element.alias.empty() && isHiding(tag->getName())) element.alias = spellingWithKeywords(type, context_);
    }
    return true;
}

}  // namespace foldwise
