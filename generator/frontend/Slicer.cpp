// generator/frontend/Slicer.cpp: takes kernels through the steps of slicing.
#include "Slicer.hpp"

#include <clang/AST/DeclTemplate.h>

namespace foldwise {

using namespace clang;

Slicer::Slicer(ASTContext& context, const SourceText& text, const Includes& includes, const FileNaming& naming,
               SliceFor purpose)
    : includes_(includes), systemCalls_(context, includes),
      reachability_(Decisions(includes, systemCalls_, purpose), GlobalNames(context, includes, text)),
      refusals_(context.getDiagnostics(), includes), checks_(context, includes, systemCalls_),
      writer_(context, text, reachability_, Places(context.getSourceManager(), naming)) {}

void Slicer::reportRefusals() {
    const bool areReported = reachability_.decisions().purpose() == SliceFor::Kernels;
    for (const Refusal& refusal : reachability_.takeRefusals())
        if (areReported) refusals_.report(refusal, kernel_, place_, madeAt_);
}

void Slicer::begin(SourceLocation kernel) {
    reachability_.beginKernel();
    kernel_ = place_ = kernel;
    madeAt_ = SourceLocation();
}

void Slicer::follow(const Callable& callable, const FunctionDecl& body, QualType asked) {
    const bool isLambda = callable.kind == Callable::Kind::Lambda;
    const bool isUsersLambda = isLambda && !includes_.isLibrarys(body.getLocation());
    place_ = isUsersLambda ? body.getLocation() : callable.place;
    madeAt_ = isUsersLambda && callable.isMadeElsewhere ? callable.place : SourceLocation();
    reachability_.reach(callable, body);
    reportRefusals();
    if (isLambda || includes_.isUsersCode(body.getLocation())) checks_.check(body, asked, madeAt_);
}

void Slicer::followExpression(const Expr& expression) {
    reachability_.reach(expression);
    reportRefusals();
}

void Slicer::followType(QualType type, SourceLocation at) {
    place_ = includes_.isUsersOwn(at) ? at : kernel_;
    madeAt_ = SourceLocation();
    reachability_.reach(type);
    reportRefusals();
}

void Slicer::followAlias(const NamedDecl& alias) {
    if (!includes_.isUsersCode(alias.getLocation())) return;
    reachability_.reach(alias, alias.getLocation());
    reportRefusals();
}

/// What a declaration declares, if a person would list it by name: nothing for using-declarations and forward
/// declarations.
static std::optional<CarriedKind> kindOf(const Decl& declaration) {
    if (const FunctionDecl* function = declaration.getAsFunction()) {
        if (function->isDefined() && !function->isThisDeclarationADefinition()) return std::nullopt;
        return CarriedKind::Function;
    }
    if (const auto* variable = dyn_cast<VarDecl>(&declaration); variable && heldLambda(*variable))
        return CarriedKind::Function;
    if (isa<VarDecl, VarTemplateDecl, BindingDecl>(declaration)) return CarriedKind::Constant;
    if (isa<TypeDecl, ClassTemplateDecl, TypeAliasTemplateDecl>(declaration)) return CarriedKind::Type;
    return std::nullopt;
}

std::vector<Carried> Slicer::carried() const {
    const std::set<const Decl*>& reached = reachability_.ofKernel().declarations;
    std::vector<const Decl*> ordered(reached.begin(), reached.end());
    llvm::sort(ordered, [](const Decl* a, const Decl* b) {
        return a->getASTContext().getSourceManager().isBeforeInTranslationUnit(a->getLocation(), b->getLocation());
    });
    std::vector<Carried> result;
    for (const Decl* declaration : ordered)
        if (const std::optional<CarriedKind> kind = kindOf(*declaration))
            result.push_back({*kind, plainName(*cast<NamedDecl>(declaration)), placeOf(declaration->getLocation())});
    return result;
}

std::vector<const TypeDecl*> Slicer::unnamedNamespaceTypes() const {
    std::vector<const TypeDecl*> result;
    for (const auto& [declaration, route] : reachability_.reached().declarations) {
        const auto* templated = dyn_cast<ClassTemplateDecl>(declaration);
        const auto* type = templated ? templated->getTemplatedDecl() : dyn_cast<TypeDecl>(declaration);
        if (type && type->isInAnonymousNamespace() && type->getDeclContext()->isFileContext()) result.push_back(type);
    }
    return result;
}

std::vector<LibraryUse> Slicer::library() const {
    std::vector<LibraryUse> result;
    for (const auto& [name, source] : reachability_.ofKernel().library) result.push_back({name, source});
    return result;
}

std::vector<std::string> Slicer::includes() const {
    const std::set<std::string>& headers = reachability_.reached().headers;
    return {headers.begin(), headers.end()};
}

}  // namespace foldwise
