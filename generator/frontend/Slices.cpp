// generator/frontend/Slices.cpp: what the slicer has reached, in order and as text.
#include "Slicer.hpp"

#include "CheckedOperations.hpp"
#include "ConstantText.hpp"
#include "Types.hpp"
#include "WrittenDeclarations.hpp"

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <llvm/Support/JSON.h>
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
        for (const NamedDecl* candidate : candidates) carry(*candidate, nullptr);
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

/// Whether a block itself, not one within, declares a variable of this name.
static bool declares(const Stmt& block, llvm::StringRef name) {
    return llvm::any_of(block.children(), [&](const Stmt* statement) {
        const auto* declaration = dyn_cast_or_null<DeclStmt>(statement);
        return declaration && llvm::any_of(declaration->decls(), [&](const Decl* one) {
                   const auto* named = dyn_cast<NamedDecl>(one);
                   return named && named->getIdentifier() && named->getName() == name;
               });
    });
}

/// Of a member template that is defined outside its class template, Clang knows the outer `template` as the function's.
static SourceLocation beginOf(const Decl& declaration) {
    const auto* generic = dyn_cast<FunctionTemplateDecl>(&declaration);
    const bool hasOuter = generic && generic->getTemplatedDecl()->getNumTemplateParameterLists() > 0;
    return hasOuter ? generic->getTemplatedDecl()->getOuterLocStart() : declaration.getBeginLoc();
}

/// Whether a lambda has parentheses: `[] { return 1; }` has none, and Clang then gives them the introducer's place.
static bool hasParameterList(const FunctionDecl& lambda) {
    const auto type = lambda.getFunctionTypeLoc();
    const SourceManager& sources = lambda.getASTContext().getSourceManager();
    return type && type.getLParenLoc().isValid() &&
           *sources.getCharacterData(sources.getSpellingLoc(type.getLParenLoc())) == '(';
}

/// Puts declarations in front of a block's own, or around it where it declares one of these names again.
static void prepend(const std::string& declarations, bool isNested, std::string& block, std::vector<Mark>& marks) {
    const std::string text = isNested ? "{ " + declarations + " " : " " + declarations;
    const std::size_t at = isNested ? 0 : 1;
    block.insert(at, text);
    if (isNested) block += " }";
    for (Mark& mark : marks)
        if (mark.offset >= at) mark.offset += static_cast<std::uint32_t>(text.size());
}

/// "const ", where it is written before a type or what it refers to: it is not in the type's range.
static std::string qualifiersOf(TypeLoc type) {
    while (const auto reference = type.getAs<ReferenceTypeLoc>()) type = reference.getPointeeLoc();
    std::string text;
    if (type.getType().isLocalConstQualified()) text += "const ";
    if (type.getType().isLocalVolatileQualified()) text += "volatile ";
    return text;
}

Body Slicer::sliceLambda(const CXXRecordDecl& lambda, llvm::ArrayRef<OuterConstant> constants) const {
    const FunctionDecl& pattern = *lambda.getLambdaCallOperator();
    Body body;
    SourceLocation begin = pattern.getBody()->getBeginLoc();
    if (hasParameterList(pattern)) {
        const auto type = pattern.getFunctionTypeLoc();
        begin = type.getLParenLoc();
        body.parameters = sliceText({begin, type.getRParenLoc()});
        const SourceRange result = type.getReturnLoc().getSourceRange();
        const SourceManager& sources = context_.getSourceManager();
        if (result.isValid() && sources.isBeforeInTranslationUnit(type.getRParenLoc(), result.getBegin()))
            body.resultType = qualifiersOf(type.getReturnLoc()) + sliceText(result);
    } else {
        body.parameters = "()";
    }
    if (const TemplateParameterList* list = lambda.getGenericLambdaTemplateParameterList();
        list && list->getLAngleLoc().isValid()) {
        begin = list->getLAngleLoc();
        body.templateParameters = sliceText({begin, list->getRAngleLoc()});
    }
    Slice block = sliceStatement(*pattern.getBody());
    body.block = std::move(block.text);
    body.marks = std::move(block.marks);
    body.pragmas = std::move(block.pragmas);
    body.place = placeOf(begin);

    std::string declarations;
    bool isNested = false;
    for (const OuterConstant& constant : constants) {
        const std::string name = constant.variable->getNameAsString();
        const std::optional<std::string> known =
            constantDeclaration(name, constant.value, constant.variable->getType(), context_,
                                constant.variable->isUsableInConstantExpressions(context_));
        if (!known) {
            report(context_.getDiagnostics(), constant.variable->getLocation(), Message::NotInDeviceCode)
                << "a capture of type '" + spelling(constant.variable->getType(), context_) + "' here";
            continue;
        }
        declarations += (declarations.empty() ? "" : " ") + *known;
        isNested |= declares(*pattern.getBody(), name);
    }
    if (!declarations.empty()) prepend(declarations, isNested, body.block, body.marks);
    return body;
}

Body Slicer::sliceObject(const Expr& object) const {
    static constexpr llvm::StringLiteral before = "{ return ";
    Slice slice = sliceStatement(object);
    Body body;
    body.parameters = "()";
    body.block = (before + slice.text + "; }").str();
    body.marks = std::move(slice.marks);
    for (Mark& mark : body.marks) mark.offset += static_cast<std::uint32_t>(before.size());
    body.pragmas = std::move(slice.pragmas);
    body.place = placeOf(object.getBeginLoc());
    body.makesObject = true;
    return body;
}

/// The function object that a variable with a lambda becomes, since nvcc takes no lambda there: names are looked up as
/// for the lambda, which are not those of a function. With captures it makes the lambda as the variable's initializer
/// does, and calls it.
Declaration Slicer::slicedLambda(const VarDecl& holder) const {
    const auto* written = dyn_cast<LambdaExpr>(heldLambda(holder));
    const bool isOwnText = written && written->capture_size() == 0;
    const Body body = isOwnText ? sliceLambda(*written->getLambdaClass(), {}) : sliceObject(*heldLambda(holder));
    Declaration result;
    result.namespaces = namespacesOf(holder);
    result.name = holder.getNameAsString();
    result.place = body.place;
    result.pragmas = body.pragmas;
    const auto mark = [&] {
        result.marks.push_back({static_cast<std::uint32_t>(result.text.size()), MarkKind::Declaration});
    };
    mark();
    result.text += "constexpr struct { ";
    if (!isOwnText) result.text += "template <class... Operands> ";
    if (!body.templateParameters.empty()) result.text += "template " + body.templateParameters + " ";
    mark();
    // As a lambda is by itself, wherever that is needed; GCC asks more of what says so.
    if (constexprLambdas_.contains(&holder)) result.text += "constexpr ";
    result.text += isOwnText ? "auto operator()" + body.parameters + " const "
                             : "decltype(auto) operator()(Operands&&... operands) const ";
    if (isOwnText) result.text += exceptionsOf(*written->getCallOperator());
    if (!body.resultType.empty()) result.text += "-> " + body.resultType + " ";
    if (isOwnText) result.text += constraintOf(*written->getCallOperator());
    for (const Mark& mark : body.marks)
        result.marks.push_back({mark.offset + static_cast<std::uint32_t>(result.text.size()), mark.kind});
    result.text += isOwnText
                       ? body.block
                       : body.block.substr(0, body.block.size() - 3) + "(static_cast<Operands&&>(operands)...); }";
    result.text += " } " + result.name + "{};";
    return result;
}

/// "noexcept(...) ", if it is written.
std::string Slicer::exceptionsOf(const FunctionDecl& lambda) const {
    const FunctionTypeLoc type = lambda.getFunctionTypeLoc();
    const auto prototype = type ? type.getAs<FunctionProtoTypeLoc>() : FunctionProtoTypeLoc();
    const SourceRange range = prototype ? prototype.getExceptionSpecRange() : SourceRange();
    return range.isValid() ? sliceText(range) + " " : "";
}

/// "requires ... ", if it is written behind the parameters.
std::string Slicer::constraintOf(const FunctionDecl& lambda) const {
    const Expr* constraint = lambda.getTrailingRequiresClause().ConstraintExpr;
    return constraint ? "requires " + sliceText(constraint->getSourceRange()) + " " : "";
}

Declaration Slicer::sliced(const Decl& declaration) const {
    if (const auto* variable = dyn_cast<VarDecl>(&declaration); variable && heldLambda(*variable))
        return slicedLambda(*variable);
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
    if (purpose_ == SliceFor::Kernels) addUsingDeclarations(result);
    for (const Decl* declaration : afterTheirNamespaces(ordered)) result.push_back(sliced(*declaration));
    return result;
}

std::vector<std::string> Slicer::includes() const { return {directives_.begin(), directives_.end()}; }

}  // namespace foldwise
