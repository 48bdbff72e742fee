// generator/frontend/Slicer.cpp: the walk over references, and the slices that come of it.
#include "Slicer.hpp"

#include "DeviceLibrary.hpp"

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <llvm/Support/Path.h>

namespace foldwise {

using namespace clang;

/// Visits one function, class or variable of the user's and hands every reference in it to the slicer.
class Slicer::References : public RecursiveASTVisitor<References> {
  public:
    References(Slicer& slicer, const Route* route) : slicer_(slicer), route_(route) {}

    static bool shouldVisitImplicitCode() { return true; }

    bool VisitDeclRefExpr(DeclRefExpr* e) { return use(e->getDecl(), e->getLocation()); }
    bool VisitMemberExpr(MemberExpr* e) {
        const auto* method = dyn_cast<CXXMethodDecl>(e->getMemberDecl());
        if (method && method->isVirtual() && !e->hasQualifier()) return refuse(e->getMemberLoc(), "a virtual call");
        return use(e->getMemberDecl(), e->getMemberLoc());
    }
    bool VisitCXXConstructExpr(CXXConstructExpr* e) { return use(e->getConstructor(), e->getLocation()); }
    bool VisitTypedefTypeLoc(TypedefTypeLoc type) { return use(type.getDecl(), type.getNameLoc()); }
    bool VisitTagTypeLoc(TagTypeLoc type) { return use(type.getDecl(), type.getNameLoc()); }
    bool VisitTemplateSpecializationTypeLoc(TemplateSpecializationTypeLoc type) {
        const TemplateDecl* named = type.getTypePtr()->getTemplateName().getAsTemplateDecl();
        return !named || use(named, type.getTemplateNameLoc());
    }

    bool VisitBinaryOperator(BinaryOperator* e) {
        if (e->getType()->isArithmeticType() && !e->isAssignmentOp()) ++slicer_.operations_;
        if (e->isCompoundAssignmentOp()) ++slicer_.operations_;
        return true;
    }
    bool VisitUnaryOperator(UnaryOperator* e) {
        slicer_.operations_ += e->isArithmeticOp() || e->isIncrementDecrementOp();
        return true;
    }
    bool VisitCallExpr(CallExpr* e) {
        const FunctionDecl* callee = e->getDirectCallee();
        slicer_.operations_ += callee && !slicer_.includes_.isUsersCode(callee->getLocation());
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
        if (variable->isStaticLocal() && !variable->isUsableInConstantExpressions(slicer_.context_))
            return refuse(variable->getBeginLoc(), "a static local variable that can change");
        return true;
    }

  private:
    bool use(const NamedDecl* declaration, SourceLocation at) {
        slicer_.use(*declaration, at, route_);
        return true;
    }
    bool refuse(SourceLocation at, llvm::StringRef what) {
        slicer_.complain(at, route_, Message::NotInDeviceCode, what);
        return true;
    }

    Slicer& slicer_;
    const Route* route_;
};

Slicer::Slicer(ASTContext& context, const SourceText& text, const Includes& includes, std::string root)
    : context_(context), text_(text), includes_(includes), root_(std::move(root)) {}

std::uint32_t Slicer::follow(const FunctionDecl& body) {
    // Counted anew for each body, so every body is walked anew; what it needs is carried once all the same.
    operations_ = 0;
    traversed_.clear();
    traverse(body, nullptr);
    if (const FunctionDecl* pattern = body.getTemplateInstantiationPattern()) {
        const std::uint32_t counted = operations_;
        traverse(*pattern, nullptr);  // for what only the text names, such as a branch of `if constexpr` not taken
        operations_ = counted;
    }
    return operations_;
}

void Slicer::traverse(const Decl& declaration, const Route* route) {
    if (!traversed_.insert(&declaration).second) return;
    References(*this, route).TraverseDecl(const_cast<Decl*>(&declaration));
}

void Slicer::complain(SourceLocation at, const Route* route, Message message, llvm::StringRef argument) {
    if (!complained_.insert(at).second) return;  // once, however many signatures reach it
    report(context_.getDiagnostics(), at, message) << argument;
    for (; route; route = route->previous) report(context_.getDiagnostics(), route->call, Message::CalledFrom);
}

void Slicer::use(const NamedDecl& declaration, SourceLocation at, const Route* route) {
    if (!includes_.isUsersCode(declaration.getLocation())) return useSystem(declaration, at, route);
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
    for (const FunctionDecl* declared : definition->redecls()) carry(*declared);
    const auto* step = new (context_) Route{at, route};
    const FunctionDecl* instantiated = nullptr;
    if (function.isDefined(instantiated)) traverse(*instantiated, step);
}

void Slicer::useVariable(const VarDecl& variable, SourceLocation at, const Route* route) {
    if (variable.isLocalVarDeclOrParm()) return;
    if (!variable.isUsableInConstantExpressions(context_))
        return complain(at, route, Message::MutableGlobal, variable.getQualifiedNameAsString());
    carry(variable);
}

void Slicer::useSystem(const NamedDecl& declaration, SourceLocation at, const Route* route) {
    const std::string name = declaration.getQualifiedNameAsString();
    if (const auto* function = dyn_cast<FunctionDecl>(&declaration)) {
        const bool runs = function->isConstexpr() || function->getBuiltinID() != 0 || function->isImplicit() ||
                          function->isDefaulted() || isDeviceFunction(name);
        if (!runs) return complain(at, route, Message::NoDeviceFunction, name);
    } else if (const auto* variable = dyn_cast<VarDecl>(&declaration); variable && variable->hasGlobalStorage()) {
        if (!variable->isUsableInConstantExpressions(context_))
            return complain(at, route, Message::NoDeviceFunction, name);
    }
    if (std::string directive = includes_.directiveFor(declaration.getLocation()); !directive.empty())
        directives_.insert(std::move(directive));
}

/// The outermost declaration around this one that stands in a namespace, as it was written.
static const Decl* namespaceMember(const Decl& declaration) {
    const Decl* member = &declaration;
    while (!member->getLexicalDeclContext()->isFileContext()) {
        const DeclContext* outer = member->getLexicalDeclContext();
        if (outer->isFunctionOrMethod()) return nullptr;
        member = Decl::castFromDeclContext(outer);
    }
    if (const auto* function = dyn_cast<FunctionDecl>(member)) {
        if (const FunctionTemplateDecl* described = function->getDescribedFunctionTemplate()) return described;
    } else if (const auto* variable = dyn_cast<VarDecl>(member)) {
        if (const VarTemplateDecl* described = variable->getDescribedVarTemplate()) return described;
    } else if (const auto* record = dyn_cast<CXXRecordDecl>(member)) {
        if (const ClassTemplateDecl* described = record->getDescribedClassTemplate()) return described;
    } else if (const auto* alias = dyn_cast<TypeAliasDecl>(member)) {
        if (const TypeAliasTemplateDecl* described = alias->getDescribedAliasTemplate()) return described;
    }
    return member;
}

/// The declaration that a person wrote: of an instantiation, the template.
static const Decl& written(const Decl& declaration) {
    if (const auto* function = dyn_cast<FunctionDecl>(&declaration)) {
        if (const FunctionDecl* pattern = function->getTemplateInstantiationPattern()) return *pattern;
    } else if (const auto* record = dyn_cast<CXXRecordDecl>(&declaration)) {
        if (const CXXRecordDecl* pattern = record->getTemplateInstantiationPattern()) return *pattern;
        if (const CXXRecordDecl* definition = record->getDefinition()) return *definition;
    } else if (const auto* variable = dyn_cast<VarDecl>(&declaration)) {
        if (const VarDecl* pattern = variable->getTemplateInstantiationPattern()) return *pattern;
    }
    return declaration;
}

void Slicer::carry(const Decl& declaration) {
    const Decl* member = namespaceMember(written(declaration));
    if (!member || llvm::is_contained(carried_, member)) {
        if (member) traverse(*member, nullptr);
        return;
    }
    carried_.push_back(member);
    traverse(*member, nullptr);
}

Place Slicer::placeOf(SourceLocation location) const {
    const SourceManager& sources = context_.getSourceManager();
    location = sources.getExpansionLoc(location);
    llvm::SmallString<128> file(sources.getFilename(location));
    context_.getSourceManager().getFileManager().makeAbsolutePath(file);
    llvm::sys::path::remove_dots(file, /*remove_dot_dot=*/true);
    // Outside the root there is no relative path that holds on every machine; the file's name alone is one.
    llvm::StringRef relative = file;
    if (!relative.consume_front(root_)) relative = llvm::sys::path::filename(relative);
    return {relative.ltrim('/').str(), sources.getExpansionLineNumber(location)};
}

/// The functions in a declaration whose execution space has to be written.
static void collectFunctions(const Decl& declaration, std::vector<SourceLocation>& begins) {
    if (const auto* functionTemplate = dyn_cast<FunctionTemplateDecl>(&declaration))
        return collectFunctions(*functionTemplate->getTemplatedDecl(), begins);
    if (const auto* classTemplate = dyn_cast<ClassTemplateDecl>(&declaration))
        return collectFunctions(*classTemplate->getTemplatedDecl(), begins);
    if (const auto* friendly = dyn_cast<FriendDecl>(&declaration)) {
        if (friendly->getFriendDecl()) collectFunctions(*friendly->getFriendDecl(), begins);
    } else if (const auto* function = dyn_cast<FunctionDecl>(&declaration)) {
        // CUDA ignores, with a warning, what is written before a defaulted function.
        if (!function->isImplicit() && !function->isDefaulted() && !function->isDeleted())
            begins.push_back(function->getInnerLocStart());
    } else if (const auto* record = dyn_cast<CXXRecordDecl>(&declaration)) {
        for (const Decl* member : record->decls()) collectFunctions(*member, begins);
    }
}

static std::vector<std::string> namespacesOf(const Decl& declaration) {
    std::vector<std::string> namespaces;
    for (const DeclContext* context = declaration.getDeclContext(); context; context = context->getParent())
        if (const auto* space = dyn_cast<NamespaceDecl>(context); space && !space->isAnonymousNamespace())
            namespaces.insert(namespaces.begin(), (space->isInline() ? "inline " : "") + space->getNameAsString());
    return namespaces;
}

Declaration Slicer::sliced(const Decl& declaration) const {
    std::vector<SourceLocation> begins;
    collectFunctions(declaration, begins);
    SourceText::Slice slice = text_.slice(declaration.getSourceRange(), begins);

    Declaration result;
    result.namespaces = namespacesOf(declaration);
    if (const auto* named = dyn_cast<NamedDecl>(&declaration)) result.name = named->getNameAsString();
    result.place = placeOf(slice.begin);
    result.text = std::move(slice.text);
    result.functions = std::move(slice.offsets);
    const auto* function = dyn_cast<FunctionDecl>(&declaration);
    if (!(function && function->doesThisDeclarationHaveABody()) && !result.text.ends_with("}")) result.text += ";";
    else if (!function && !isa<FunctionTemplateDecl>(declaration)) result.text += ";";
    // Not all of a host compiler's unnamed namespace is used where kernels are compiled away.
    if (function && !function->isInlined()) result.text.insert(0, "inline ");
    return result;
}

std::vector<Declaration> Slicer::declarations() const {
    std::vector<const Decl*> ordered = carried_;
    const SourceManager& sources = context_.getSourceManager();
    llvm::stable_sort(ordered, [&](const Decl* a, const Decl* b) {
        return sources.isBeforeInTranslationUnit(a->getBeginLoc(), b->getBeginLoc());
    });
    std::vector<Declaration> result;
    for (const Decl* declaration : ordered) result.push_back(sliced(*declaration));
    return result;
}

std::vector<std::string> Slicer::includes() const { return {directives_.begin(), directives_.end()}; }

}  // namespace foldwise
