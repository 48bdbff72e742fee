// generator/frontend/SystemCalls.cpp: walks over the bodies of library functions.
#include "SystemCalls.hpp"

#include "Refusals.hpp"

#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/ExprConcepts.h>

namespace foldwise {

using namespace clang;

bool isCompilersOwn(const FunctionDecl& function) {
    const unsigned id = function.getBuiltinID();
    return id != 0 && !function.getASTContext().BuiltinInfo.isPredefinedLibFunction(id);
}

std::string plainName(const NamedDecl& declaration) {
    std::string name = declaration.getNameAsString();
    for (const DeclContext* scope = declaration.getDeclContext(); scope; scope = scope->getParent()) {
        const auto* space = dyn_cast<NamespaceDecl>(scope);
        const auto* record = dyn_cast<RecordDecl>(scope);
        if (space && !space->isInline()) name = space->getNameAsString() + "::" + name;
        if (record) name = record->getNameAsString() + "::" + name;
    }
    return name;
}

static ParameterKind kindOf(QualType type) {
    type = type.getNonReferenceType().getCanonicalType();
    if (type->isIntegerType()) return ParameterKind::Integer;
    if (const auto* builtin = dyn_cast<BuiltinType>(type)) {
        const bool isDevices = builtin->getKind() == BuiltinType::Float || builtin->getKind() == BuiltinType::Double;
        if (builtin->isFloatingPoint()) return isDevices ? ParameterKind::Floating : ParameterKind::LongDouble;
    }
    if (type->isPointerType() && type->getPointeeType()->isIntegerType()) return ParameterKind::IntegerPointer;
    if (const auto* record = dyn_cast_or_null<ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl());
        record && plainName(*record) == "std::complex") {
        const bool isDevices = kindOf(record->getTemplateArgs().get(0).getAsType()) == ParameterKind::Floating;
        return isDevices ? ParameterKind::Complex : ParameterKind::LongDouble;
    }
    return ParameterKind::Other;
}

static llvm::SmallVector<ParameterKind, 4> parameterKinds(const FunctionDecl& function) {
    llvm::SmallVector<ParameterKind, 4> kinds;
    for (const ParmVarDecl* parameter : function.parameters()) kinds.push_back(kindOf(parameter->getType()));
    return kinds;
}

static const DeviceEntity* find(const FunctionDecl& function) {
    const llvm::SmallVector<ParameterKind, 4> kinds = parameterKinds(function);
    if (const DeviceEntity* entity = findDeviceEntity(plainName(function), kinds)) return entity;
    const auto* method = dyn_cast<CXXMethodDecl>(&function);
    return method ? findDeviceEntity(plainName(*method->getParent()), kinds) : nullptr;
}

static std::string directiveOf(const DeviceEntity& entity) {
    return entity.header.empty() ? std::string() : ("<foldwise/device/" + entity.header + ">").str();
}

std::string SystemCalls::headerOf(const NamedDecl& declaration) {
    if (isa<FunctionDecl>(declaration)) return "";
    const DeviceEntity* entity = findDeviceEntity(plainName(declaration), {});
    return entity ? directiveOf(*entity) : "";
}

/// An element of a constant array has no use for the array in the standard's words; compilers put it into memory.
static bool isObjectUsed(NonOdrUseReason reason, QualType type) {
    return reason == NOUR_None || (reason == NOUR_Constant && type->isArrayType());
}

bool SystemCalls::needsObject(const DeclRefExpr& reference) {
    const auto* variable = dyn_cast<VarDecl>(reference.getDecl());
    return variable && variable->hasGlobalStorage() && !variable->isStaticLocal() &&
           isObjectUsed(reference.isNonOdrUse(), reference.getType());
}

bool SystemCalls::needsObject(const MemberExpr& reference) {
    return isa<VarDecl>(reference.getMemberDecl()) && isObjectUsed(reference.isNonOdrUse(), reference.getType());
}

/// Visits the body of one function and collects what it needs.
class SystemCalls::Walk : public DynamicRecursiveASTVisitor {
  public:
    Walk(SystemCalls& calls, Verdict& verdict) : calls_(calls), verdict_(verdict) { ShouldVisitImplicitCode = true; }

    // What is only looked at, or computed while compiling.
    bool TraverseTypeLoc(TypeLoc, bool = true) override { return true; }
    bool TraverseConstantExpr(ConstantExpr*) override { return true; }
    bool TraverseUnaryExprOrTypeTraitExpr(UnaryExprOrTypeTraitExpr*) override { return true; }
    bool TraverseCXXNoexceptExpr(CXXNoexceptExpr*) override { return true; }
    bool TraverseRequiresExpr(RequiresExpr*) override { return true; }
    bool TraverseConceptSpecializationExpr(ConceptSpecializationExpr*) override { return true; }
    bool TraverseStaticAssertDecl(StaticAssertDecl*) override { return true; }

    // nvcc takes two numbers of which one is NaN for equal.
    bool VisitBinaryOperator(BinaryOperator* e) override {
        return e->getOpcode() != BO_Cmp || !e->getLHS()->getType()->isFloatingType() || miss(comparisonOfFloats);
    }
    bool VisitExpr(Expr* e) override { return !e->getType()->isAnyComplexType() || miss("_Complex"); }
    bool VisitDeclRefExpr(DeclRefExpr* e) override {
        if (const auto* function = dyn_cast<FunctionDecl>(e->getDecl()))
            return isReadTooEarly(*function, e->getLocation()) ? miss(function->getNameAsString()) : use(*function);
        // nvcc has no objects in a system header's global variables. Small constants of class type, such as function
        // objects and std::strong_ordering::equal, it computes with all the same.
        const bool isClass = e->getType()->getAsCXXRecordDecl() != nullptr;
        if (!needsObject(*e) || (isClass && cast<VarDecl>(e->getDecl())->isConstexpr())) return true;
        return miss(e->getDecl()->getQualifiedNameAsString());
    }
    bool VisitMemberExpr(MemberExpr* e) override {
        const auto* method = dyn_cast<CXXMethodDecl>(e->getMemberDecl());
        return !method || use(*method);
    }
    bool VisitCXXConstructExpr(CXXConstructExpr* e) override { return use(*e->getConstructor()); }
    bool VisitCXXDefaultArgExpr(CXXDefaultArgExpr* e) override { return TraverseStmt(e->getExpr()); }
    bool VisitVarDecl(VarDecl* variable) override {
        if (!variable->getType()->isLiteralType(calls_.context_)) return missConstexpr(variable->getType());
        const CXXRecordDecl* record = variable->getType()->getAsCXXRecordDecl();
        if (!record || !variable->needsDestruction(calls_.context_)) return true;
        const CXXDestructorDecl* destructor = record->getDestructor();
        return !destructor || use(*destructor);
    }
    bool VisitCXXNewExpr(CXXNewExpr* e) override {
        const FunctionDecl* allocates = e->getOperatorNew();
        return (allocates && allocates->isReservedGlobalPlacementOperator()) || miss("operator new");
    }
    bool VisitCXXDeleteExpr(CXXDeleteExpr*) override { return miss("operator delete"); }
    bool VisitCXXThrowExpr(CXXThrowExpr*) override { return miss("throw"); }
    bool VisitCXXDynamicCastExpr(CXXDynamicCastExpr*) override { return miss("dynamic_cast"); }
    bool VisitCXXTypeidExpr(CXXTypeidExpr*) override { return miss("typeid"); }
    bool VisitAsmStmt(AsmStmt*) override { return miss("asm"); }

  private:
    /// Whether nvcc has read a call of a compiler's function before foldwise/device/builtins.hpp could take its place.
    bool isReadTooEarly(const FunctionDecl& function, SourceLocation at) const {
        const std::string name = function.getNameAsString();
        if (name != "__builtin_memcmp" && name != "__builtin_memmove") return false;
        const SourceManager& sources = calls_.context_.getSourceManager();
        return sources.getFilename(sources.getExpansionLoc(at)).ends_with("/bits/stl_algobase.h");
    }
    bool use(const FunctionDecl& function) {
        if (calls_.includes_.isUsersCode(function.getLocation()) && !isCompilersOwn(function)) {
            verdict_.usersCode.push_back(&function);
            return true;
        }
        const Verdict& called = calls_.of(function);
        verdict_.headers.insert(called.headers.begin(), called.headers.end());
        verdict_.usersCode.insert(verdict_.usersCode.end(), called.usersCode.begin(), called.usersCode.end());
        return called.missing.empty() || miss(called.missing);
    }
    /// Notes that a class is not a literal type: device code lacks its constexpr constructor.
    bool missConstexpr(QualType type) {
        const CXXRecordDecl* record = type->getAsCXXRecordDecl();
        const std::string name = record ? record->getNameAsString() : type.getAsString();
        return miss("constexpr " + name + "::" + name);
    }
    bool miss(std::string what) {
        verdict_.missing = std::move(what);
        return false;  // ends the walk
    }

    SystemCalls& calls_;
    Verdict& verdict_;
};

const SystemCalls::Verdict& SystemCalls::of(const FunctionDecl& function) {
    // First an empty verdict, which is what a function that calls itself finds.
    const auto [found, isNew] = verdicts_.try_emplace(function.getCanonicalDecl());
    if (isNew) {
        Verdict verdict = judge(function);
        found->second = std::move(verdict);
    }
    return found->second;
}

/// CUDA's atomic operations are of 4 and 8 bytes.
static bool hasAtomicsOfWrongSize(const FunctionDecl& function) {
    const auto* method = dyn_cast<CXXMethodDecl>(&function);
    const auto* record = method ? dyn_cast<ClassTemplateSpecializationDecl>(method->getParent()) : nullptr;
    if (!record || (record->getName() != "atomic_ref" && record->getName() != "__atomic_ref")) return false;
    const QualType type = record->getTemplateArgs()[0].getAsType();
    const std::int64_t bytes = function.getASTContext().getTypeSizeInChars(type).getQuantity();
    return bytes != 4 && bytes != 8;
}

/// A constexpr function template's specialization is not constexpr, and then only the host's, where its types are not
/// literal or it initializes members by constructors that are not constexpr: those of the user's classes may be such.
static bool staysConstexpr(const FunctionDecl& function) {
    const ASTContext& context = function.getASTContext();
    const auto isLiteral = [&](QualType type) { return type->isVoidType() || type->isLiteralType(context); };
    const auto isConstexpr = [](const CXXCtorInitializer* initializer) {
        const auto* construct = dyn_cast<CXXConstructExpr>(initializer->getInit()->IgnoreUnlessSpelledInSource());
        return !construct || construct->getConstructor()->isConstexpr();
    };
    const auto* constructor = dyn_cast<CXXConstructorDecl>(&function);
    if (constructor && !llvm::all_of(constructor->inits(), isConstexpr)) return false;
    return isLiteral(function.getReturnType()) &&
           llvm::all_of(function.parameters(), [&](const ParmVarDecl* p) { return isLiteral(p->getType()); });
}

SystemCalls::Verdict SystemCalls::judge(const FunctionDecl& function) {
    Verdict verdict;
    if (const DeviceEntity* entity = find(function)) {
        if (entity->isMissing)
            verdict.missing = function.getQualifiedNameAsString();
        else if (hasAtomicsOfWrongSize(function))
            verdict.missing = atomicsOfOtherSizes;
        if (!verdict.missing.empty()) return verdict;
        verdict.source = entity->isCudas ? LibrarySource::Cuda : LibrarySource::Foldwise;
        if (std::string directive = directiveOf(*entity); !directive.empty())
            verdict.headers.insert(std::move(directive));
        return verdict;
    }
    const std::string name = plainName(function);
    const bool isFree = function.isConstexpr() || function.isImplicit() || function.isDefaulted();
    const bool isWritten = function.isDefined() || !isCompilersOwn(function);  // std::move is both
    if (!isFree || !isWritten || llvm::is_contained(parameterKinds(function), ParameterKind::LongDouble)) {
        verdict.missing = function.getQualifiedNameAsString();
        return verdict;
    }
    const FunctionDecl* definition = nullptr;
    if (function.isConstexpr() && !staysConstexpr(function.isDefined(definition) ? *definition : function)) {
        verdict.missing = function.getQualifiedNameAsString();
        return verdict;
    }
    if (!function.isDefined(definition) || llvm::StringRef(name).starts_with("foldwise::")) return verdict;
    Walk walk(*this, verdict);
    if (const auto* constructor = dyn_cast<CXXConstructorDecl>(definition))
        for (const CXXCtorInitializer* initializer : constructor->inits())
            if (!walk.TraverseStmt(initializer->getInit())) return verdict;
    walk.TraverseStmt(definition->getBody());
    return verdict;
}

}  // namespace foldwise
