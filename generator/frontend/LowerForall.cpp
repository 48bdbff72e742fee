// generator/frontend/LowerForall.cpp: lowers a foldwise::forall(...) to the model: its lambda, its signatures, and
// their views and values.
#include "CountOperations.hpp"
#include "EdgeConditions.hpp"
#include "ElementwiseTasks.hpp"
#include "FusedSums.hpp"
#include "LoopsBody.hpp"
#include "LowerPatterns.hpp"
#include "Lowering.hpp"
#include "RaceWarnings.hpp"
#include "Spelling.hpp"
#include "ViewUses.hpp"

#include "../model/Roofline.hpp"

#include <foldwise/detail/limits.hpp>

#include <clang/Sema/Sema.h>
#include <llvm/ADT/StringExtras.h>

#include <algorithm>
#include <set>

namespace foldwise {

using namespace clang;

namespace {

class ForallLowering : public Lowering {
  public:
    using Lowering::Lowering;

    std::optional<KernelSpec> lower();

  private:
    bool takesViews() const override { return true; }
    bool checkFirstParameter(const FunctionDecl& body) const override;
    bool checkBody(const FunctionDecl& body) const;
    std::optional<ForallSignature> lowerSignature(const TypedCall& call, const Callable& callable);
    std::optional<ForallParameter> lowerParameter(const ParmVarDecl& parameter, unsigned number, QualType type) const;
    void findFoldingLoops(const FunctionDecl& body, const Callable& callable, ForallSignature& signature);
    void findLoopAxes(const FunctionDecl& body, ForallSignature& signature);
    void findOwnSums(const std::vector<ViewUse>& uses, const Callable& callable, ForallSignature& signature);
    void markOwnSums(ForallSpec& spec);
    void findEdges(const FunctionDecl& body, const Callable& callable, ForallSignature& signature);
    void markEdges(ForallSpec& spec);
    bool checkSizes(const TypedCall& call, const std::vector<ForallParameter>& parameters) const;

    std::set<SourceLocation> races_;         // that were told, of other signatures
    std::set<SourceLocation> neverWritten_;  // likewise
    std::vector<FoldingLoop> loops_;         // of the only signature
    std::optional<Callable> lambda_;         // whose text is emitted
    std::vector<SourceRange> sumNames_;      // in the lambda, of all signatures with own sums
    bool haveOtherSums_ = false;             // whether these differ
    std::vector<EdgeCondition> edges_;       // in the lambda, of all signatures
    bool haveOtherEdges_ = false;            // whether these differ
};

bool ForallLowering::checkFirstParameter(const FunctionDecl& body) const {
    if (indexRank(body) > 0) return true;
    const bool hasParameters = body.getNumParams() > 0;
    complain(hasParameters ? body.getParamDecl(0)->getLocation() : body.getLocation(), Message::ForallWithoutIndex)
        << name() << detail::max_index_rank << wordFor(body);
    return false;
}

bool ForallLowering::checkBody(const FunctionDecl& body) const {
    if (!body.getReturnType()->isVoidType()) {
        complain(body.getLocation(), Message::ForallReturns)
            << name() << spelling(body.getReturnType(), context_) << wordFor(body);
        return false;
    }
    return checkParameters(body);
}

std::optional<ForallParameter> ForallLowering::lowerParameter(const ParmVarDecl& parameter, unsigned number,
                                                              QualType type) const {
    ForallParameter lowered;
    lowered.name = operandName(parameter, number);
    std::optional<ParameterType> lowerable = lowerParameterType(type, parameter.getLocation());
    if (!lowerable) return std::nullopt;
    lowered.type = std::move(lowerable->element);
    lowered.rank = lowerable->rank;
    lowered.isConst = lowerable->isConst;
    return lowered;
}

bool ForallLowering::checkSizes(const TypedCall& call, const std::vector<ForallParameter>& parameters) const {
    if (parameters.size() > detail::max_operands) {
        complain(placeOf(call.signature), Message::TooManyParameters)
            << name() << "parameters"
            << "they are " + std::to_string(parameters.size()) + ", and there is room for " +
                   std::to_string(detail::max_operands);
        return false;
    }
    std::uint64_t bytes = 0;
    for (const ForallParameter& parameter : parameters) {
        const std::uint64_t size = parameter.rank > 0
                                       ? 8 + 16 * parameter.rank + (parameter.isSummed || parameter.hasOwnSums ? 8 : 0)
                                       : parameter.type.size;
        const std::uint64_t alignment = std::max<std::uint32_t>(parameter.rank > 0 ? 0 : parameter.type.alignment, 8);
        bytes = (bytes + alignment - 1) / alignment * alignment + size;
    }
    if (bytes <= mostTaskBytes) return true;
    complain(placeOf(call.signature), Message::TooManyParameters)
        << name() << "parameters"
        << "they take " + std::to_string(bytes) + " bytes, and there is room for " + std::to_string(mostTaskBytes);
    return false;
}

/// "void(index<1> i, view<const float, 1> x, std::int32_t n)", for people.
std::string taskText(const FunctionDecl& body, const ForallSignature& signature) {
    std::string text = "void(index<" + std::to_string(signature.indexRank) + ">";
    if (!body.getParamDecl(0)->getName().empty()) text += " " + body.getParamDecl(0)->getNameAsString();
    for (const ForallParameter& parameter : signature.parameters)
        text += ", " + typeText(parameter) + " " + parameter.name;
    return text + ")";
}

/// Finds the loops that a warp can run, in a lambda whose types are written out. Every lane writes what the task
/// writes, so tasks must not read what they write.
void ForallLowering::findFoldingLoops(const FunctionDecl& body, const Callable& callable, ForallSignature& signature) {
    const bool hasText = callable.kind == Callable::Kind::Lambda && !callable.holder && !callable.genericCall();
    const auto isSafe = [](const ForallParameter& one) { return one.rank == 0 || one.access != Access::ReadWrite; };
    if (!hasText || !llvm::all_of(signature.parameters, isSafe)) return;
    loops_ = foldingLoops(body);
    for (std::size_t i = 0; i < signature.parameters.size(); ++i)
        signature.parameters[i].isLooped = signature.parameters[i].rank > 0 &&
                                           isLooped(body, loops_, *body.getParamDecl(static_cast<unsigned>(i) + 1));
    findLoopAxes(body, signature);
}

/// Finds the axes of views that all loops end at, if a turn of none of them takes long.
void ForallLowering::findLoopAxes(const FunctionDecl& body, ForallSignature& signature) {
    const auto isShort = [](const Repetition& loop) { return loop.times == 1 && !takesLong(loop.each); };
    if (!llvm::all_of(signature.operations.repeated, isShort)) return;
    std::vector<std::vector<std::uint32_t>> axes(signature.parameters.size());
    for (const FoldingLoop& loop : loops_) {
        const std::optional<ViewAxis> end = endOf(loop, context_);
        const auto* view = end ? dyn_cast<ParmVarDecl>(end->view) : nullptr;
        if (!view || view->getDeclContext() != &body) return;
        const unsigned number = view->getFunctionScopeIndex() - 1;
        if (end->axis >= signature.parameters[number].rank) return;
        std::vector<std::uint32_t>& ofView = axes[number];
        if (!llvm::is_contained(ofView, end->axis)) ofView.push_back(end->axis);
    }
    for (std::size_t i = 0; i < axes.size(); ++i) signature.parameters[i].loopAxes = axes[i];
}

/// Whether std::atomic_ref adds numbers of a type.
bool hasSums(const ElementType& type) {
    return (type.kind == TypeKind::Integer || type.kind == TypeKind::Floating) && (type.size == 4 || type.size == 8);
}

/// Finds the views whose sums a CPU thread or a GPU's block can form in memory of its own: where the lambda has a text
/// in which another name can stand for std::atomic_ref.
void ForallLowering::findOwnSums(const std::vector<ViewUse>& uses, const Callable& callable,
                                 ForallSignature& signature) {
    if (callable.kind != Callable::Kind::Lambda || callable.holder) return;
    std::vector<SourceRange> names;
    for (std::size_t i = 0; i < uses.size(); ++i) {
        ForallParameter& parameter = signature.parameters[i];
        parameter.hasOwnSums = parameter.rank > 0 && !uses[i].sumNames.empty() && hasSums(parameter.type);
        if (parameter.hasOwnSums) names.insert(names.end(), uses[i].sumNames.begin(), uses[i].sumNames.end());
    }
    if (names.empty()) return;
    lambda_ = callable;
    if (sumNames_.empty()) {
        sumNames_ = std::move(names);
    } else {
        haveOtherSums_ |= names != sumNames_;
    }
}

/// Marks the names in the lambda's text. There are no own sums if one of them does not stand there, or if signatures
/// would need different texts.
void ForallLowering::markOwnSums(ForallSpec& spec) {
    if (sumNames_.empty()) return;
    Body body = slicer_.sliceLambda(*lambda_->record, lambda_->constants, Halves::AsTheyAre, sumNames_);
    const auto count = [&](MarkKind kind) {
        return static_cast<std::size_t>(llvm::count_if(body.marks, [&](const Mark& one) { return one.kind == kind; }));
    };
    const bool areMarked = count(MarkKind::Sum) == sumNames_.size() && count(MarkKind::SumEnd) == sumNames_.size();
    if (areMarked && !haveOtherSums_) {
        spec.body = std::move(body);
        for (ForallSignature& signature : spec.signatures)
            for (ForallParameter& parameter : signature.parameters) parameter.isSummed |= parameter.hasOwnSums;
        return;
    }
    for (ForallSignature& signature : spec.signatures)
        for (ForallParameter& parameter : signature.parameters) parameter.hasOwnSums = false;
}

/// Finds the tasks for which conditions at edges have known values: where the lambda has a text in which these values
/// can stand for the conditions.
void ForallLowering::findEdges(const FunctionDecl& body, const Callable& callable, ForallSignature& signature) {
    if (callable.kind != Callable::Kind::Lambda || callable.holder) return;
    EdgeConditions edges = edgeConditions(body);
    const auto hasAxis = [&](const InnerEnd& end) { return end.viewAxis < signature.parameters[end.parameter].rank; };
    haveOtherEdges_ |= !llvm::all_of(edges.ends, hasAxis) || (lambda_ && edges.conditions != edges_);
    lambda_ = callable;
    edges_ = std::move(edges.conditions);
    signature.innerBegins = std::move(edges.begins);
    signature.innerEnds = std::move(edges.ends);
}

/// Marks these conditions in the lambda's text. Tasks are all alike if one of them does not stand there, or if
/// signatures would need different texts. With own sums the text has other marks, and there are functions enough.
void ForallLowering::markEdges(ForallSpec& spec) {
    if (!edges_.empty() && !haveOtherEdges_ && llvm::none_of(spec.signatures, hasOwnSums)) {
        Body body = slicer_.sliceLambda(*lambda_->record, lambda_->constants, Halves::AsTheyAre, {}, edges_);
        const auto count = [&](auto... kinds) {
            return static_cast<std::size_t>(
                llvm::count_if(body.marks, [&](const Mark& one) { return ((one.kind == kinds) || ...); }));
        };
        if (count(MarkKind::TrueInside, MarkKind::FalseInside) == edges_.size() &&
            count(MarkKind::InsideEnd) == edges_.size()) {
            spec.body = std::move(body);
            return;
        }
    }
    for (ForallSignature& signature : spec.signatures) {
        signature.innerBegins.clear();
        signature.innerEnds.clear();
    }
}

std::optional<ForallSignature> ForallLowering::lowerSignature(const TypedCall& call, const Callable& callable) {
    if (call.body && (!checkFirstParameter(*call.body) || !checkBody(*call.body))) return std::nullopt;
    if (!checkCall(call, callable)) return std::nullopt;
    const FunctionDecl& body = *call.body;
    if (!call.converts) {
        const QualType result = call.signature->castAs<FunctionProtoType>()->getReturnType();
        complain(variable_.getLocation(), Message::NoSuchConversion)
            << name() << quotedResult(body.getReturnType(), context_) << spelling(result, context_) << wordFor(body)
            << 1;
        return std::nullopt;
    }
    beginSignature(&body);
    ForallSignature signature;
    signature.indexRank = indexRank(body);
    slicer_.followType(body.getParamDecl(0)->getType());
    const std::vector<QualType> types = call.operands(1);
    const std::vector<ViewUse> uses = viewUses(body);
    for (unsigned i = 0; i < types.size(); ++i) {
        std::optional<ForallParameter> parameter = lowerParameter(*body.getParamDecl(i + 1), i, types[i]);
        if (!parameter) return std::nullopt;
        if (parameter->rank > 0) {
            parameter->access = parameter->isConst && uses[i].access != Access::None ? Access::Read : uses[i].access;
            parameter->follows = uses[i].follows;
            parameter->moves = uses[i].moves;
            parameter->isSummed =
                uses[i].isSummed && parameter->type.kind == TypeKind::Integer && parameter->type.size == 4;
            parameter->own = uses[i].own;
            parameter->shared = uses[i].shared;
            parameter->isAssigned = uses[i].isAssigned;
            parameter->reach = uses[i].reach;
            parameter->isReadSometimes = uses[i].isReadSometimes;
            parameter->ownRows = uses[i].ownRows;
            parameter->isHandedOn = uses[i].isHandedOn;
            parameter->hasDataPlaces = uses[i].hasDataPlaces;
            parameter->isInLoops = uses[i].isInLoops;
        } else {
            parameter->access = Access::Read;
        }
        signature.parameters.push_back(std::move(*parameter));
    }
    const auto hasPlaces = [](const ForallParameter& one) {
        return one.rank == 0 || !one.own.empty() || !one.shared.empty();
    };
    const auto isWritten = [](const ForallParameter& one) { return one.rank > 0 && writes(one.access); };
    signature.isElementwise = isElementwise(body) && llvm::all_of(signature.parameters, hasPlaces) &&
                              llvm::any_of(signature.parameters, isWritten);
    findEdges(body, callable, signature);
    findOwnSums(uses, callable, signature);
    if (!checkSizes(call, signature.parameters)) return std::nullopt;
    for (std::size_t i = 0; i < types.size(); ++i) {
        const ForallParameter& parameter = signature.parameters[i];
        const SourceLocation at = body.getParamDecl(static_cast<unsigned>(i) + 1)->getLocation();
        const bool isReadAlone = parameter.rank > 0 && !parameter.isConst && parameter.access == Access::Read;
        if (isReadAlone && neverWritten_.insert(at).second) complain(at, Message::NeverWritten) << parameter.name << 0;
    }
    warnOfRaces(findRaces(body), RaceOf::Tasks, context_, races_);
    signature.text = taskText(body, signature);
    signature.operations = countOperations(body, [&](SourceLocation at) { return slicer_.placeOf(at); });
    const FusedSums sums = findFusedSums(body);
    signature.mayFuse = sums.addsProducts && (sums.hasArrays || sums.storesNeighbours);
    findFoldingLoops(body, callable, signature);
    slicer_.follow(callable, body);
    return signature;
}

std::optional<KernelSpec> ForallLowering::lower() {
    std::optional<KernelSpec> kernel = lowerCalls<ForallSpec>(
        {"foldwise::forall", "void", "float", /*takesViews=*/true},
        [&](const TypedCall& call, const Callable& callable) { return lowerSignature(call, callable); });
    if (!kernel) return std::nullopt;
    ForallSpec& spec = kernel->as<ForallSpec>();
    markOwnSums(spec);
    markEdges(spec);
    spec.loopsBody = loopsBody(spec.body, loops_, slicer_, context_);
    for (ForallSignature& signature : spec.signatures) {
        signature.hasLoops = spec.loopsBody.has_value();
        signature.hasLoopInStep =
            signature.hasLoops && llvm::any_of(loops_, [](const FoldingLoop& loop) { return loop.isInStep; });
        if (signature.hasLoops) continue;
        for (ForallParameter& parameter : signature.parameters) {
            parameter.isLooped = false;
            parameter.loopAxes.clear();
        }
    }
    return kernel;
}

}  // namespace

std::optional<KernelSpec> lowerForall(const KernelSite& site, Sema& sema, Slicer& slicer, Slicer& header) {
    return ForallLowering(site, sema, slicer, header).lower();
}

}  // namespace foldwise
