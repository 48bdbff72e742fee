// generator/frontend/Slicer.cpp: decides what becomes of each reference: carried along, included, or refused.
#include "Slicer.hpp"

#include "Captures.hpp"
#include "ConstantText.hpp"
#include "ConstantValues.hpp"
#include "FindKernels.hpp"
#include "Names.hpp"
#include "Types.hpp"
#include "WrittenDeclarations.hpp"

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <llvm/ADT/StringSet.h>

namespace foldwise {

using namespace clang;

Slicer::Slicer(ASTContext& context, const SourceText& text, const Includes& includes, std::string root,
               SliceFor purpose)
    : context_(context), text_(text), includes_(includes), root_(std::move(root)), systemCalls_(context, includes),
      checks_(context, includes, systemCalls_), purpose_(purpose) {}

void Slicer::begin() {
    // Every kernel's bodies are walked anew, for what is its own; what several need is carried once all the same.
    traversed_.clear();
    asked_.clear();
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

void Slicer::follow(const Callable& callable, const FunctionDecl& body, QualType asked) {
    if (callable.holder) use(*callable.holder, callable.place, nullptr);
    followConstants(callable.constants);
    if (callable.expression) followExpression(*callable.expression);
    if (callable.kind == Callable::Kind::Lambda) return follow(body, asked);
    body_ = callable.place;
    if (const TemplateArgumentList* arguments = body.getTemplateSpecializationArgs()) followArguments(*arguments);
    use(body, callable.place, nullptr);
    carryUnresolved();
    if (includes_.isUsersCode(body.getLocation())) checks_.check(body, asked);
}

void Slicer::followConstants(llvm::ArrayRef<OuterConstant> constants) {
    for (const OuterConstant& constant : constants) {
        if (constant.lambda)
            followExpression(*constant.lambda);
        else
            followType(constant.variable->getType());
    }
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

/// A name such as `many<Tag>` is written with them.
void Slicer::followArguments(const TemplateArgumentList& list) {
    for (const TemplateArgument& argument : list.asArray()) {
        const bool isPack = argument.getKind() == TemplateArgument::Pack;
        for (const TemplateArgument& one : isPack ? argument.getPackAsArray() : llvm::ArrayRef(argument)) {
            if (one.getKind() == TemplateArgument::Type) followType(one.getAsType());
            if (one.getKind() == TemplateArgument::Integral) followType(one.getIntegralType());
            if (one.getKind() == TemplateArgument::StructuralValue) followType(one.getStructuralValueType());
            if (one.getKind() == TemplateArgument::Declaration) followType(one.getParamTypeForDecl());
        }
    }
}

void Slicer::followAlias(const NamedDecl& alias) {
    if (includes_.isUsersCode(alias.getLocation())) use(alias, alias.getLocation(), nullptr);
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
    if (const auto* binding = dyn_cast<BindingDecl>(&declaration)) return useBinding(*binding, at, route);
    if (!declaration.getDeclContext()->isFunctionOrMethod()) carry(declaration, new (context_) Route{at, route});
    if (const auto* record = dyn_cast<ClassTemplateSpecializationDecl>(&declaration)) useBases(*record, at, route);
}

/// A function that is named where nothing is computed has to be declared, no more.
void Slicer::mention(const NamedDecl& declaration, SourceLocation at, const Route* route) {
    const auto* function = dyn_cast<FunctionDecl>(&declaration);
    if (!function || purpose_ == SliceFor::Header) return use(declaration, at, route);
    if (!includes_.isUsersCode(function->getLocation())) return include(*function);
    // nvcc tells a result that is deduced to device code alone, unless the function is the host's as well.
    if (function->getDeclaredReturnType()->getContainedDeducedType())
        callbacks_.insert(&cast<FunctionDecl>(*written(*function).getCanonicalDecl()));
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

static bool isLambda(const VarDecl& variable) {
    const CXXRecordDecl* record = variable.getType()->getAsCXXRecordDecl();
    return record && record->isLambda();
}

bool Slicer::isConstant(const VarDecl& variable) {
    const Expr* initializer = variable.getAnyInitializer();
    const bool isDependent = initializer && initializer->isValueDependent();
    return variable.isUsableInConstantExpressions(variable.getASTContext()) ||
           (variable.getASTContext().getBaseElementType(variable.getType()).isConstQualified() &&
            (isDependent || (initializer && variable.hasConstantInitialization())));
}

/// Whether a lambda's class is among the template arguments of a type: nvcc has no name for it where variables are.
static bool isMadeOfLambdas(QualType type) {
    const auto* special = dyn_cast_or_null<ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl());
    const auto isOne = [](const TemplateArgument& argument) {
        if (argument.getKind() != TemplateArgument::Type) return false;
        const CXXRecordDecl* record = argument.getAsType()->getAsCXXRecordDecl();
        return (record && record->isLambda()) || isMadeOfLambdas(argument.getAsType());
    };
    return special && llvm::any_of(special->getTemplateArgs().asArray(), [&](const TemplateArgument& argument) {
               return argument.getKind() == TemplateArgument::Pack ? llvm::any_of(argument.getPackAsArray(), isOne)
                                                                   : isOne(argument);
           });
}

void Slicer::useVariable(const VarDecl& variable, SourceLocation at, const Route* route) {
    if (variable.isLocalVarDeclOrParm()) return;
    if (kernelType(variable)) return complain(at, route, Message::NotInDeviceCode, "a call of another kernel");
    if (isLambda(variable)) return useHeldLambda(variable, at, route);
    if (!isConstant(variable)) return complain(at, route, Message::MutableGlobal, variable.getQualifiedNameAsString());
    if (isMadeOfLambdas(variable.getType()))
        return complain(at, route, Message::NotInDeviceCode,
                        "'" + variable.getQualifiedNameAsString() + "', a variable whose type is made of lambdas,");
    carry(variable, route);
    traverse(variable, route);  // an instantiation's initializer may lead to specializations
}

/// Why no function object can stand for a variable with a lambda.
static std::string whyNotHeld(const VarDecl& variable) {
    if (variable.isStaticDataMember()) return "a lambda in a static data member";
    if (isa<VarTemplateSpecializationDecl>(variable) || variable.getDescribedVarTemplate())
        return "a lambda in a variable template";
    return "a lambda whose captures can change or are not known while compiling";
}

/// nvcc has no lambda objects in device memory: the variable becomes a function object, which is the same to whoever
/// calls it or hands it on.
void Slicer::useHeldLambda(const VarDecl& variable, SourceLocation at, const Route* route) {
    if (!heldLambda(variable))
        return complain(at, route, Message::NotInDeviceCode,
                        "'" + variable.getQualifiedNameAsString() + "', " + whyNotHeld(variable) + ",");
    const CXXRecordDecl& lambda = *variable.getType()->getAsCXXRecordDecl();
    if (const auto captures = capturesAsConstants(lambda)) followConstants(*captures);
    carry(variable, route);
}

/// A name of a structured binding at namespace scope becomes a constant of its own: CUDA has no structured bindings in
/// device memory.
void Slicer::useBinding(const BindingDecl& binding, SourceLocation at, const Route* route) {
    if (!binding.getDeclContext()->isFileContext()) return;
    const std::string name = binding.getQualifiedNameAsString();
    const std::optional<APValue> value = valueOf(binding);
    if (!value) return complain(at, route, Message::MutableGlobal, name);
    if (!constantText(*value, binding.getType(), context_))
        return complain(at, route, Message::NotInDeviceCode,
                        "'" + name + "', a structured binding of type '" + spelling(binding.getType(), context_) +
                            "',");
    followType(binding.getType());
    kernels_.insert(&binding);
    if (!llvm::is_contained(carried_, &binding)) carried_.push_back(&binding);
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
    // Other headers have the standard's function objects too; this one is theirs.
    const auto* record = dyn_cast_or_null<ClassTemplateDecl>(&declaration);
    const bool isFunctionObject =
        record && record->isInStdNamespace() &&
        llvm::is_contained({"plus", "minus", "multiplies", "divides", "modulus", "negate", "bit_and", "bit_or",
                            "bit_xor", "bit_not", "logical_and", "logical_or", "logical_not", "less", "greater",
                            "less_equal", "greater_equal", "equal_to", "not_equal_to"},
                           record->getName());
    if (isFunctionObject) {
        directives_.insert("<functional>");
        return;
    }
    std::string directive = includes_.directiveFor(definitionOf(declaration));
    if (directive.empty()) return;
    // What comes from a header of C's may be named in std, as by `using std::memcpy;`: C++'s own header puts it there.
    static const llvm::StringSet<> headersOfC = {"ctype",  "float",  "inttypes", "limits", "stddef",
                                                 "stdint", "stdlib", "string",   "time",   "wchar"};
    if (llvm::StringRef name = directive;
        name.consume_front("<") && name.consume_back(".h>") && headersOfC.contains(name))
        directives_.insert(("<c" + name + ">").str());
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
struct Callees : DynamicRecursiveASTVisitor {
    llvm::SmallVector<const FunctionDecl*, 4> found;
    bool hasLambda = false;

    Callees() { ShouldVisitImplicitCode = true; }
    bool VisitDeclRefExpr(DeclRefExpr* e) override { return add(e->getDecl()); }
    bool VisitMemberExpr(MemberExpr* e) override { return add(e->getMemberDecl()); }
    bool VisitCXXConstructExpr(CXXConstructExpr* e) override { return add(e->getConstructor()); }
    bool VisitLambdaExpr(LambdaExpr*) override { return hasLambda = true; }

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
    // One that a variable holds becomes a member function; any other is a lambda still.
    const auto* method = dyn_cast<CXXMethodDecl>(&function);
    const bool isLambda = method && method->getParent()->isLambda();
    if (isLambda && !method->getParent()->getDeclContext()->isFileContext()) return;
    if (!callbacks_.insert(&cast<FunctionDecl>(*written(function).getCanonicalDecl())).second) return;
    const FunctionDecl* definition = nullptr;
    if (!function.isDefined(definition)) return;
    Callees callees;
    callees.TraverseDecl(const_cast<FunctionDecl*>(definition));
    if (callees.hasLambda || (isLambda && !capturesAsConstants(*method->getParent())))
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
    if (const auto* record = dyn_cast<CXXRecordDecl>(member); record && record->isLambda()) return;
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
        if (const auto* special = dyn_cast<VarTemplateSpecializationDecl>(member))
            carry(*special->getSpecializedTemplate(), route);
        // What names a type before it is complete needs its earlier declarations too.
        if (isa<TagDecl, ClassTemplateDecl>(member))
            for (const Decl* declared : member->redecls())
                if (const Decl* other = namespaceMember(*declared)) carryOnce(*other, route);
        if (const auto* classTemplate = dyn_cast<ClassTemplateDecl>(member)) carryGuides(*classTemplate);
    }
    for (const Decl* part : together) traverse(*part, route);
    if (isConstraint_) carrySpecializations(*member, route);
}

/// Whether a type is built in or of the user's: specializations for others, such as for std::string, say nothing of
/// what kernels compute with.
static bool isBuiltInOrUsers(const TemplateArgument& argument, const Includes& includes) {
    if (argument.getKind() == TemplateArgument::Pack)
        return llvm::all_of(argument.pack_elements(),
                            [&](const TemplateArgument& one) { return isBuiltInOrUsers(one, includes); });
    if (argument.getKind() != TemplateArgument::Type) return true;
    const TagDecl* tag = argument.getAsType()->getAsTagDecl();
    return !tag || includes.isUsersCode(tag->getLocation());
}

/// The specializations of a template that a constraint may meet, which no reference shows: those for a type that is
/// built in or of the user's; and of partial ones those that something here has been instantiated from, as a constraint
/// that was asked for has.
template <class Partial, class Template>
static llvm::SmallVector<const NamedDecl*, 4> specializationsMet(const Template& generic, const Includes& includes) {
    llvm::SmallVector<const NamedDecl*, 4> found;
    for (const auto* special : generic.specializations()) {
        if (special->getSpecializationKind() == TSK_ExplicitSpecialization) {
            if (llvm::all_of(special->getTemplateArgs().asArray(),
                             [&](const TemplateArgument& one) { return isBuiltInOrUsers(one, includes); }))
                found.push_back(special);
        } else if (const auto* from = llvm::dyn_cast_if_present<Partial*>(special->getInstantiatedFrom())) {
            if (!llvm::is_contained(found, from)) found.push_back(from);
        }
    }
    return found;
}

/// Whether a constraint holds is asked with what a template has been specialized for.
void Slicer::carrySpecializations(const Decl& member, const Route* route) {
    llvm::SmallVector<const NamedDecl*, 4> found;
    if (const auto* generic = dyn_cast<ClassTemplateDecl>(&member))
        found = specializationsMet<ClassTemplatePartialSpecializationDecl>(*generic, includes_);
    else if (const auto* variables = dyn_cast<VarTemplateDecl>(&member))
        found = specializationsMet<VarTemplatePartialSpecializationDecl>(*variables, includes_);
    for (const NamedDecl* special : found)
        if (includes_.isUsersCode(special->getLocation()) && !asked_.contains(special))
            use(*special, special->getLocation(), route);
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
