// generator/frontend/SliceWriter.cpp: cuts declarations and other pieces out of the user's text.
#include "SliceWriter.hpp"

#include "BlockPhases.hpp"
#include "ConstantText.hpp"
#include "ConstantValues.hpp"
#include "DeclarationOrder.hpp"
#include "LoopTrips.hpp"
#include "WrittenDeclarations.hpp"

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>

namespace foldwise {

using namespace clang;

/// Where in a declaration or body CUDA's execution and memory spaces have to be written.
class SliceWriter::Marks : public DynamicRecursiveASTVisitor {
  public:
    explicit Marks(const Reached& reached) : reached_(reached) {}

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

    bool VisitCXXMemberCallExpr(CXXMemberCallExpr* call) override {
        if (concernsItems(*call)) kinds[cast<MemberExpr>(call->getCallee())->getMemberLoc()] = {MarkKind::BlockCall};
        if (const FunctionDecl* phase = phaseOf(*call))
            for (const ForStmt* loop : unrolledLoops(*phase->getBody(), phase->getASTContext()))
                kinds[loop->getForLoc()].push_back(MarkKind::UnrolledLoop);
        return true;
    }

    void add(const std::vector<CheckedOperation>& operations) {
        for (const CheckedOperation& operation : operations) {
            kinds[operation.begin].push_back(operation.assigns ? MarkKind::Assigned : MarkKind::Checked);
            for (const SourceLocation bitField : operation.bitFields) kinds[bitField].push_back(MarkKind::BitField);
            kinds[operation.sign].push_back(MarkKind::Operator);
        }
    }

    void addSums(llvm::ArrayRef<SourceRange> names) {
        for (const SourceRange& name : names) {
            kinds[name.getBegin()].push_back(MarkKind::Sum);
            kinds[name.getEnd()].push_back(MarkKind::SumEnd);
        }
    }

    void add(const Rewrites& rewrites, const SourceText& text) {
        addAround(rewrites.bools, MarkKind::Conversion, MarkKind::ConversionEnd, text);
        for (const ShortCircuit& one : rewrites.shortCircuits) {
            kinds[one.sign].push_back(MarkKind::ShortCircuit);
            if (one.bools.isValid()) addAround({one.bools}, MarkKind::ShortCircuits, MarkKind::ShortCircuitsEnd, text);
        }
        for (const EdgeCondition& one : rewrites.edges)
            addAround({one.range}, one.value ? MarkKind::TrueInside : MarkKind::FalseInside, MarkKind::InsideEnd, text);
    }
    void addHalves(const std::vector<SourceRange>& types, const SourceText& text) {
        addAround(types, MarkKind::HalfType, MarkKind::HalfTypeEnd, text);
    }

  private:
    void addAround(const std::vector<SourceRange>& ranges, MarkKind begin, MarkKind end, const SourceText& text) {
        for (const SourceRange& range : ranges) {
            kinds[range.getBegin()].push_back(begin);
            kinds[text.next(range.getEnd())].push_back(end);
        }
    }
    MarkKind kindOf(const FunctionDecl& function) const {
        if (!reached_.hostFunctions.contains(function.getCanonicalDecl())) return MarkKind::Declaration;
        const bool isBehindTemplate =
            function.getDescribedFunctionTemplate() || function.getNumTemplateParameterLists() > 0;
        return isBehindTemplate ? MarkKind::CallbackTemplate : MarkKind::Callback;
    }
    /// Variables that are declared together begin at one place.
    void declare(SourceLocation begin, MarkKind kind) { kinds[begin] = {kind}; }

    const Reached& reached_;
};

SliceWriter::Slice SliceWriter::slice(SourceRange range, const Marks& marks) {
    SourceText::Places places;
    for (const auto& [begin, kinds] : marks.kinds) places.marks.insert(begin);
    const GlobalNames& names = reachability_.names();
    places.insertions = isForHeader() ? names.insertionsInHeader() : names.insertions();
    places.withoutLoopHints = isForHeader();
    SourceText::Slice found = text_.slice(range, places);
    Slice result{std::move(found.text), {}, found.begin, pragmasAround(range.getBegin())};
    for (const Pragma* pragma : found.lost) losses_.pragmas.try_emplace(pragma->location, pragma->text);
    losses_.notUtf8.insert(found.notUtf8.begin(), found.notUtf8.end());
    for (const auto& [location, name] : found.macros) {
        SourceLocation& first = losses_.macros.try_emplace(name, location).first->second;
        if (context_.getSourceManager().isBeforeInTranslationUnit(location, first)) first = location;
    }
    for (const auto& [location, offset] : found.marks)
        for (const MarkKind kind : marks.kinds.find(location)->second)
            result.marks.push_back({.offset = offset, .kind = kind});
    return result;
}

SurroundingPragmas SliceWriter::pragmasAround(SourceLocation begin) const {
    const PragmaState& state = text_.pragmasAt(begin);
    SurroundingPragmas around;
    const auto add = [&](std::string before, std::string behind) {
        around.before.push_back(std::move(before));
        if (!behind.empty()) around.behind.insert(around.behind.begin(), std::move(behind));
    };
    if (state.pack > 0) add("pack(push, " + std::to_string(state.pack) + ")", "pack(pop)");
    // Kernels have no symbols that others see.
    if (!state.visibility.empty() && isForHeader())
        add("GCC visibility push(" + state.visibility.back() + ")", "GCC visibility pop");
    // Nothing is warned of in a library's text anyway. In the user's, not every compiler has each of Clang's warnings.
    if (!state.ignored.empty() && !includes().isLibrarys(begin)) {
        add("GCC diagnostic push", "GCC diagnostic pop");
        add("GCC diagnostic ignored \"-Wpragmas\"", "");
        for (const std::string& warning : state.ignored) add("GCC diagnostic ignored " + warning, "");
    }
    return around;
}

bool SliceWriter::isExported(const VarDecl& variable) const {
    const auto isDefault = [](const Decl& declaration) {
        return declaration.getAttr<VisibilityAttr>()->getVisibility() == VisibilityAttr::Default;
    };
    if (variable.hasAttr<VisibilityAttr>()) return isDefault(variable);
    // Clang applies pragmas and a namespace's attribute to what other units can name, and no unit can name a type with
    // a lambda in it. What is emitted has a name.
    const std::vector<std::string>& pushed = text_.pragmasAt(variable.getLocation()).visibility;
    if (!pushed.empty()) return pushed.back() == "default";
    for (const DeclContext* scope = variable.getDeclContext(); scope; scope = scope->getParent())
        if (const auto* space = dyn_cast<NamespaceDecl>(scope); space && space->hasAttr<VisibilityAttr>())
            return isDefault(*space);
    return false;
}

void SliceWriter::losePragmasBefore(SourceLocation begin) {
    for (const Pragma* pragma : text_.lostBefore(begin)) losses_.pragmas.try_emplace(pragma->location, pragma->text);
}

void SliceWriter::reportLosses() const {
    for (const auto& [name, first] : losses_.macros)
        report(context_.getDiagnostics(), first, Message::HeaderMacro) << name;
    for (const SourceLocation literal : losses_.notUtf8) report(context_.getDiagnostics(), literal, Message::NotUtf8);
    for (const auto& [place, text] : losses_.pragmas)
        if (!includes().isLibrarys(place)) report(context_.getDiagnostics(), place, Message::LostPragma) << text;
}

std::string SliceWriter::sliceText(SourceRange range) { return slice(range, Marks(reachability_.reached())).text; }

/// Where a declaration begins. Of a member template that is defined outside its class template, Clang knows the outer
/// `template` as the function's. Each name of `using a::x, b::y` is a declaration that, as Clang has it, begins with
/// `using`; it begins here with its own name, as kernels may need, and know, some of the names only.
static SourceLocation beginOf(const Decl& declaration) {
    if (const auto* name = dyn_cast<UsingDecl>(&declaration)) return name->getQualifierLoc().getBeginLoc();
    const auto* generic = dyn_cast<FunctionTemplateDecl>(&declaration);
    const bool hasOuter = generic && generic->getTemplatedDecl()->getNumTemplateParameterLists() > 0;
    return hasOuter ? generic->getTemplatedDecl()->getOuterLocStart() : declaration.getBeginLoc();
}

/// A constant with the value of a structured binding.
Declaration SliceWriter::sliceBinding(const BindingDecl& binding) const {
    Declaration result;
    result.namespaces = namespacesOf(binding);
    result.name = binding.getNameAsString();
    result.place = places_.of(binding.getLocation());
    result.text =
        *constantDeclaration(result.name, *valueOf(binding), binding.getType(), context_, /*isConstexpr=*/true);
    result.marks.push_back({0, MarkKind::Declaration});
    return result;
}

Declaration SliceWriter::sliceDeclaration(const Decl& declaration) {
    if (const auto* variable = dyn_cast<VarDecl>(&declaration); variable && heldLambda(*variable))
        return writeObject(*variable);
    if (const auto* binding = dyn_cast<BindingDecl>(&declaration)) return sliceBinding(*binding);
    Marks marks(reachability_.reached());
    for (const Decl* part : writtenTogether(declaration)) {
        marks.TraverseDecl(const_cast<Decl*>(part));
        if (!isForHeader()) marks.add(Rewrites::of(*part, context_), text_);
        marks.add(checkedOperations(*part, context_));
    }
    const auto* function = dyn_cast<FunctionDecl>(&declaration);
    const SourceLocation begin = text_.beginOfAttributes(beginOf(declaration));
    const bool endsInBody = declaration.getAsFunction() && declaration.getAsFunction()->doesThisDeclarationHaveABody();
    const SourceLocation end = declaration.getEndLoc();
    Slice slice = this->slice({begin, endsInBody ? end : text_.endOfAttributes({begin, end})}, marks);
    if (llvm::any_of(slice.marks, [](const Mark& mark) { return mark.kind <= MarkKind::Callback; }))
        losePragmasBefore(begin);

    Declaration result;
    result.namespaces = namespacesOf(declaration);
    if (const auto* named = dyn_cast<NamedDecl>(&declaration)) result.name = named->getNameAsString();
    result.place = places_.of(slice.begin);
    result.inSystemHeader = includes().isLibrarys(declaration.getLocation());
    result.text = (isa<UsingDecl>(declaration) ? "using " : "") + std::move(slice.text);
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

SliceWriter::Slice SliceWriter::sliceStatement(const Stmt& statement, const Rewrites& rewrites,
                                               const std::vector<SourceRange>& halves,
                                               llvm::ArrayRef<SourceRange> sums) {
    Marks marks(reachability_.reached());
    marks.TraverseStmt(const_cast<Stmt*>(&statement));
    if (!isForHeader()) marks.add(rewrites, text_);
    marks.addHalves(halves, text_);
    marks.add(checkedOperations(statement, context_));
    marks.addSums(sums);
    losePragmasBefore(statement.getBeginLoc());
    return slice(statement.getSourceRange(), marks);
}

SliceWriter::Slice SliceWriter::sliceHalves(SourceRange range, const std::vector<SourceRange>& halves) {
    Marks marks(reachability_.reached());
    marks.addHalves(halves, text_);
    return slice(range, marks);
}

std::vector<Declaration> SliceWriter::declarations() {
    std::vector<Declaration> result;
    if (!isForHeader()) addUsingDeclarations(result);
    for (const Decl* one : inOrder(reachability_.reached(), context_, includes()))
        result.push_back(sliceDeclaration(*one));
    return result;
}

/// Where a template calls the user's global function and a library's by one name, both have to be found.
void SliceWriter::addUsingDeclarations(std::vector<Declaration>& declarations) const {
    for (const auto& [name, function] : reachability_.names().usingDeclarations()) {
        Declaration declaration;
        declaration.name = name;
        declaration.place = places_.of(function->getLocation());
        declaration.text = "using ::" + plainName(*function) + ";";
        declarations.push_back(std::move(declaration));
    }
}

}  // namespace foldwise
