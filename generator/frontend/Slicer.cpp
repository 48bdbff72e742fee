// generator/frontend/Slicer.cpp: the walk over references.
#include "Slicer.hpp"

#include "FindKernels.hpp"
#include "Names.hpp"
#include "WrittenDeclarations.hpp"

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/RecursiveASTVisitor.h>

#include <utility>

namespace foldwise {

using namespace clang;

static bool isConstant(const VarDecl& variable);

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
    bool TraverseInitListExpr(InitListExpr* e) {
        // As it is written, it does not say which constants it takes the values of.
        InitListExpr* meant = e->isSemanticForm() ? e : e->getSemanticForm();
        InitListExpr* written = e->isSemanticForm() ? e->getSyntacticForm() : e;
        return asConstant([&] { return TraverseSynOrSemInitListExpr(written); }) &&
               TraverseSynOrSemInitListExpr(meant ? meant : written);
    }
    // What is computed while compiling needs no object.
    bool TraverseConstantExpr(ConstantExpr* e) {
        return asConstant([&] { return RecursiveASTVisitor::TraverseConstantExpr(e); });
    }
    // What is only looked at need not exist in device code, nor have a body.
    bool TraverseDecltypeTypeLoc(DecltypeTypeLoc type, bool withQualifier) {
        return unevaluated([&] { return RecursiveASTVisitor::TraverseDecltypeTypeLoc(type, withQualifier); });
    }
    bool TraverseUnaryExprOrTypeTraitExpr(UnaryExprOrTypeTraitExpr* e) {
        return unevaluated([&] { return RecursiveASTVisitor::TraverseUnaryExprOrTypeTraitExpr(e); });
    }
    bool TraverseCXXNoexceptExpr(CXXNoexceptExpr* e) {
        return unevaluated([&] { return RecursiveASTVisitor::TraverseCXXNoexceptExpr(e); });
    }
    bool TraverseStaticAssertDecl(StaticAssertDecl* d) {
        return asConstant([&] { return RecursiveASTVisitor::TraverseStaticAssertDecl(d); });
    }
    bool TraverseVarDecl(VarDecl* d) {
        if (!d->isConstexpr()) return RecursiveASTVisitor::TraverseVarDecl(d);
        return asConstant([&] { return RecursiveASTVisitor::TraverseVarDecl(d); });
    }
    bool TraverseLambdaExpr(LambdaExpr* e) {
        const bool outer = isTemplate_;
        isTemplate_ = e->getCallOperator()->isDependentContext();
        const bool result = RecursiveASTVisitor::TraverseLambdaExpr(e);
        isTemplate_ = outer;
        return result;
    }

    bool VisitDeclRefExpr(DeclRefExpr* e) {
        if (needsObject(*e) && !copied_.contains(e)) slicer_.useObject(*e->getDecl(), e->getLocation(), route_);
        slicer_.useGlobalFunction(*e, route_);
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
        if (needsObject(*e) && !copied_.contains(e)) slicer_.useObject(*e->getMemberDecl(), e->getMemberLoc(), route_);
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
        // The user's own specialization, of a library's template too.
        const auto* special = dyn_cast_or_null<ClassTemplateSpecializationDecl>(type.getType()->getAsCXXRecordDecl());
        if (special && special->isExplicitSpecialization()) use(special, type.getTemplateNameLoc());
        return useTemplate(type.getTypePtr()->getTemplateName(), type.getTemplateNameLoc());
    }
    bool VisitDeducedTemplateSpecializationTypeLoc(DeducedTemplateSpecializationTypeLoc type) {
        return useTemplate(type.getTypePtr()->getTemplateName(), type.getTemplateNameLoc());
    }
    bool VisitUsingTypeLoc(UsingTypeLoc type) {
        slicer_.carryFoundBy(*type.getDecl());
        return use(type.getDecl()->getTargetDecl(), type.getNameLoc());
    }
    bool VisitConceptReference(ConceptReference* reference) {
        slicer_.carryFoundBy(*reference->getFoundDecl());
        return use(reference->getNamedConcept(), reference->getConceptNameLoc());
    }
    bool TraverseNestedNameSpecifierLoc(NestedNameSpecifierLoc qualifier) {
        const NestedNameSpecifier::Kind kind = qualifier.getNestedNameSpecifier().getKind();
        if (kind == NestedNameSpecifier::Kind::Namespace)
            slicer_.carryFoundBy(*qualifier.castAsNamespaceAndPrefix().Namespace);
        else if (kind == NestedNameSpecifier::Kind::Global)
            slicer_.useGlobalScope(qualifier.getBeginLoc());
        return RecursiveASTVisitor::TraverseNestedNameSpecifierLoc(qualifier);
    }

    bool VisitBinaryOperator(BinaryOperator* e) {
        if (e->getType()->isAnyComplexType()) return refuse(e->getOperatorLoc(), "arithmetic of _Complex numbers");
        // nvcc takes two numbers of which one is NaN for equal.
        if (e->getOpcode() == BO_Cmp && e->getLHS()->getType()->isFloatingType())
            return refuse(e->getOperatorLoc(), "<=> of floating-point numbers");
        return true;
    }

    bool VisitTypeTraitExpr(TypeTraitExpr* e) {
        // In a template's text too: other compilers look it up when they read that.
        if (!isGccs(e->getTrait()))
            slicer_.complain(e->getBeginLoc(), route_, Message::NotInDeviceCode,
                             "'" + std::string(getTraitSpelling(e->getTrait())) + "', which only Clang has,");
        return true;
    }
    bool VisitCXXNewExpr(CXXNewExpr* e) { return refuse(e->getBeginLoc(), "new"); }
    bool VisitCXXDeleteExpr(CXXDeleteExpr* e) { return refuse(e->getBeginLoc(), "delete"); }
    bool VisitCXXThrowExpr(CXXThrowExpr* e) { return refuse(e->getBeginLoc(), "throw"); }
    bool VisitCXXTryStmt(CXXTryStmt* s) { return refuse(s->getBeginLoc(), "a try block"); }
    bool VisitAsmStmt(AsmStmt* s) { return refuse(s->getAsmLoc(), "an asm statement"); }
    bool VisitCXXDynamicCastExpr(CXXDynamicCastExpr* e) { return refuse(e->getBeginLoc(), "dynamic_cast"); }
    bool VisitCXXTypeidExpr(CXXTypeidExpr* e) { return refuse(e->getBeginLoc(), "typeid"); }
    bool VisitDecompositionDecl(DecompositionDecl* pack) {
        const CXXRecordDecl* record = pack->getType().getNonReferenceType()->getAsCXXRecordDecl();
        const bool isTupleLike = record && llvm::any_of(pack->bindings(), [](const BindingDecl* binding) {
                                     return binding->getHoldingVar() != nullptr;
                                 });
        if (isTupleLike && slicer_.includes_.isUsersCode(record->getLocation()))
            slicer_.complain(pack->getLocation(), route_, Message::ForeignNamespace, "std::tuple_size");
        return true;
    }
    bool VisitVarDecl(VarDecl* variable) {
        const CXXRecordDecl* record = variable->getType()->getAsCXXRecordDecl();
        if (record && variable->isLocalVarDecl() && variable->needsDestruction(slicer_.context_))
            if (const CXXDestructorDecl* destructor = record->getDestructor()) use(destructor, variable->getLocation());
        if (variable->isStaticLocal() && !isConstant(*variable))
            return refuse(variable->getBeginLoc(), "a static local variable that can change");
        return true;
    }

  private:
    template <class Walk> bool during(bool& state, Walk walk) {
        const bool outer = std::exchange(state, true);
        const bool result = walk();
        state = outer;
        return result;
    }
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
    body_ = body.getLocation();
    traverse(body, nullptr);
    if (const FunctionDecl* pattern = body.getTemplateInstantiationPattern()) {
        traverse(*pattern, nullptr);  // for what only the text names, such as a branch of `if constexpr` not taken
        const FunctionTemplateDecl* generic = pattern->getDescribedFunctionTemplate();
        if (generic) traverse(*generic, nullptr);
    }
    carryUnresolved();
    checks_.check(body, asked);
}

void Slicer::followExpression(const Expr& expression) {
    References(*this, nullptr).TraverseStmt(const_cast<Expr*>(&expression));
    carryUnresolved();
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
    const SourceLocation found = at;
    if (includes_.isLibrarys(at)) {
        // Nobody can change that: what is wrong is the user's call, whatever more there is behind it.
        const auto isOwn = [&](SourceLocation call) {
            return includes_.isUsersCode(call) && !includes_.isLibrarys(call);
        };
        while (route && !isOwn(route->call)) route = route->previous;
        at = route ? route->call : body_;
        if (route) route = route->previous;
        const SourceManager& sources = context_.getSourceManager();
        const auto [file, offset] = sources.getDecomposedExpansionLoc(at);
        if (!refusedLines_.emplace(file, sources.getLineNumber(file, offset)).second) return;
    }
    if (!complained_.insert(at).second) return;  // once, however many signatures reach it
    report(context_.getDiagnostics(), at, message) << argument;
    if (at != found) report(context_.getDiagnostics(), found, Message::InLibrary);
    if (!lacking.empty()) report(context_.getDiagnostics(), at, Message::Lacks) << argument << lacking;
    for (; route; route = route->previous) report(context_.getDiagnostics(), route->call, Message::CalledFrom);
}

void Slicer::use(const NamedDecl& declaration, SourceLocation at, const Route* route) {
    if (declaration.isTemplateParameter()) return;  // one of a member defined outside lies in no template, to Clang
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
    if (!declaration.getDeclContext()->isFunctionOrMethod()) carry(declaration, new (context_) Route{at, route});
    if (const auto* record = dyn_cast<ClassTemplateSpecializationDecl>(&declaration)) useBases(*record, at, route);
}

/// A function that is named where nothing is computed has to be declared, no more.
void Slicer::mention(const NamedDecl& declaration, SourceLocation at, const Route* route) {
    const auto* function = dyn_cast<FunctionDecl>(&declaration);
    if (!function || purpose_ == SliceFor::Header) return use(declaration, at, route);
    if (!includes_.isUsersCode(function->getLocation())) return include(*function);
    const FunctionDecl* definition = nullptr;
    carry(function->isDefined(definition) ? *definition : *function, new (context_) Route{at, route});
}

/// Those of an instantiation may be specializations that the template's text does not name.
void Slicer::useBases(const ClassTemplateSpecializationDecl& record, SourceLocation at, const Route* route) {
    if (!record.hasDefinition() || !traversed_.insert(&record).second) return;
    for (const CXXBaseSpecifier& base : record.bases())
        if (const CXXRecordDecl* type = base.getType()->getAsCXXRecordDecl()) use(*type, at, route);
}

void Slicer::useFunction(const FunctionDecl& function, SourceLocation at, const Route* route) {
    if (const auto* method = dyn_cast<CXXMethodDecl>(&function); method && method->getParent()->isLambda()) {
        return traverse(function, route);  // its text is part of the function or constant that holds it
    }
    const FunctionDecl* written = function.getTemplateInstantiationPattern();
    if (!written) written = &function;
    const FunctionDecl* definition = nullptr;
    if (!written->isDefined(definition)) {
        if (function.isImplicit() || function.isDefaulted()) return carry(function, route);
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
        carry(implied ? *templated : *declared, step);
    }
}

/// nvcc has no lambda objects in device memory.
static bool isLambda(const VarDecl& variable) {
    const CXXRecordDecl* record = variable.getType()->getAsCXXRecordDecl();
    return record && record->isLambda();
}

/// Whether a variable has one value, known while compiling. Of a template's that is said where it is instantiated.
static bool isConstant(const VarDecl& variable) {
    const Expr* initializer = variable.getAnyInitializer();
    const bool isDependent = initializer && initializer->isValueDependent();
    return variable.isUsableInConstantExpressions(variable.getASTContext()) ||
           (variable.getASTContext().getBaseElementType(variable.getType()).isConstQualified() &&
            (isDependent || (initializer && variable.hasConstantInitialization())));
}

void Slicer::useVariable(const VarDecl& variable, SourceLocation at, const Route* route) {
    if (variable.isLocalVarDeclOrParm()) return;
    if (kernelType(variable)) return complain(at, route, Message::NotInDeviceCode, "a call of another kernel");
    if (isLambda(variable)) return complain(at, route, Message::NotInDeviceCode, "a lambda kept in a global variable");
    if (!isConstant(variable)) return complain(at, route, Message::MutableGlobal, variable.getQualifiedNameAsString());
    carry(variable, route);
    traverse(variable, route);  // an instantiation's initializer may lead to specializations
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
    include(declaration);
}

/// A template may be declared in one header and defined in another, as std::numeric_limits is for <complex>'s sake.
static SourceLocation definitionOf(const NamedDecl& declaration) {
    const NamedDecl* definition = nullptr;
    if (const auto* classTemplate = dyn_cast<ClassTemplateDecl>(&declaration))
        definition = classTemplate->getTemplatedDecl()->getDefinition();
    else if (const auto* tag = dyn_cast<TagDecl>(&declaration))
        definition = tag->getDefinition();
    return (definition ? *definition : declaration).getLocation();
}

void Slicer::include(const NamedDecl& declaration) {
    if (std::string header = SystemCalls::headerOf(declaration); !header.empty() && purpose_ == SliceFor::Kernels)
        directives_.insert(std::move(header));
    for (const DeclContext* scope = declaration.getDeclContext(); scope; scope = scope->getParent())
        if (isa<NamespaceDecl>(scope)) systemScopes_.insert(scope->getPrimaryContext());
    if (std::string directive = includes_.directiveFor(definitionOf(declaration)); !directive.empty())
        directives_.insert(std::move(directive));
}

/// Members are noted as their class; what the compiler wrote, and Foldwise's own words, as nothing.
void Slicer::note(const FunctionDecl& function, LibrarySource source) {
    if (function.isImplicit()) return;
    const auto* method = dyn_cast<CXXMethodDecl>(&function);
    std::string name = method ? plainName(*method->getParent()) : plainName(function);
    if (!llvm::StringRef(name).starts_with("foldwise::")) library_.try_emplace(std::move(name), source);
}

namespace {

/// What a function calls itself, and whether there is a lambda in it.
struct Callees : RecursiveASTVisitor<Callees> {
    llvm::SmallVector<const FunctionDecl*, 4> found;
    bool hasLambda = false;

    static bool shouldVisitImplicitCode() { return true; }
    bool VisitDeclRefExpr(DeclRefExpr* e) { return add(e->getDecl()); }
    bool VisitMemberExpr(MemberExpr* e) { return add(e->getMemberDecl()); }
    bool VisitCXXConstructExpr(CXXConstructExpr* e) { return add(e->getConstructor()); }
    bool VisitLambdaExpr(LambdaExpr*) { return hasLambda = true; }

  private:
    bool add(const ValueDecl* callee) {
        if (const auto* function = dyn_cast<FunctionDecl>(callee)) found.push_back(function);
        return true;
    }
};

}  // namespace

/// A library's functions are nvcc's for host and device, and call only what is too: lambdas are, and what the compiler
/// writes is what all that it calls is.
void Slicer::useCallback(const FunctionDecl& function, SourceLocation at, const Route* route) {
    use(function, at, route);
    const auto* method = dyn_cast<CXXMethodDecl>(&function);
    if (method && method->getParent()->isLambda()) return;
    if (!callbacks_.insert(&cast<FunctionDecl>(*written(function).getCanonicalDecl())).second) return;
    const FunctionDecl* definition = nullptr;
    if (!function.isDefined(definition)) return;
    Callees callees;
    callees.TraverseDecl(const_cast<FunctionDecl*>(definition));
    if (callees.hasLambda)
        return complain(at, route, Message::NotInDeviceCode,
                        "a call of '" + function.getQualifiedNameAsString() +
                            "', which has a lambda in it, by the standard library,");
    if (!function.isImplicit() && !function.isDefaulted()) return;
    for (const FunctionDecl* callee : callees.found)
        if (includes_.isUsersCode(callee->getLocation())) useCallback(*callee, at, route);
}

/// nvcc has the values of a system header's constants and of static data members, but no object to take the address of
/// or bind a reference to.
void Slicer::useObject(const ValueDecl& object, SourceLocation at, const Route* route) {
    const auto* variable = dyn_cast<VarDecl>(&object);
    if (!includes_.isUsersCode(object.getLocation()))
        complain(at, route, Message::NoDeviceFunction, object.getQualifiedNameAsString());
    else if (variable && variable->isStaticDataMember() && variable->getType().isConstQualified())
        complain(at, route, Message::StaticMemberObject, object.getQualifiedNameAsString());
}

void Slicer::carry(const Decl& declaration, const Route* route) {
    const Decl* member = namespaceMember(written(declaration));
    if (!member) return;
    const auto* named = dyn_cast<NamedDecl>(&declaration);
    if (const NamespaceDecl* space = outermostNamespace(*member);
        named && space && !includes_.isUsersCode(space->getCanonicalDecl()->getLocation()))
        return complain(member->getLocation(), route, Message::ForeignNamespace, named->getQualifiedNameAsString());
    if (named && isReserved(*named)) complain(member->getLocation(), nullptr, Message::ReservedName, "device");
    const std::vector<const Decl*> together = writtenTogether(*member);
    member = together.back();
    kernels_.insert(member);
    if (!llvm::is_contained(carried_, member)) {
        carried_.push_back(member);
        if (const auto* special = dyn_cast<ClassTemplateSpecializationDecl>(member))
            carry(*special->getSpecializedTemplate(), route);
        // What names a type before it is complete needs its earlier declarations too.
        if (isa<TagDecl, ClassTemplateDecl>(member))
            for (const Decl* declared : member->redecls())
                if (const Decl* other = namespaceMember(*declared)) carryOnce(*other, route);
        if (const auto* classTemplate = dyn_cast<ClassTemplateDecl>(member)) carryGuides(*classTemplate);
    }
    for (const Decl* part : together) traverse(*part, route);
}

void Slicer::carryOnce(const Decl& member, const Route* route) {
    if (!llvm::is_contained(carried_, &member)) carried_.push_back(&member);
    traverse(member, route);
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
    carryOnce(*via, nullptr);
}

void Slicer::carryGuides(const ClassTemplateDecl& classTemplate) {
    const DeclContext& scope = *classTemplate.getDeclContext();
    const DeclarationName name =
        context_.DeclarationNames.getCXXDeductionGuideName(const_cast<ClassTemplateDecl*>(&classTemplate));
    for (const NamedDecl* guide : scope.lookup(name))
        if (!guide->isImplicit()) carryOnce(*guide, nullptr);
}

}  // namespace foldwise
