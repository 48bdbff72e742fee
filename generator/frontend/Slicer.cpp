// generator/frontend/Slicer.cpp: the walk over references.
#include "Slicer.hpp"

#include "FindKernels.hpp"
#include "WrittenDeclarations.hpp"

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/RecursiveASTVisitor.h>

namespace foldwise {

using namespace clang;

/// Visits one function, class or variable of the user's and hands every reference in it to the slicer.
class Slicer::References : public RecursiveASTVisitor<References> {
  public:
    References(Slicer& slicer, const Route* route) : slicer_(slicer), route_(route) {}

    static bool shouldVisitImplicitCode() { return true; }

    bool TraverseDecl(Decl* declaration) {
        const bool outer = isTemplate_;
        if (const auto* context = dyn_cast_or_null<DeclContext>(declaration))
            isTemplate_ = context->isDependentContext();
        else if (declaration && isa<VarTemplateDecl>(declaration))
            isTemplate_ = true;
        const bool result = RecursiveASTVisitor::TraverseDecl(declaration);
        isTemplate_ = outer;
        return result;
    }
    bool TraverseLambdaExpr(LambdaExpr* e) {
        const bool outer = isTemplate_;
        isTemplate_ = e->getCallOperator()->isDependentContext();
        const bool result = RecursiveASTVisitor::TraverseLambdaExpr(e);
        isTemplate_ = outer;
        return result;
    }

    bool VisitDeclRefExpr(DeclRefExpr* e) {
        // Whether a template's text needs a constant's value alone is seen where it is instantiated.
        if (!isTemplate_ && !copied_.contains(e)) slicer_.useObject(*e, route_);
        slicer_.carryFoundBy(*e->getFoundDecl());
        return use(e->getDecl(), e->getLocation());
    }
    bool VisitOverloadExpr(OverloadExpr* e) {
        slicer_.unresolved_.push_back(e);
        return true;
    }
    bool VisitMemberExpr(MemberExpr* e) {
        const auto* method = dyn_cast<CXXMethodDecl>(e->getMemberDecl());
        if (method && method->isVirtual() && !e->hasQualifier()) return refuse(e->getMemberLoc(), "a virtual call");
        return use(e->getMemberDecl(), e->getMemberLoc());
    }
    bool VisitCXXConstructExpr(CXXConstructExpr* e) {
        if (e->getConstructor()->isCopyOrMoveConstructor() && e->getNumArgs() > 0)
            copied_.insert(e->getArg(0)->IgnoreParenImpCasts());
        return use(e->getConstructor(), e->getLocation());
    }
    bool VisitTypedefTypeLoc(TypedefTypeLoc type) { return use(type.getDecl(), type.getNameLoc()); }
    bool VisitTagTypeLoc(TagTypeLoc type) { return use(type.getDecl(), type.getNameLoc()); }
    bool VisitTemplateSpecializationTypeLoc(TemplateSpecializationTypeLoc type) {
        return useTemplate(type.getTypePtr()->getTemplateName(), type.getTemplateNameLoc());
    }
    bool VisitDeducedTemplateSpecializationTypeLoc(DeducedTemplateSpecializationTypeLoc type) {
        return useTemplate(type.getTypePtr()->getTemplateName(), type.getTemplateNameLoc());
    }
    bool VisitUsingTypeLoc(UsingTypeLoc type) {
        slicer_.carryFoundBy(*type.getDecl());
        return true;
    }
    bool VisitConceptReference(ConceptReference* reference) {
        slicer_.carryFoundBy(*reference->getFoundDecl());
        return use(reference->getNamedConcept(), reference->getConceptNameLoc());
    }
    bool TraverseNestedNameSpecifierLoc(NestedNameSpecifierLoc qualifier) {
        if (qualifier && qualifier.getNestedNameSpecifier().getKind() == NestedNameSpecifier::Kind::Namespace)
            slicer_.carryFoundBy(*qualifier.castAsNamespaceAndPrefix().Namespace);
        return RecursiveASTVisitor::TraverseNestedNameSpecifierLoc(qualifier);
    }

    bool VisitBinaryOperator(BinaryOperator* e) {
        if (e->getType()->isAnyComplexType()) return refuse(e->getOperatorLoc(), "arithmetic of _Complex numbers");
        // nvcc takes two numbers of which one is NaN for equal.
        if (e->getOpcode() == BO_Cmp && e->getLHS()->getType()->isFloatingType())
            return refuse(e->getOperatorLoc(), "<=> of floating-point numbers");
        return true;
    }

    bool VisitCXXNewExpr(CXXNewExpr* e) { return refuse(e->getBeginLoc(), "new"); }
    bool VisitCXXDeleteExpr(CXXDeleteExpr* e) { return refuse(e->getBeginLoc(), "delete"); }
    bool VisitCXXThrowExpr(CXXThrowExpr* e) { return refuse(e->getBeginLoc(), "throw"); }
    bool VisitCXXTryStmt(CXXTryStmt* s) { return refuse(s->getBeginLoc(), "a try block"); }
    bool VisitAsmStmt(AsmStmt* s) { return refuse(s->getAsmLoc(), "an asm statement"); }
    bool VisitCXXDynamicCastExpr(CXXDynamicCastExpr* e) { return refuse(e->getBeginLoc(), "dynamic_cast"); }
    bool VisitCXXTypeidExpr(CXXTypeidExpr* e) { return refuse(e->getBeginLoc(), "typeid"); }
    bool VisitVarDecl(VarDecl* variable) {
        const CXXRecordDecl* record = variable->getType()->getAsCXXRecordDecl();
        if (record && variable->isLocalVarDecl() && variable->needsDestruction(slicer_.context_))
            if (const CXXDestructorDecl* destructor = record->getDestructor()) use(destructor, variable->getLocation());
        if (variable->isStaticLocal() && !variable->isUsableInConstantExpressions(slicer_.context_))
            return refuse(variable->getBeginLoc(), "a static local variable that can change");
        return true;
    }

  private:
    bool use(const NamedDecl* declaration, SourceLocation at) {
        slicer_.use(*declaration, at, route_);
        return true;
    }
    bool useTemplate(TemplateName name, SourceLocation at) {
        if (const UsingShadowDecl* shadow = name.getAsUsingShadowDecl()) slicer_.carryFoundBy(*shadow);
        const TemplateDecl* named = name.getAsTemplateDecl();
        return !named || use(named, at);
    }
    bool refuse(SourceLocation at, llvm::StringRef what) {
        slicer_.complain(at, route_, Message::NotInDeviceCode, what);
        return true;
    }

    Slicer& slicer_;
    const Route* route_;
    bool isTemplate_ = false;
    std::set<const Expr*> copied_;
};

Slicer::Slicer(ASTContext& context, const SourceText& text, const Includes& includes, std::string root,
               SliceFor purpose)
    : context_(context), text_(text), includes_(includes), root_(std::move(root)), systemCalls_(context, includes),
      checks_(context, includes, systemCalls_), purpose_(purpose) {}

void Slicer::begin() {
    // Every kernel's bodies are walked anew, for what is its own; what several need is carried once all the same.
    traversed_.clear();
    kernels_.clear();
    library_.clear();
}

void Slicer::follow(const FunctionDecl& body, QualType asked) {
    traverse(body, nullptr);
    if (const FunctionDecl* pattern = body.getTemplateInstantiationPattern()) {
        traverse(*pattern, nullptr);  // for what only the text names, such as a branch of `if constexpr` not taken
        const FunctionTemplateDecl* generic = pattern->getDescribedFunctionTemplate();
        if (generic) traverse(*generic, nullptr);
    }
    carryUnresolved();
    checks_.check(body, asked);
}

void Slicer::followType(QualType type) {
    type = type.getNonReferenceType().getCanonicalType();
    const TagDecl* tag = type->getAsTagDecl();
    if (!tag) return;
    use(*tag, tag->getLocation(), nullptr);
    if (const auto* special = dyn_cast<ClassTemplateSpecializationDecl>(tag))
        for (const TemplateArgument& argument : special->getTemplateArgs().asArray())
            if (argument.getKind() == TemplateArgument::Type) followType(argument.getAsType());
}

void Slicer::traverse(const Decl& declaration, const Route* route) {
    if (!traversed_.insert(&declaration).second) return;
    References(*this, route).TraverseDecl(const_cast<Decl*>(&declaration));
}

void Slicer::complain(SourceLocation at, const Route* route, Message message, llvm::StringRef argument,
                      llvm::StringRef lacking) {
    if (purpose_ == SliceFor::Header) return;
    if (!complained_.insert(at).second) return;  // once, however many signatures reach it
    report(context_.getDiagnostics(), at, message) << argument;
    if (!lacking.empty()) report(context_.getDiagnostics(), at, Message::Lacks) << argument << lacking;
    for (; route; route = route->previous) report(context_.getDiagnostics(), route->call, Message::CalledFrom);
}

void Slicer::use(const NamedDecl& declaration, SourceLocation at, const Route* route) {
    const auto* builtin = dyn_cast<FunctionDecl>(&declaration);  // declared where it is first used
    const bool isSystems = (builtin && isCompilersOwn(*builtin)) || !includes_.isUsersCode(declaration.getLocation());
    if (isSystems) return useSystem(declaration, at, route);
    if (purpose_ == SliceFor::Header) {
        if (std::string directive = includes_.directiveInSpec(declaration.getLocation()); !directive.empty()) {
            directives_.insert(std::move(directive));
            return;
        }
    }
    if (const auto* function = dyn_cast<FunctionDecl>(&declaration)) return useFunction(*function, at, route);
    if (const auto* variable = dyn_cast<VarDecl>(&declaration)) return useVariable(*variable, at, route);
    if (!declaration.getDeclContext()->isFunctionOrMethod()) carry(declaration);
}

void Slicer::useFunction(const FunctionDecl& function, SourceLocation at, const Route* route) {
    if (const auto* method = dyn_cast<CXXMethodDecl>(&function); method && method->getParent()->isLambda()) {
        return traverse(function, route);  // its text is part of the function or constant that holds it
    }
    const FunctionDecl* written = function.getTemplateInstantiationPattern();
    if (!written) written = &function;
    const FunctionDecl* definition = nullptr;
    if (!written->isDefined(definition)) {
        if (function.isImplicit() || function.isDefaulted()) return carry(function);
        return complain(at, route, Message::FunctionWithoutBody, function.getQualifiedNameAsString());
    }
    // Before it is carried, which goes through it as well: the way here belongs to what is wrong in it.
    const auto* step = new (context_) Route{at, route};
    const FunctionDecl* instantiated = nullptr;
    if (function.isDefined(instantiated)) traverse(*instantiated, step);
    const FunctionTemplateDecl* primary = definition->getPrimaryTemplate();
    const FunctionDecl* templated = primary ? primary->getTemplatedDecl() : nullptr;
    for (const FunctionDecl* declared : definition->redecls()) {
        // An explicit specialization's first declaration is one that the template implied: the template stands there.
        const bool implied = templated && declared->getInnerLocStart() == templated->getInnerLocStart();
        carry(implied ? *templated : *declared);
    }
}

/// nvcc has no lambda objects in device memory.
static bool isLambda(const VarDecl& variable) {
    const CXXRecordDecl* record = variable.getType()->getAsCXXRecordDecl();
    return record && record->isLambda();
}

void Slicer::useVariable(const VarDecl& variable, SourceLocation at, const Route* route) {
    if (variable.isLocalVarDeclOrParm()) return;
    if (kernelType(variable)) return complain(at, route, Message::NotInDeviceCode, "a call of another kernel");
    if (isLambda(variable)) return complain(at, route, Message::NotInDeviceCode, "a lambda kept in a global variable");
    if (!variable.isUsableInConstantExpressions(context_))
        return complain(at, route, Message::MutableGlobal, variable.getQualifiedNameAsString());
    carry(variable);
}

void Slicer::useSystem(const NamedDecl& declaration, SourceLocation at, const Route* route) {
    const std::string name = declaration.getQualifiedNameAsString();
    if (const auto* function = dyn_cast<FunctionDecl>(&declaration)) {
        const SystemCalls::Verdict& verdict = systemCalls_.of(*function);
        if (!verdict.missing.empty())
            return complain(at, route, Message::NoDeviceFunction, name, verdict.missing == name ? "" : verdict.missing);
        note(*function, verdict.source);
        directives_.insert(verdict.headers.begin(), verdict.headers.end());
        for (const FunctionDecl* callback : verdict.usersCode) useCallback(*callback, at, route);
    } else if (const auto* variable = dyn_cast<VarDecl>(&declaration); variable && variable->hasGlobalStorage()) {
        if (!variable->isUsableInConstantExpressions(context_))
            return complain(at, route, Message::NoDeviceFunction, name);
    }
    if (std::string header = SystemCalls::headerOf(declaration); !header.empty() && purpose_ == SliceFor::Kernels)
        directives_.insert(std::move(header));
    for (const DeclContext* scope = declaration.getDeclContext(); scope; scope = scope->getParent())
        if (isa<NamespaceDecl>(scope)) systemScopes_.insert(scope->getPrimaryContext());
    if (std::string directive = includes_.directiveFor(declaration.getLocation()); !directive.empty())
        directives_.insert(std::move(directive));
}

/// Members are noted as their class; what the compiler wrote, and Foldwise's own words, as nothing.
void Slicer::note(const FunctionDecl& function, LibrarySource source) {
    if (function.isImplicit()) return;
    const auto* method = dyn_cast<CXXMethodDecl>(&function);
    std::string name = method ? plainName(*method->getParent()) : plainName(function);
    if (!llvm::StringRef(name).starts_with("foldwise::")) library_.try_emplace(std::move(name), source);
}

/// A library's functions are for host and device, and call only what is too: lambdas, and what the compiler writes.
void Slicer::useCallback(const FunctionDecl& function, SourceLocation at, const Route* route) {
    const auto* method = dyn_cast<CXXMethodDecl>(&function);
    const bool isLambdas = method && method->getParent()->isLambda();
    if (isLambdas || function.isImplicit() || function.isDefaulted()) return use(function, at, route);
    complain(at, route, Message::NotInDeviceCode,
             "a call of '" + function.getQualifiedNameAsString() +
                 "' by the standard library, other than through a lambda,");
}

/// nvcc has the values of a system header's constants, but no object to take the address of or bind a reference to.
void Slicer::useObject(const DeclRefExpr& reference, const Route* route) {
    const ValueDecl& object = *reference.getDecl();
    if (SystemCalls::needsObject(reference) && !includes_.isUsersCode(object.getLocation()))
        complain(reference.getLocation(), route, Message::NoDeviceFunction, object.getQualifiedNameAsString());
}

void Slicer::carry(const Decl& declaration) {
    const Decl* member = namespaceMember(written(declaration));
    if (!member) return;
    const std::vector<const Decl*> together = writtenTogether(*member);
    member = together.back();
    kernels_.insert(member);
    if (!llvm::is_contained(carried_, member)) {
        carried_.push_back(member);
        if (const auto* special = dyn_cast<ClassTemplateSpecializationDecl>(member))
            carry(*special->getSpecializedTemplate());
        // What names a type before it is complete needs its earlier declarations too.
        if (isa<TagDecl, ClassTemplateDecl>(member))
            for (const Decl* declared : member->redecls())
                if (const Decl* other = namespaceMember(*declared)) carryOnce(*other);
        if (const auto* classTemplate = dyn_cast<ClassTemplateDecl>(member)) carryGuides(*classTemplate);
    }
    for (const Decl* part : together) traverse(*part, nullptr);
}

void Slicer::carryOnce(const Decl& member) {
    if (!llvm::is_contained(carried_, &member)) carried_.push_back(&member);
}

/// What a name was found by, if not by itself: a using-declaration or a namespace alias.
void Slicer::carryFoundBy(const NamedDecl& found) {
    const Decl* via = nullptr;
    if (const auto* shadow = dyn_cast<UsingShadowDecl>(&found))
        via = shadow->getIntroducer();
    else if (const auto* alias = dyn_cast<NamespaceAliasDecl>(&found)) {
        via = alias;
        carryFoundBy(*alias->getAliasedNamespace());
    }
    if (!via || !via->getDeclContext()->isFileContext() || !includes_.isUsersCode(via->getLocation())) return;
    carryOnce(*via);
    traverse(*via, nullptr);
}

void Slicer::carryGuides(const ClassTemplateDecl& classTemplate) {
    const DeclContext& scope = *classTemplate.getDeclContext();
    const DeclarationName name =
        context_.DeclarationNames.getCXXDeductionGuideName(const_cast<ClassTemplateDecl*>(&classTemplate));
    for (const NamedDecl* guide : scope.lookup(name))
        if (!guide->isImplicit()) carryOnce(*guide);
}

}  // namespace foldwise
