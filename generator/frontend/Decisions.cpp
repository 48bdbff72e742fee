// generator/frontend/Decisions.cpp: distinguishes declarations that are carried along, those that headers bring, and
// those that no kernel can have.
#include "Decisions.hpp"

#include "Callable.hpp"
#include "Captures.hpp"
#include "ConstantText.hpp"
#include "ConstantValues.hpp"
#include "DeviceLibrary.hpp"
#include "FindKernels.hpp"
#include "Spelling.hpp"
#include "WrittenDeclarations.hpp"

namespace foldwise {

using namespace clang;

static Refused noDeviceCode(std::string what) { return {Message::NotInDeviceCode, std::move(what)}; }

Decision Decisions::of(const NamedDecl& declaration) const {
    // A parameter of a member that is defined outside of its template lies in no template, for Clang.
    if (declaration.isTemplateParameter()) return decision::None();
    const auto* function = dyn_cast<FunctionDecl>(&declaration);
    const bool isBuiltin = function && isCompilersOwn(*function);  // Clang declares those where they are first used
    if (isBuiltin || !isUsers(declaration)) return ofLibrarys(declaration);
    if (purpose_ == SliceFor::Header)
        if (std::string directive = includes_.directiveInSpec(declaration.getLocation()); !directive.empty())
            return decision::Include{{std::move(directive)}, {}, {}, {}};
    if (function) return ofFunction(*function);
    if (const auto* variable = dyn_cast<VarDecl>(&declaration)) return ofVariable(*variable);
    if (const auto* binding = dyn_cast<BindingDecl>(&declaration)) return ofBinding(*binding);
    if (declaration.getDeclContext()->isFunctionOrMethod()) return decision::None();
    return decision::Carry();
}

Decision Decisions::ofFunction(const FunctionDecl& function) const {
    if (const auto* method = dyn_cast<CXXMethodDecl>(&function); method && method->getParent()->isLambda())
        return decision::None();
    const bool isCompilers = function.isImplicit() || function.isDefaulted();
    if (isCompilers || cast<FunctionDecl>(written(function)).isDefined()) return decision::Carry();
    return Refused{Message::FunctionWithoutBody, function.getQualifiedNameAsString()};
}

static bool isLambda(const VarDecl& variable) {
    const CXXRecordDecl* record = variable.getType()->getAsCXXRecordDecl();
    return record && record->isLambda();
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

/// Why no function object can stand for a variable's lambda.
static std::string whyNotHeld(const VarDecl& variable) {
    if (variable.isStaticDataMember()) return "a lambda in a static data member";
    if (isa<VarTemplateSpecializationDecl>(variable) || variable.getDescribedVarTemplate())
        return "a lambda in a variable template";
    return "a lambda whose captures can change or are not known while compiling";
}

/// The name of a library's class whose destructor needs the host: it frees memory, or gives back something else that
/// kernels cannot have in the first place. Nothing for other types.
std::optional<std::string> Decisions::hostClass(QualType type) const {
    const CXXRecordDecl* record = type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
    // Streams are known by their objects, such as std::cout.
    if (!record || !record->hasDefinition() || isUsers(*record) || record->isPolymorphic()) return std::nullopt;
    if (!needsHost(*record)) return std::nullopt;
    std::string name;
    llvm::raw_string_ostream stream(name);
    record->getNameForDiagnostic(stream, record->getASTContext().getPrintingPolicy(), /*Qualified=*/true);
    return name;
}

bool Decisions::needsHost(const CXXRecordDecl& record) const {
    if (!record.hasDefinition() || record.hasTrivialDestructor()) return false;
    const CXXDestructorDecl* destructor = record.getDestructor();
    if (destructor && !isUsers(record) && !systemCalls_.of(*destructor).missing.empty()) return true;
    const auto does = [&](QualType type) {
        const CXXRecordDecl* part = type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
        return part && needsHost(*part);
    };
    return llvm::any_of(record.fields(), [&](const FieldDecl* member) { return does(member->getType()); }) ||
           llvm::any_of(record.bases(), [&](const CXXBaseSpecifier& base) { return does(base.getType()); });
}

static Refused notConstant(const ValueDecl& variable) {
    Refused refused{Message::MutableGlobal, variable.getQualifiedNameAsString()};
    refused.isConst = variable.getASTContext().getBaseElementType(variable.getType()).isConstQualified();
    return refused;
}

Decision Decisions::ofVariable(const VarDecl& variable) const {
    if (variable.isLocalVarDeclOrParm()) return decision::None();
    if (std::optional<std::string> host = hostClass(variable.getType())) return Refused{Message::HostClass, *host};
    if (kernelSite(variable)) return noDeviceCode(callOfKernel.str());
    const std::string name = variable.getQualifiedNameAsString();
    if (isLambda(variable)) {
        if (heldLambda(variable)) return decision::Carry();
        return noDeviceCode("'" + name + "', " + whyNotHeld(variable) + ",");
    }
    if (!isConstant(variable)) return notConstant(variable);
    if (isMadeOfLambdas(variable.getType()))
        return noDeviceCode("'" + name + "', a variable whose type is made of lambdas,");
    return decision::Carry();
}

Decision Decisions::ofBinding(const BindingDecl& binding) const {
    if (!binding.getDeclContext()->isFileContext()) return decision::None();
    const std::string name = binding.getQualifiedNameAsString();
    const std::optional<APValue> value = valueOf(binding);
    if (!value) return notConstant(binding);
    const ASTContext& context = binding.getASTContext();
    if (!constantText(*value, binding.getType(), context))
        return noDeviceCode("'" + name + "', a structured binding of type '" + spelling(binding.getType(), context) +
                            "',");
    return decision::Carry();
}

/// Whether namespace std has the C library's function under its own name as well, as std::exp is ::exp for double and a
/// function of the C++ library for float.
static bool isInStd(const FunctionDecl& function) {
    ASTContext& context = function.getASTContext();
    if (!function.isExternC() || !function.getIdentifier()) return false;
    const DeclContext* global = context.getTranslationUnitDecl();
    return llvm::any_of(global->lookup(&context.Idents.get("std")), [&](const NamedDecl* found) {
        const auto* space = dyn_cast<NamespaceDecl>(found);
        return space && !space->lookup(function.getDeclName()).empty();
    });
}

/// The use of a library's function, as `--explain` lists it: members as their class, the C library's functions by their
/// names in std. Nothing for what the compiler wrote, for Foldwise's own vocabulary, and for the parts of which the
/// standard library makes what it shows.
static std::optional<LibraryUse> useOf(const FunctionDecl& function, LibrarySource source) {
    if (function.isImplicit()) return std::nullopt;
    const auto* method = dyn_cast<CXXMethodDecl>(&function);
    std::string name = method ? plainName(*method->getParent()) : plainName(function);
    const llvm::StringRef written = name;
    if (written.starts_with("foldwise::") || written.starts_with("std::__")) return std::nullopt;
    return LibraryUse{(isInStd(function) ? "std::" : "") + std::move(name), source};
}

/// The name of a class of Thrust's or libcu++'s, or of CUDA's 16-bit floats, whose member a function is, or that it
/// takes or returns; empty if there is none.
static std::string foreignClassOf(const FunctionDecl& function) {
    const auto nameOf = [](const Decl* one) {
        const auto* record = dyn_cast_or_null<CXXRecordDecl>(one);
        const std::string name = record ? record->getQualifiedNameAsString() : "";
        return isOfThrustOrLibcuxx(name) || isCudasFloat(name) ? name : "";
    };
    std::string name = nameOf(dyn_cast<CXXRecordDecl>(function.getDeclContext()));
    if (name.empty()) name = nameOf(function.getReturnType().getNonReferenceType()->getAsCXXRecordDecl());
    for (const ParmVarDecl* parameter : function.parameters())
        if (name.empty()) name = nameOf(parameter->getType().getNonReferenceType()->getAsCXXRecordDecl());
    return name;
}

Decision Decisions::ofLibrarys(const NamedDecl& declaration) const {
    const std::string name = declaration.getQualifiedNameAsString();
    if (const auto* function = dyn_cast<FunctionDecl>(&declaration)) {
        if (const auto* method = dyn_cast<CXXMethodDecl>(function))
            if (auto host = hostClass(method->getASTContext().getCanonicalTagType(method->getParent())))
                return Refused{Message::HostClass, *host};
        const SystemCalls::Verdict& verdict = systemCalls_.of(*function);
        if (!verdict.missing.empty()) {
            Refused refused{Message::NoDeviceFunction, name, verdict.missing == name ? "" : verdict.missing,
                            foreignClassOf(*function)};
            refused.isCudas = includes_.isCudas(function->getLocation()) && !isOfThrustOrLibcuxx(refused.type) &&
                              !isOfThrustOrLibcuxx(name);
            return refused;
        }
        decision::Include result = included(declaration);
        result.headers.insert(verdict.headers.begin(), verdict.headers.end());
        result.library = useOf(*function, verdict.source);
        result.callbacks = verdict.usersCode;
        return result;
    }
    const auto* variable = dyn_cast<VarDecl>(&declaration);
    if (variable && variable->hasGlobalStorage() && !variable->isUsableInConstantExpressions(variable->getASTContext()))
        return Refused{Message::NoDeviceFunction, name};
    return included(declaration);
}

/// Where a declaration is defined. A template may be declared in one header and defined in another, as
/// std::numeric_limits is for the sake of <complex>.
static SourceLocation definitionOf(const NamedDecl& declaration) {
    const NamedDecl* definition = nullptr;
    if (const auto* classTemplate = dyn_cast<ClassTemplateDecl>(&declaration))
        definition = classTemplate->getTemplatedDecl()->getDefinition();
    else if (const auto* tag = dyn_cast<TagDecl>(&declaration))
        definition = tag->getDefinition();
    return (definition ? *definition : declaration).getLocation();
}

/// Whether a declaration is one of the standard's function objects. <functional> is their header, even where another
/// one has brought them.
static bool isFunctionObject(const NamedDecl& declaration) {
    const auto* record = dyn_cast<ClassTemplateDecl>(&declaration);
    return record && record->isInStdNamespace() &&
           llvm::is_contained({"plus", "minus", "multiplies", "divides", "modulus", "negate", "bit_and", "bit_or",
                               "bit_xor", "bit_not", "logical_and", "logical_or", "logical_not", "less", "greater",
                               "less_equal", "greater_equal", "equal_to", "not_equal_to"},
                              record->getName());
}

/// The headers that bring a library's declaration.
decision::Include Decisions::included(const NamedDecl& declaration) const {
    decision::Include result;
    if (std::string header = SystemCalls::headerOf(declaration); !header.empty() && purpose_ == SliceFor::Kernels)
        result.headers.insert(std::move(header));
    for (const DeclContext* scope = declaration.getDeclContext(); scope; scope = scope->getParent())
        if (isa<NamespaceDecl>(scope)) result.namespaces.push_back(scope->getPrimaryContext());
    if (isFunctionObject(declaration)) {
        result.headers.insert("<functional>");
        return result;
    }
    for (std::string& directive : includes_.directivesFor(definitionOf(declaration)))
        result.headers.insert(std::move(directive));
    return result;
}

Decision Decisions::ofMentioned(const FunctionDecl& function) const {
    if (!isUsers(function)) return included(function);
    return decision::Carry();
}

/// nvcc has the values of a system header's constants and of static data members, but no object to take the address of
/// or bind a reference to.
std::optional<Refused> Decisions::asObject(const ValueDecl& object) const {
    const auto* variable = dyn_cast<VarDecl>(&object);
    if (!isUsers(object)) return Refused{Message::NoDeviceFunction, object.getQualifiedNameAsString()};
    if (variable && variable->isStaticDataMember() && variable->getType().isConstQualified())
        return Refused{Message::StaticMemberObject, object.getQualifiedNameAsString()};
    return std::nullopt;
}

/// A library's functions are nvcc's for host and device, and may call only what is too. Lambdas are not, unless they
/// become function objects.
std::optional<Refused> Decisions::asCallback(const FunctionDecl& function, const Callees& callees) const {
    const auto* method = dyn_cast<CXXMethodDecl>(&function);
    const bool isLambda = method && method->getParent()->isLambda();
    if (!callees.hasLambda && !(isLambda && !capturesAsConstants(*method->getParent()))) return std::nullopt;
    return noDeviceCode("a call of '" + function.getQualifiedNameAsString() +
                        "', which has a lambda in it, by the standard library,");
}

std::optional<Refused> Decisions::outOfNamespace(const NamedDecl& declaration, const Decl& member) const {
    const NamespaceDecl* space = outermostNamespace(member);
    if (!space || isUsers(*space->getCanonicalDecl())) return std::nullopt;
    return Refused{Message::ForeignNamespace, declaration.getQualifiedNameAsString()};
}

}  // namespace foldwise
