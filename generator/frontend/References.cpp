// generator/frontend/References.cpp: walks over the text of a declaration.
#include "References.hpp"

#include "Callable.hpp"
#include "ConstantValues.hpp"
#include "LambdaVariables.hpp"
#include "Refusals.hpp"
#include "SystemCalls.hpp"

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

namespace {

/// Visits one function, class or variable of the user's and collects the references in it.
class ReferenceVisitor : public DynamicRecursiveASTVisitor {
  public:
    explicit ReferenceVisitor(const Includes& includes) : includes_(includes) { ShouldVisitImplicitCode = true; }

    std::vector<Reference> found;

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
        if (e->usesADL()) foundByArguments_.insert(e->getCallee()->IgnoreParenImpCasts());
        const auto* operation = dyn_cast<CXXOperatorCallExpr>(e);
        const bool isCall = operation && operation->getOperator() == OO_Call;
        const auto* reference = isCall ? dyn_cast<DeclRefExpr>(e->getArg(0)->IgnoreParenImpCasts()) : nullptr;
        const auto* holder = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
        if (isTemplate_ || !holder || !holder->isFileVarDecl() || !heldLambda(*holder)) return true;
        if (!forwardsAny(*holder)) return true;
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
        if (isLambda) add(reference::LambdaName{variable, isConstant_ || isConstexpr_, holder_});
        if (!isLambda && needsObject(*e) && !copied_.contains(e))
            add(reference::Object{e->getDecl(), e->getLocation()});
        if (isa<FunctionDecl>(e->getDecl())) add(reference::FunctionName{e});
        addFoundBy(*e->getFoundDecl());
        // In a template, the arguments of another instantiation may find the user's function of that name.
        if (!foundByArguments_.contains(e)) addUnqualified(*e->getFoundDecl(), e->getQualifierLoc(), e->getLocation());
        return use(e->getDecl(), e->getLocation());
    }
    bool VisitOverloadExpr(OverloadExpr* e) override { return add(reference::Unresolved{e}); }
    bool VisitMemberExpr(MemberExpr* e) override {
        const auto* method = dyn_cast<CXXMethodDecl>(e->getMemberDecl());
        // No function pointer can be had of the function object that stands for it.
        if (method && isa<CXXConversionDecl>(method) && method->getParent()->isLambda() &&
            method->getParent()->getDeclContext()->isFileContext())
            return refuse(e->getBeginLoc(), "a function pointer made of the lambda of a global variable");
        if (method && method->isVirtual() && !e->hasQualifier()) return refuse(e->getMemberLoc(), "a virtual call");
        if (isa<CXXDestructorDecl>(e->getMemberDecl()))
            if (const TypeSourceInfo* named = e->getMemberNameInfo().getNamedTypeInfo())
                destroyed_.insert(named->getTypeLoc().getBeginLoc());
        if (needsObject(*e) && !copied_.contains(e)) add(reference::Object{e->getMemberDecl(), e->getMemberLoc()});
        return use(e->getMemberDecl(), e->getMemberLoc());
    }
    bool VisitCXXConstructExpr(CXXConstructExpr* e) override {
        if (e->getConstructor()->isCopyOrMoveConstructor() && e->getNumArgs() > 0)
            copied_.insert(e->getArg(0)->IgnoreParenImpCasts());
        return use(e->getConstructor(), e->getLocation());
    }
    bool VisitTypedefTypeLoc(TypedefTypeLoc type) override {
        addUnqualified(*type.getDecl(), type.getQualifierLoc(), type.getNameLoc());
        return use(type.getDecl(), type.getNameLoc());
    }
    bool VisitTagTypeLoc(TagTypeLoc type) override {
        // Without arguments, a class template's name means the base class where one is an instance of it.
        if (!isa<ClassTemplateSpecializationDecl>(type.getDecl()))
            addUnqualified(*type.getDecl(), type.getQualifierLoc(), type.getNameLoc());
        return use(type.getDecl(), type.getNameLoc());
    }
    bool VisitTemplateSpecializationTypeLoc(TemplateSpecializationTypeLoc type) override {
        // The user's own specialization, of a library's template too.
        const auto* special = dyn_cast_or_null<ClassTemplateSpecializationDecl>(type.getType()->getAsCXXRecordDecl());
        if (special && special->isExplicitSpecialization()) use(special, type.getTemplateNameLoc());
        return useTemplate(type.getTypePtr()->getTemplateName(), type.getQualifierLoc(), type.getTemplateNameLoc());
    }
    bool VisitDeducedTemplateSpecializationTypeLoc(DeducedTemplateSpecializationTypeLoc type) override {
        return useTemplate(type.getTypePtr()->getTemplateName(), type.getQualifierLoc(), type.getTemplateNameLoc());
    }
    bool TraverseTemplateArgumentLoc(const TemplateArgumentLoc& argument) override {
        const bool isTemplate = argument.getArgument().getKind() == TemplateArgument::Template;
        const TemplateName name = isTemplate ? argument.getArgument().getAsTemplate() : TemplateName();
        if (isTemplate && name.getAsTemplateDecl() && !name.getAsUsingShadowDecl())
            addUnqualified(*name.getAsTemplateDecl(), argument.getTemplateQualifierLoc(),
                           argument.getTemplateNameLoc());
        return DynamicRecursiveASTVisitor::TraverseTemplateArgumentLoc(argument);
    }
    bool VisitUsingTypeLoc(UsingTypeLoc type) override {
        addFoundBy(*type.getDecl());
        return use(type.getDecl()->getTargetDecl(), type.getNameLoc());
    }
    bool VisitConceptReference(ConceptReference* reference) override {
        addFoundBy(*reference->getFoundDecl());
        addUnqualified(*reference->getFoundDecl(), reference->getNestedNameSpecifierLoc(),
                       reference->getConceptNameLoc());
        return use(reference->getNamedConcept(), reference->getConceptNameLoc());
    }
    bool TraverseNestedNameSpecifierLoc(NestedNameSpecifierLoc qualifier) override {
        const NestedNameSpecifier::Kind kind = qualifier.getNestedNameSpecifier().getKind();
        if (kind == NestedNameSpecifier::Kind::Namespace)
            addFoundBy(*qualifier.castAsNamespaceAndPrefix().Namespace);
        else if (kind == NestedNameSpecifier::Kind::Global)
            add(reference::GlobalScope{qualifier.getBeginLoc()});
        return DynamicRecursiveASTVisitor::TraverseNestedNameSpecifierLoc(qualifier);
    }

    bool VisitBinaryOperator(BinaryOperator* e) override {
        if (e->getType()->isAnyComplexType()) return refuse(e->getOperatorLoc(), "arithmetic of _Complex numbers");
        // nvcc takes two numbers of which one is NaN for equal.
        if (e->getOpcode() == BO_Cmp && e->getLHS()->getType()->isFloatingType())
            return refuse(e->getOperatorLoc(), comparisonOfFloats);
        return true;
    }

    bool VisitTypeTraitExpr(TypeTraitExpr* e) override {
        // In a template's text too: other compilers look it up when they read that.
        if (!isGccs(e->getTrait())) add(reference::ClangsTrait{e->getBeginLoc(), e->getTrait()});
        return true;
    }
    bool VisitCXXNewExpr(CXXNewExpr* e) override { return refuse(e->getBeginLoc(), "new"); }
    bool VisitCXXDeleteExpr(CXXDeleteExpr* e) override { return refuse(e->getBeginLoc(), "delete"); }
    // Nothing is said of the exception: without the throw it is gone, too.
    bool TraverseCXXThrowExpr(CXXThrowExpr* e) override { return refuse(e->getBeginLoc(), thrown); }
    bool VisitCXXTryStmt(CXXTryStmt* s) override { return refuse(s->getBeginLoc(), "a try block"); }
    bool VisitAsmStmt(AsmStmt* s) override { return refuse(s->getAsmLoc(), "an asm statement"); }
    bool VisitCXXDynamicCastExpr(CXXDynamicCastExpr* e) override { return refuse(e->getBeginLoc(), "dynamic_cast"); }
    bool VisitCXXTypeidExpr(CXXTypeidExpr* e) override { return refuse(e->getBeginLoc(), "typeid"); }
    bool VisitDecompositionDecl(DecompositionDecl* pack) override {
        const CXXRecordDecl* record = pack->getType().getNonReferenceType()->getAsCXXRecordDecl();
        const bool isTupleLike = record && llvm::any_of(pack->bindings(), [](const BindingDecl* binding) {
                                     return binding->getHoldingVar() != nullptr;
                                 });
        if (isTupleLike && includes_.isUsersCode(record->getLocation()))
            add(reference::Construct{pack->getLocation(), Message::ForeignNamespace, "std::tuple_size"});
        return true;
    }
    bool VisitVarDecl(VarDecl* variable) override {
        const CXXRecordDecl* record = variable->getType()->getAsCXXRecordDecl();
        if (record && variable->isLocalVarDecl() && variable->needsDestruction(variable->getASTContext()))
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
    template <class Walk> bool asConstraint(Walk walk) { return during(isConstraint_, walk); }
    template <class Walk> bool asConstant(Walk walk) { return during(isConstant_, walk); }
    template <class Walk> bool unevaluated(Walk walk) { return during(isUnevaluated_, walk); }
    /// Whether an expression needs a global variable to be an object in memory, not just its value. Of a template's
    /// text that is seen where it is instantiated.
    template <class Reference> bool needsObject(const Reference& reference) const {
        return !isTemplate_ && !isConstant_ && !isUnevaluated_ && SystemCalls::needsObject(reference);
    }
    template <class Kind> bool add(Kind kind) {
        found.push_back({std::move(kind), isConstraint_});
        return true;
    }
    void addFoundBy(const NamedDecl& declaration) {
        if (isa<UsingShadowDecl, NamespaceAliasDecl>(declaration)) add(reference::FoundBy{&declaration});
    }
    /// What a using-declaration has found is in the scope of that declaration, and stays unqualified.
    void addUnqualified(const NamedDecl& found, NestedNameSpecifierLoc qualifier, SourceLocation at) {
        const DeclContext& scope = *found.getDeclContext()->getRedeclContext();
        if (!qualifier && isa<NamespaceDecl>(scope) && !isa<UsingShadowDecl>(found) && !destroyed_.contains(at) &&
            includes_.isFoldwises(found.getLocation()))
            add(reference::Unqualified{&found, at});
    }
    bool use(const NamedDecl* declaration, SourceLocation at) {
        return isUnevaluated_ ? add(reference::Mention{declaration, at}) : add(reference::Use{declaration, at});
    }
    bool useTemplate(TemplateName name, NestedNameSpecifierLoc qualifier, SourceLocation at) {
        const UsingShadowDecl* shadow = name.getAsUsingShadowDecl();
        if (shadow) addFoundBy(*shadow);
        const TemplateDecl* named = name.getAsTemplateDecl();
        if (named && !shadow) addUnqualified(*named, qualifier, at);
        return !named || use(named, at);
    }
    bool refuse(SourceLocation at, llvm::StringLiteral what) {
        if (isTemplate_ || isUnevaluated_) return true;  // what is used of a template is seen where it is instantiated
        return add(reference::Construct{at, Message::NotInDeviceCode, what});
    }

    const Includes& includes_;
    bool isTemplate_ = false;                 // within the text of a template
    bool isConstant_ = false;                 // within what is computed while compiling
    bool isConstexpr_ = false;                // within a constexpr function
    bool isConstraint_ = false;               // within what decides between overloads
    bool isUnevaluated_ = false;              // within what is only looked at
    const VarDecl* holder_ = nullptr;         // the variable in whose lambda this is
    std::set<const Expr*> copied_;            // the arguments of copy and move constructors
    std::set<const Expr*> foundByArguments_;  // names of functions that were found in their arguments' namespaces
    std::set<SourceLocation> destroyed_;      // names of destructors behind their ~, which no namespace may precede
};

/// Collects what a function calls.
class CalleeVisitor : public DynamicRecursiveASTVisitor {
  public:
    CalleeVisitor() { ShouldVisitImplicitCode = true; }

    Callees found;

    bool VisitDeclRefExpr(DeclRefExpr* e) override { return add(e->getDecl()); }
    bool VisitMemberExpr(MemberExpr* e) override { return add(e->getMemberDecl()); }
    bool VisitCXXConstructExpr(CXXConstructExpr* e) override { return add(e->getConstructor()); }
    bool VisitLambdaExpr(LambdaExpr*) override { return found.hasLambda = true; }

  private:
    bool add(const ValueDecl* callee) {
        if (const auto* function = dyn_cast<FunctionDecl>(callee)) found.functions.push_back(function);
        return true;
    }
};

}  // namespace

std::vector<Reference> referencesIn(const Decl& declaration, const Includes& includes) {
    ReferenceVisitor visitor(includes);
    visitor.TraverseDecl(const_cast<Decl*>(&declaration));
    return std::move(visitor.found);
}

std::vector<Reference> referencesIn(const Expr& expression, const Includes& includes) {
    ReferenceVisitor visitor(includes);
    visitor.TraverseStmt(const_cast<Expr*>(&expression));
    return std::move(visitor.found);
}

Callees calleesOf(const FunctionDecl& function) {
    CalleeVisitor visitor;
    visitor.TraverseDecl(const_cast<FunctionDecl*>(&function));
    return std::move(visitor.found);
}

}  // namespace foldwise
