// generator/frontend/Slices.cpp: the slicer's second half: what was reached, in order and as text.
#include "Slicer.hpp"

#include "WrittenDeclarations.hpp"

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <llvm/Support/Path.h>

namespace foldwise {

using namespace clang;

/// Names that no instantiation has resolved, as in a branch of `if constexpr` not taken: a qualified one has to exist.
void Slicer::carryUnresolved() {
    for (std::size_t i = 0; i < unresolved_.size(); ++i) {  // more may come on the way
        std::vector<const NamedDecl*> candidates;
        bool resolved = false;
        for (const NamedDecl* found : unresolved_[i]->decls()) {
            carryFoundBy(*found);
            const NamedDecl* candidate = found->getUnderlyingDecl();
            if (!candidate->getDeclContext()->isFileContext() || !includes_.isUsersCode(candidate->getLocation()))
                continue;
            candidates.push_back(candidate);
            resolved |= llvm::is_contained(carried_, namespaceMember(*candidate));
        }
        if (resolved) continue;
        for (const NamedDecl* candidate : candidates) carry(*candidate);
    }
    unresolved_.clear();
}
bool Slicer::isNeeded(const UsingDirectiveDecl& directive) const {
    const DeclContext* nominated = directive.getNominatedNamespace()->getPrimaryContext();
    if (systemScopes_.contains(nominated)) return true;
    return llvm::any_of(carried_, [&](const Decl* member) {
        const DeclContext* scope = member->getDeclContext();
        while (scope && scope->getPrimaryContext() != nominated) scope = scope->getParent();
        return scope != nullptr;
    });
}

void Slicer::addUsingDirectives(const DeclContext& scope, std::vector<const Decl*>& declarations) const {
    for (const Decl* declaration : scope.decls()) {
        if (const auto* space = dyn_cast<NamespaceDecl>(declaration)) {
            addUsingDirectives(*space, declarations);
        } else if (const auto* directive = dyn_cast<UsingDirectiveDecl>(declaration)) {
            const bool isWritten = !directive->isImplicit() && includes_.isUsersCode(directive->getLocation());
            if (isWritten && isNeeded(*directive)) declarations.push_back(directive);
        }
    }
}

Place Slicer::placeOf(SourceLocation location) const {
    const SourceManager& sources = context_.getSourceManager();
    location = sources.getExpansionLoc(location);
    llvm::SmallString<128> file(sources.getFilename(location));
    context_.getSourceManager().getFileManager().makeAbsolutePath(file);
    llvm::sys::path::remove_dots(file, /*remove_dot_dot=*/true);
    // Outside the root there is no relative path that holds on every machine; the file's name alone is one.
    llvm::StringRef relative = file;
    if (!relative.consume_front(root_) || !(root_.ends_with('/') || relative.starts_with("/")))
        relative = llvm::sys::path::filename(file);
    return {relative.ltrim('/').str(), sources.getExpansionLineNumber(location)};
}

namespace {

/// Where in a declaration or body CUDA's execution and memory spaces have to be written.
struct Marks : RecursiveASTVisitor<Marks> {
    std::vector<SourceLocation> begins;

    bool VisitFunctionDecl(FunctionDecl* function) {
        // CUDA ignores, with a warning, what is written before a defaulted function.
        if (!function->isImplicit() && !function->isDefaulted() && !function->isDeleted() &&
            !isa<CXXDeductionGuideDecl>(function))
            begins.push_back(function->getInnerLocStart());
        return true;
    }
    bool VisitVarDecl(VarDecl* variable) {
        if (variable->isFileVarDecl() && !variable->isStaticDataMember())
            begins.push_back(variable->getInnerLocStart());
        return true;
    }
};

}  // namespace

static std::vector<std::string> namespacesOf(const Decl& declaration) {
    std::vector<std::string> namespaces;
    for (const DeclContext* context = declaration.getDeclContext(); context; context = context->getParent())
        if (const auto* space = dyn_cast<NamespaceDecl>(context); space && !space->isAnonymousNamespace())
            namespaces.insert(namespaces.begin(), (space->isInline() ? "inline " : "") + space->getNameAsString());
    return namespaces;
}

Declaration Slicer::sliced(const Decl& declaration) const {
    Marks marks;
    for (const Decl* part : writtenTogether(declaration)) marks.TraverseDecl(const_cast<Decl*>(part));
    SourceText::Slice slice = text_.slice(declaration.getSourceRange(), marks.begins);

    Declaration result;
    result.namespaces = namespacesOf(declaration);
    if (const auto* named = dyn_cast<NamedDecl>(&declaration)) result.name = named->getNameAsString();
    result.place = placeOf(slice.begin);
    result.text = std::move(slice.text);
    result.marks = std::move(slice.offsets);
    const auto* function = dyn_cast<FunctionDecl>(&declaration);
    if (!(function && function->doesThisDeclarationHaveABody()) && !result.text.ends_with("}"))
        result.text += ";";
    else if (!function && !isa<FunctionTemplateDecl>(declaration))
        result.text += ";";
    // Not all of a host compiler's unnamed namespace is used where kernels are compiled away.
    if (function && !function->isInlined() && !result.marks.empty()) {
        static constexpr llvm::StringLiteral word = "inline ";
        result.text.insert(result.marks.front(), word);
        for (std::uint32_t& mark : llvm::drop_begin(result.marks)) mark += static_cast<std::uint32_t>(word.size());
    }
    return result;
}

SourceText::Slice Slicer::sliceBlock(const Stmt& block) const {
    Marks marks;
    marks.TraverseStmt(const_cast<Stmt*>(&block));
    return text_.slice(block.getSourceRange(), marks.begins);
}

/// What a declaration brings, if a person would call it by its name: no using-declaration, no forward declaration.
static std::optional<CarriedKind> kindOf(const Decl& declaration) {
    if (const FunctionDecl* function = declaration.getAsFunction()) {
        if (function->isDefined() && !function->isThisDeclarationADefinition()) return std::nullopt;
        return CarriedKind::Function;
    }
    if (isa<VarDecl, VarTemplateDecl>(declaration)) return CarriedKind::Constant;
    if (isa<TypeDecl, ClassTemplateDecl, TypeAliasTemplateDecl>(declaration)) return CarriedKind::Type;
    return std::nullopt;
}

std::vector<Carried> Slicer::carried() const {
    std::vector<const Decl*> ordered(kernels_.begin(), kernels_.end());
    const SourceManager& sources = context_.getSourceManager();
    llvm::sort(ordered, [&](const Decl* a, const Decl* b) {
        return sources.isBeforeInTranslationUnit(a->getLocation(), b->getLocation());
    });
    std::vector<Carried> result;
    for (const Decl* declaration : ordered)
        if (const std::optional<CarriedKind> kind = kindOf(*declaration))
            result.push_back({*kind, plainName(*cast<NamedDecl>(declaration)), placeOf(declaration->getLocation())});
    return result;
}

std::vector<LibraryUse> Slicer::library() const {
    std::vector<LibraryUse> result;
    for (const auto& [name, source] : library_) result.push_back({name, source});
    return result;
}

std::vector<Declaration> Slicer::declarations() const {
    std::vector<const Decl*> ordered = carried_;
    addUsingDirectives(*context_.getTranslationUnitDecl(), ordered);
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
