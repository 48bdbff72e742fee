// generator/frontend/Slices.cpp: what the slicer has reached, in order and as text.
#include "Slicer.hpp"

#include "CheckedOperations.hpp"
#include "ConstantText.hpp"
#include "ConstantValues.hpp"
#include "Types.hpp"
#include "WrittenDeclarations.hpp"

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <llvm/Support/JSON.h>
#include <llvm/Support/Path.h>

#include <utility>

namespace foldwise {

using namespace clang;

/// Names that no instantiation has resolved, as in a branch of `if constexpr` not taken: a qualified one has to exist.
void Slicer::carryUnresolved() {
    for (std::size_t i = 0; i < unresolved_.size(); ++i) {  // more may come on the way
        const auto [name, isConstraint] = unresolved_[i];
        std::vector<const NamedDecl*> candidates;
        bool resolved = false;
        for (const NamedDecl* found : name->decls()) {
            carryFoundBy(*found);
            const NamedDecl* candidate = found->getUnderlyingDecl();
            if (!candidate->getDeclContext()->isFileContext() || !includes_.isUsersCode(candidate->getLocation()))
                continue;
            candidates.push_back(candidate);
            resolved |= llvm::is_contained(carried_, namespaceMember(*candidate));
        }
        const bool outer = std::exchange(isConstraint_, isConstraint);
        for (const NamedDecl* candidate : candidates)
            if (!resolved || (isConstraint && isa<VarTemplateDecl>(candidate))) carry(*candidate, nullptr);
        isConstraint_ = outer;
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

std::string nameOfFile(llvm::StringRef file, llvm::StringRef root, FileManager& files) {
    llvm::SmallString<128> path(file);
    files.makeAbsolutePath(path);
    llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
    llvm::StringRef relative = path;
    if (!relative.consume_front(root) || !(root.ends_with('/') || relative.starts_with("/")))
        relative = llvm::sys::path::filename(path);
    return llvm::json::fixUTF8(relative.ltrim('/'));
}

/// The namespace that a directive or an alias names, which has to exist by then; null for other declarations.
static const DeclContext* namedNamespace(const Decl& declaration) {
    const NamespaceDecl* named = nullptr;
    if (const auto* directive = dyn_cast<UsingDirectiveDecl>(&declaration))
        named = directive->getNominatedNamespace();
    else if (const auto* alias = dyn_cast<NamespaceAliasDecl>(&declaration))
        named = alias->getNamespace();
    return named ? named->getPrimaryContext() : nullptr;
}

/// What opened a namespace may not have been reached: what names it comes after the first that is carried of it.
/// Before that it would find nothing there.
std::vector<const Decl*> Slicer::afterTheirNamespaces(const std::vector<const Decl*>& ordered) const {
    std::vector<const Decl*> result, waiting;
    std::set<const DeclContext*> open(systemScopes_);
    for (const Decl* declaration : ordered) {
        const DeclContext* named = namedNamespace(*declaration);
        if (named && !open.contains(named) && includes_.isUsersCode(cast<Decl>(named)->getLocation())) {
            waiting.push_back(declaration);
            continue;
        }
        result.push_back(declaration);
        for (const DeclContext* scope = declaration->getDeclContext(); scope; scope = scope->getParent())
            open.insert(scope->getPrimaryContext());
        llvm::erase_if(waiting, [&](const Decl* one) {
            const bool isReady = open.contains(namedNamespace(*one));
            if (isReady) result.push_back(one);
            return isReady;
        });
    }
    result.insert(result.end(), waiting.begin(), waiting.end());
    return result;
}

Place Slicer::placeOf(SourceLocation location) const {
    const SourceManager& sources = context_.getSourceManager();
    location = sources.getExpansionLoc(location);
    return {nameOfFile(sources.getFilename(location), root_, sources.getFileManager()),
            sources.getExpansionLineNumber(location)};
}

/// Where in a declaration or body CUDA's execution and memory spaces have to be written.
class Slicer::Marks : public DynamicRecursiveASTVisitor {
  public:
    explicit Marks(const Slicer& slicer) : slicer_(slicer) {}

    std::map<SourceLocation, std::vector<MarkKind>> kinds;

    bool VisitFunctionDecl(FunctionDecl* function) override {
        // CUDA ignores, with a warning, what is written before a defaulted function.
        if (!function->isImplicit() && !function->isDefaulted() && !function->isDeleted() &&
            !isa<CXXDeductionGuideDecl>(function))
            declare(function->getInnerLocStart(), kindOf(*function));
        return true;
    }
    bool VisitVarDecl(VarDecl* variable) override {
        if (variable->isFileVarDecl() && !variable->isStaticDataMember())
            // A specialization begins, as Clang has it, with its `template <>`.
            declare(isa<VarTemplateSpecializationDecl>(variable) ? variable->getTypeSpecStartLoc()
                                                                 : variable->getInnerLocStart(),
                    MarkKind::Declaration);
        return true;
    }

    void add(const std::vector<CheckedOperation>& operations) {
        for (const CheckedOperation& operation : operations) {
            kinds[operation.begin].push_back(operation.assigns ? MarkKind::Assigned : MarkKind::Checked);
            for (const SourceLocation bitField : operation.bitFields) kinds[bitField].push_back(MarkKind::BitField);
            kinds[operation.sign].push_back(MarkKind::Operator);
        }
    }

  private:
    MarkKind kindOf(const FunctionDecl& function) const {
        if (!slicer_.callbacks_.contains(function.getCanonicalDecl())) return MarkKind::Declaration;
        const bool isBehindTemplate =
            function.getDescribedFunctionTemplate() || function.getNumTemplateParameterLists() > 0;
        return isBehindTemplate ? MarkKind::CallbackTemplate : MarkKind::Callback;
    }
    /// Variables that are declared together begin at one place.
    void declare(SourceLocation begin, MarkKind kind) { kinds[begin] = {kind}; }

    const Slicer& slicer_;
};

Slicer::Slice Slicer::slice(SourceRange range, const Marks& marks) const {
    SourceText::Places places;
    for (const auto& [begin, kinds] : marks.kinds) places.marks.insert(begin);
    if (purpose_ == SliceFor::Kernels) {
        places.insertions = roots_;
        for (const auto& [begin, scope] : librarys_) places.insertions[begin] = scope;
    }
    SourceText::Slice found = text_.slice(range, places);
    Slice result{std::move(found.text), {}, found.begin, pragmasAround(range.getBegin())};
    for (const Pragma* pragma : found.lost) lostPragmas_.try_emplace(pragma->location, pragma->text);
    notUtf8_.insert(found.notUtf8.begin(), found.notUtf8.end());
    for (const auto& [location, name] : found.macros) {
        SourceLocation& first = macros_.try_emplace(name, location).first->second;
        if (context_.getSourceManager().isBeforeInTranslationUnit(location, first)) first = location;
    }
    for (const auto& [location, offset] : found.marks)
        for (const MarkKind kind : marks.kinds.find(location)->second) result.marks.push_back({offset, kind});
    return result;
}

SurroundingPragmas Slicer::pragmasAround(SourceLocation begin) const {
    const PragmaState& state = text_.pragmasAt(begin);
    SurroundingPragmas around;
    const auto add = [&](std::string before, std::string behind) {
        around.before.push_back(std::move(before));
        if (!behind.empty()) around.behind.insert(around.behind.begin(), std::move(behind));
    };
    if (state.pack > 0) add("pack(push, " + std::to_string(state.pack) + ")", "pack(pop)");
    // Kernels have no symbols that others see.
    if (!state.visibility.empty() && purpose_ == SliceFor::Header)
        add("GCC visibility push(" + state.visibility.back() + ")", "GCC visibility pop");
    // Nothing is warned of in a library's text anyway. In the user's, not every compiler has each of Clang's warnings.
    if (!state.ignored.empty() && !includes_.isLibrarys(begin)) {
        add("GCC diagnostic push", "GCC diagnostic pop");
        add("GCC diagnostic ignored \"-Wpragmas\"", "");
        for (const std::string& warning : state.ignored) add("GCC diagnostic ignored " + warning, "");
    }
    return around;
}

void Slicer::loseBefore(SourceLocation begin) const {
    for (const Pragma* pragma : text_.lostBefore(begin)) lostPragmas_.try_emplace(pragma->location, pragma->text);
}

void Slicer::checkTexts() const {
    for (const auto& [name, first] : macros_) report(context_.getDiagnostics(), first, Message::HeaderMacro) << name;
    for (const SourceLocation literal : notUtf8_) report(context_.getDiagnostics(), literal, Message::NotUtf8);
    for (const auto& [place, text] : lostPragmas_)
        if (!includes_.isLibrarys(place)) report(context_.getDiagnostics(), place, Message::LostPragma) << text;
}

std::string Slicer::sliceText(SourceRange range) const { return slice(range, Marks(*this)).text; }

/// Of a member template that is defined outside its class template, Clang knows the outer `template` as the function's.
static SourceLocation beginOf(const Decl& declaration) {
    const auto* generic = dyn_cast<FunctionTemplateDecl>(&declaration);
    const bool hasOuter = generic && generic->getTemplatedDecl()->getNumTemplateParameterLists() > 0;
    return hasOuter ? generic->getTemplatedDecl()->getOuterLocStart() : declaration.getBeginLoc();
}

/// A constant of its value.
Declaration Slicer::slicedBinding(const BindingDecl& binding) const {
    Declaration result;
    result.namespaces = namespacesOf(binding);
    result.name = binding.getNameAsString();
    result.place = placeOf(binding.getLocation());
    result.text =
        *constantDeclaration(result.name, *valueOf(binding), binding.getType(), context_, /*isConstexpr=*/true);
    result.marks.push_back({0, MarkKind::Declaration});
    return result;
}

/// Those that are called there by name, and those that these use.
bool Slicer::isCalledInConstants(const VarDecl& holder) const {
    std::vector<const VarDecl*> waiting(constexprLambdas_.begin(), constexprLambdas_.end());
    std::set<const VarDecl*> seen(constexprLambdas_);
    while (!waiting.empty()) {
        const auto uses = lambdaUses_.find(waiting.back());
        waiting.pop_back();
        if (uses == lambdaUses_.end()) continue;
        for (const VarDecl* used : uses->second)
            if (seen.insert(used).second) waiting.push_back(used);
    }
    return seen.contains(&holder);
}

Declaration Slicer::sliced(const Decl& declaration) const {
    if (const auto* variable = dyn_cast<VarDecl>(&declaration); variable && heldLambda(*variable))
        return slicedLambda(*variable);
    if (const auto* binding = dyn_cast<BindingDecl>(&declaration)) return slicedBinding(*binding);
    Marks marks(*this);
    for (const Decl* part : writtenTogether(declaration)) {
        marks.TraverseDecl(const_cast<Decl*>(part));
        marks.add(checkedOperations(*part, context_));
    }
    const auto* function = dyn_cast<FunctionDecl>(&declaration);
    const SourceLocation begin = text_.beginOfAttributes(beginOf(declaration));
    const bool endsInBody = declaration.getAsFunction() && declaration.getAsFunction()->doesThisDeclarationHaveABody();
    const SourceLocation end = declaration.getEndLoc();
    Slice slice = this->slice({begin, endsInBody ? end : text_.endOfAttributes({begin, end})}, marks);
    if (llvm::any_of(slice.marks, [](const Mark& mark) { return mark.kind <= MarkKind::Callback; })) loseBefore(begin);

    Declaration result;
    result.namespaces = namespacesOf(declaration);
    if (const auto* named = dyn_cast<NamedDecl>(&declaration)) result.name = named->getNameAsString();
    result.place = placeOf(slice.begin);
    result.inSystemHeader = includes_.isLibrarys(declaration.getLocation());
    result.text = std::move(slice.text);
    result.marks = std::move(slice.marks);
    result.pragmas = std::move(slice.pragmas);
    if (!(function && function->doesThisDeclarationHaveABody()) && !result.text.ends_with("}"))
        result.text += ";";
    else if (!function && !isa<FunctionTemplateDecl>(declaration))
        result.text += ";";
    // Not all of a host compiler's unnamed namespace is used where kernels are compiled away.
    if (function && !function->isInlined() && !result.marks.empty() &&
        result.marks.front().kind <= MarkKind::Callback) {
        static constexpr llvm::StringLiteral word = "inline ";
        result.text.insert(result.marks.front().offset, word);
        for (Mark& mark : llvm::drop_begin(result.marks)) mark.offset += static_cast<std::uint32_t>(word.size());
    }
    return result;
}

Slicer::Slice Slicer::sliceStatement(const Stmt& statement) const {
    Marks marks(*this);
    marks.TraverseStmt(const_cast<Stmt*>(&statement));
    marks.add(checkedOperations(statement, context_));
    loseBefore(statement.getBeginLoc());
    return slice(statement.getSourceRange(), marks);
}

/// What a declaration brings, if a person would call it by its name: no using-declaration, no forward declaration.
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
    if (purpose_ == SliceFor::Kernels) addUsingDeclarations(result);
    for (const Decl* declaration : afterTheirNamespaces(ordered)) result.push_back(sliced(*declaration));
    return result;
}

std::vector<std::string> Slicer::includes() const { return {directives_.begin(), directives_.end()}; }

}  // namespace foldwise
