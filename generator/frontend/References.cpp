// generator/frontend/References.cpp: the slicer's walk over what functions, classes and variables refer to.
#include "Slicer.hpp"

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>

#include <utility>

namespace foldwise {

using namespace clang;

/// Whether GCC 12 and nvcc have a type trait too, by the name that Clang has it by.
static bool isGccs(TypeTrait trait) {
    static constexpr llvm::StringLiteral names[] = {"__has_nothrow_assign",
                                                    "__has_nothrow_constructor",
                                                    "__has_nothrow_copy",
                                                    "__has_trivial_assign",
                                                    "__has_trivial_constructor",
                                                    "__has_trivial_copy",
                                                    "__has_trivial_destructor",
                                                    "__has_unique_object_representations",
                                                    "__has_virtual_destructor",
                                                    "__is_abstract",
                                                    "__is_aggregate",
                                                    "__is_assignable",
                                                    "__is_base_of",
                                                    "__is_class",
                                                    "__is_constructible",
                                                    "__is_empty",
                                                    "__is_enum",
                                                    "__is_final",
                                                    "__is_nothrow_assignable",
                                                    "__is_nothrow_constructible",
                                                    "__is_pod",
                                                    "__is_polymorphic",
                                                    "__is_same",
                                                    "__is_standard_layout",
                                                    "__is_trivial",
                                                    "__is_trivially_assignable",
                                                    "__is_trivially_constructible",
                                                    "__is_trivially_copyable",
                                                    "__is_union"};
    return llvm::is_contained(names, llvm::StringRef(getTraitSpelling(trait)));
}

/// Visits one function, class or variable of the user's and hands every reference in it to the slicer.
class Slicer::References : public DynamicRecursiveASTVisitor {
  public:
    References(Slicer& slicer, const Route* route) : slicer_(slicer), route_(route) { ShouldVisitImplicitCode = true; }

    bool TraverseDecl(Decl* declaration) override {
        const bool outer = isTemplate_, outerConstexpr = isConstexpr_;
        if (const auto* context = dyn_cast_or_null<DeclContext>(declaration))
            isTemplate_ = context->isDependentContext();
        else if (declaration && isa<VarTemplateDecl>(declaration))
            isTemplate_ = true;
        if (const auto* function = dyn_cast_or_null<FunctionDecl>(declaration)) isConstexpr_ = isConstexpr(*function);
        const bool result = traverseConstraints(declaration) && DynamicRecursiveASTVisitor::TraverseDecl(declaration);
        isTemplate_ = outer;
        isConstexpr_ = outerConstexpr;
        return result;
    }
    bool TraverseConceptDecl(ConceptDecl* d) override {
        return asConstraint([&] { return DynamicRecursiveASTVisitor::TraverseConceptDecl(d); });
    }
    bool TraverseInitListExpr(InitListExpr* e) override {
        // As it is written, it does not say which constants it takes the values of.
        InitListExpr* meant = e->isSemanticForm() ? e : e->getSemanticForm();
        InitListExpr* written = e->isSemanticForm() ? e->getSyntacticForm() : e;
        return asConstant([&] { return traverseElements(written); }) && traverseElements(meant ? meant : written);
    }
    // What is computed while compiling needs no object.
    bool TraverseConstantExpr(ConstantExpr* e) override {
        return asConstant([&] { return DynamicRecursiveASTVisitor::TraverseConstantExpr(e); });
    }
    // What is only looked at need not exist in device code, nor have a body.
    bool TraverseDecltypeTypeLoc(DecltypeTypeLoc type, bool withQualifier) override {
        return unevaluated([&] { return DynamicRecursiveASTVisitor::TraverseDecltypeTypeLoc(type, withQualifier); });
    }
    bool TraverseUnaryExprOrTypeTraitExpr(UnaryExprOrTypeTraitExpr* e) override {
        return unevaluated([&] { return DynamicRecursiveASTVisitor::TraverseUnaryExprOrTypeTraitExpr(e); });
    }
    bool TraverseCXXNoexceptExpr(CXXNoexceptExpr* e) override {
        return unevaluated([&] { return DynamicRecursiveASTVisitor::TraverseCXXNoexceptExpr(e); });
    }
    bool TraverseStaticAssertDecl(StaticAssertDecl* d) override {
        return asConstant([&] { return DynamicRecursiveASTVisitor::TraverseStaticAssertDecl(d); });
    }
    bool TraverseVarDecl(VarDecl* d) override {
        const VarDecl* outer = holder_;
        const bool isHolder = heldLambda(*d) != nullptr;
        if (isHolder) holder_ = d;
        const bool isMade = d->isConstexpr() && !isHolder;  // a lambda's body runs where it is called
        const bool result = isMade ? asConstant([&] { return DynamicRecursiveASTVisitor::TraverseVarDecl(d); })
                                   : DynamicRecursiveASTVisitor::TraverseVarDecl(d);
        holder_ = outer;
        return result;
    }
    bool TraverseLambdaExpr(LambdaExpr* e) override {
        const bool outer = isTemplate_;
        isTemplate_ = e->getCallOperator()->isDependentContext();
        const bool result = DynamicRecursiveASTVisitor::TraverseLambdaExpr(e);
        isTemplate_ = outer;
        return result;
    }

    bool VisitCallExpr(CallExpr* e) override {
        const auto* operation = dyn_cast<CXXOperatorCallExpr>(e);
        const bool isCall = operation && operation->getOperator() == OO_Call;
        const auto* reference = isCall ? dyn_cast<DeclRefExpr>(e->getArg(0)->IgnoreParenImpCasts()) : nullptr;
        const auto* holder = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
        if (isTemplate_ || !holder || !holder->isFileVarDecl() || !heldLambda(*holder)) return true;
        if (!slicer_.forwardsAny(*holder)) return true;
        for (const Expr* argument : llvm::drop_begin(e->arguments()))
            if (isa<InitListExpr>(argument->IgnoreImplicit()))
                return refuse(argument->getBeginLoc(),
                              "a list in braces as an argument of a generic lambda with captures of a class");
        return true;
    }
    bool VisitDeclRefExpr(DeclRefExpr* e) override {
        const auto* variable = dyn_cast<VarDecl>(e->getDecl());
        const CXXRecordDecl* type = variable ? variable->getType()->getAsCXXRecordDecl() : nullptr;
        const bool isLambda = type && type->isLambda() && variable->isFileVarDecl();
        if (isLambda && (isConstant_ || isConstexpr_)) slicer_.constexprLambdas_.insert(variable);
        if (isLambda && holder_) slicer_.lambdaUses_[holder_].insert(variable);
        if (!isLambda && needsObject(*e) && !copied_.contains(e))
            slicer_.useObject(*e->getDecl(), e->getLocation(), route_);
        slicer_.useGlobalFunction(*e, route_);
        slicer_.carryFoundBy(*e->getFoundDecl());
        return use(e->getDecl(), e->getLocation());
    }
    bool VisitOverloadExpr(OverloadExpr* e) override {
        slicer_.unresolved_.emplace_back(e, slicer_.isConstraint_);
        return true;
    }
    bool VisitMemberExpr(MemberExpr* e) override {
        const auto* method = dyn_cast<CXXMethodDecl>(e->getMemberDecl());
        // No function pointer can be had of the function object that stands for it.
        if (method && isa<CXXConversionDecl>(method) && method->getParent()->isLambda() &&
            method->getParent()->getDeclContext()->isFileContext())
            return refuse(e->getBeginLoc(), "a function pointer made of the lambda of a global variable");
        if (method && method->isVirtual() && !e->hasQualifier()) return refuse(e->getMemberLoc(), "a virtual call");
        if (needsObject(*e) && !copied_.contains(e)) slicer_.useObject(*e->getMemberDecl(), e->getMemberLoc(), route_);
        return use(e->getMemberDecl(), e->getMemberLoc());
    }
    bool VisitCXXConstructExpr(CXXConstructExpr* e) override {
        if (e->getConstructor()->isCopyOrMoveConstructor() && e->getNumArgs() > 0)
            copied_.insert(e->getArg(0)->IgnoreParenImpCasts());
        return use(e->getConstructor(), e->getLocation());
    }
    bool VisitTypedefTypeLoc(TypedefTypeLoc type) override { return use(type.getDecl(), type.getNameLoc()); }
    bool VisitTagTypeLoc(TagTypeLoc type) override { return use(type.getDecl(), type.getNameLoc()); }
    bool VisitTemplateSpecializationTypeLoc(TemplateSpecializationTypeLoc type) override {
        // The user's own specialization, of a library's template too.
        const auto* special = dyn_cast_or_null<ClassTemplateSpecializationDecl>(type.getType()->getAsCXXRecordDecl());
        if (special && special->isExplicitSpecialization()) use(special, type.getTemplateNameLoc());
        return useTemplate(type.getTypePtr()->getTemplateName(), type.getTemplateNameLoc());
    }
    bool VisitDeducedTemplateSpecializationTypeLoc(DeducedTemplateSpecializationTypeLoc type) override {
        return useTemplate(type.getTypePtr()->getTemplateName(), type.getTemplateNameLoc());
    }
    bool VisitUsingTypeLoc(UsingTypeLoc type) override {
        slicer_.carryFoundBy(*type.getDecl());
        return use(type.getDecl()->getTargetDecl(), type.getNameLoc());
    }
    bool VisitConceptReference(ConceptReference* reference) override {
        slicer_.carryFoundBy(*reference->getFoundDecl());
        return use(reference->getNamedConcept(), reference->getConceptNameLoc());
    }
    bool TraverseNestedNameSpecifierLoc(NestedNameSpecifierLoc qualifier) override {
        const NestedNameSpecifier::Kind kind = qualifier.getNestedNameSpecifier().getKind();
        if (kind == NestedNameSpecifier::Kind::Namespace)
            slicer_.carryFoundBy(*qualifier.castAsNamespaceAndPrefix().Namespace);
        else if (kind == NestedNameSpecifier::Kind::Global)
            slicer_.useGlobalScope(qualifier.getBeginLoc());
        return DynamicRecursiveASTVisitor::TraverseNestedNameSpecifierLoc(qualifier);
    }

    bool VisitBinaryOperator(BinaryOperator* e) override {
        if (e->getType()->isAnyComplexType()) return refuse(e->getOperatorLoc(), "arithmetic of _Complex numbers");
        // nvcc takes two numbers of which one is NaN for equal.
        if (e->getOpcode() == BO_Cmp && e->getLHS()->getType()->isFloatingType())
            return refuse(e->getOperatorLoc(), "<=> of floating-point numbers");
        return true;
    }

    bool VisitTypeTraitExpr(TypeTraitExpr* e) override {
        // In a template's text too: other compilers look it up when they read that.
        if (!isGccs(e->getTrait()))
            slicer_.complain(e->getBeginLoc(), route_, Message::NotInDeviceCode,
                             "'" + std::string(getTraitSpelling(e->getTrait())) + "', which only Clang has,");
        return true;
    }
    bool VisitCXXNewExpr(CXXNewExpr* e) override { return refuse(e->getBeginLoc(), "new"); }
    bool VisitCXXDeleteExpr(CXXDeleteExpr* e) override { return refuse(e->getBeginLoc(), "delete"); }
    bool VisitCXXThrowExpr(CXXThrowExpr* e) override { return refuse(e->getBeginLoc(), "throw"); }
    bool VisitCXXTryStmt(CXXTryStmt* s) override { return refuse(s->getBeginLoc(), "a try block"); }
    bool VisitAsmStmt(AsmStmt* s) override { return refuse(s->getAsmLoc(), "an asm statement"); }
    bool VisitCXXDynamicCastExpr(CXXDynamicCastExpr* e) override { return refuse(e->getBeginLoc(), "dynamic_cast"); }
    bool VisitCXXTypeidExpr(CXXTypeidExpr* e) override { return refuse(e->getBeginLoc(), "typeid"); }
    bool VisitDecompositionDecl(DecompositionDecl* pack) override {
        const CXXRecordDecl* record = pack->getType().getNonReferenceType()->getAsCXXRecordDecl();
        const bool isTupleLike = record && llvm::any_of(pack->bindings(), [](const BindingDecl* binding) {
                                     return binding->getHoldingVar() != nullptr;
                                 });
        if (isTupleLike && slicer_.includes_.isUsersCode(record->getLocation()))
            slicer_.complain(pack->getLocation(), route_, Message::ForeignNamespace, "std::tuple_size");
        return true;
    }
    bool VisitVarDecl(VarDecl* variable) override {
        const CXXRecordDecl* record = variable->getType()->getAsCXXRecordDecl();
        if (record && variable->isLocalVarDecl() && variable->needsDestruction(slicer_.context_))
            if (const CXXDestructorDecl* destructor = record->getDestructor()) use(destructor, variable->getLocation());
        if (variable->isStaticLocal() && !isConstant(*variable))
            return refuse(variable->getBeginLoc(), "a static local variable that can change");
        return true;
    }

  private:
    /// Whether a function may be called where constants are made, as far as its declaration says. Lambdas of kernels
    /// are, but become functions that are not.
    static bool isConstexpr(const FunctionDecl& function) {
        const auto* method = dyn_cast<CXXMethodDecl>(&function);
        return function.isConstexpr() && !(method && method->getParent()->isLambda());
    }
    bool traverseElements(InitListExpr* list) {
        return !list || llvm::all_of(list->children(), [&](Stmt* element) { return TraverseStmt(element); });
    }
    template <class Walk> bool during(bool& state, Walk walk) {
        const bool outer = std::exchange(state, true);
        const bool result = walk();
        state = outer;
        return result;
    }
    /// What a template has before its body: with it the compiler chooses, and no instantiation shows what it asked for.
    bool traverseConstraints(Decl* declaration) {
        const auto* generic = dyn_cast_or_null<TemplateDecl>(declaration);
        const auto* function = generic ? dyn_cast_or_null<FunctionDecl>(generic->getTemplatedDecl()) : nullptr;
        if (!generic || isa<ConceptDecl>(generic)) return true;
        return asConstraint([&] {
            for (NamedDecl* parameter : *generic->getTemplateParameters())
                if (!TraverseDecl(parameter)) return false;
            if (Expr* required = generic->getTemplateParameters()->getRequiresClause())
                if (!TraverseStmt(required)) return false;
            if (!function) return true;
            if (const Expr* required = function->getTrailingRequiresClause().ConstraintExpr)
                if (!TraverseStmt(const_cast<Expr*>(required))) return false;
            const TypeSourceInfo* type = function->getTypeSourceInfo();
            return !type || TraverseTypeLoc(type->getTypeLoc());
        });
    }
    template <class Walk> bool asConstraint(Walk walk) { return during(slicer_.isConstraint_, walk); }
    template <class Walk> bool asConstant(Walk walk) { return during(isConstant_, walk); }
    template <class Walk> bool unevaluated(Walk walk) { return during(isUnevaluated_, walk); }
    /// Whether an expression needs a global variable to be an object in memory, not just its value. Of a template's
    /// text that is seen where it is instantiated.
    template <class Reference> bool needsObject(const Reference& reference) const {
        return !isTemplate_ && !isConstant_ && !isUnevaluated_ && SystemCalls::needsObject(reference);
    }
    bool use(const NamedDecl* declaration, SourceLocation at) {
        if (isUnevaluated_)
            slicer_.mention(*declaration, at, route_);
        else
            slicer_.use(*declaration, at, route_);
        return true;
    }
    bool useTemplate(TemplateName name, SourceLocation at) {
        if (const UsingShadowDecl* shadow = name.getAsUsingShadowDecl()) slicer_.carryFoundBy(*shadow);
        const TemplateDecl* named = name.getAsTemplateDecl();
        return !named || use(named, at);
    }
    bool refuse(SourceLocation at, llvm::StringRef what) {
        if (isTemplate_ || isUnevaluated_) return true;  // what is used of a template is seen where it is instantiated
        slicer_.complain(at, route_, Message::NotInDeviceCode, what);
        return true;
    }

    Slicer& slicer_;
    const Route* route_;
    bool isTemplate_ = false;
    bool isConstant_ = false;
    bool isUnevaluated_ = false;
    bool isConstexpr_ = false;         // within a constexpr function
    const VarDecl* holder_ = nullptr;  // the variable whose lambda this is
    std::set<const Expr*> copied_;
};

void Slicer::followExpression(const Expr& expression) {
    References(*this, nullptr).TraverseStmt(const_cast<Expr*>(&expression));
    carryUnresolved();
}

void Slicer::traverse(const Decl& declaration, const Route* route) {
    if (!(isConstraint_ ? asked_ : traversed_).insert(&declaration).second) return;
    const Descent descent(nestings_, declaration, depth_);
    if (!descent.hasRoom())  // without the way here, which is as long
        return complain(descent.nesting().deepest, nullptr, Message::TooDeep,
                        std::to_string(depth_) + " levels with the functions that lead here, and there is room for " +
                            std::to_string(mostLevels));
    References(*this, route).TraverseDecl(const_cast<Decl*>(&declaration));
}

}  // namespace foldwise
