// generator/frontend/SharedBounds.cpp: computes for the items of two blocks which elements of shared memory they
// access.
#include "SharedBounds.hpp"

#include "BlockRuns.hpp"
#include "TaskWays.hpp"
#include "Vocabulary.hpp"

#include <clang/AST/DynamicRecursiveASTVisitor.h>

#include <algorithm>
#include <map>
#include <optional>

namespace foldwise {

using namespace clang;

namespace {

/// The elements of shared memory that a phase names, but not those that lambdas in it do.
class SharedElements : public DynamicRecursiveASTVisitor {
  public:
    explicit SharedElements(const ForallValues& values) : values_(values) {}
    std::vector<const CXXOperatorCallExpr*> all;
    bool hasGoto = false;

    bool VisitGotoStmt(GotoStmt*) override { return hasGoto = true; }
    bool TraverseLambdaExpr(LambdaExpr*) override { return true; }
    bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr* e) override {
        if (values_.elementOf(*e) == e && isShared(*e)) all.push_back(e);
        return true;
    }

  private:
    static bool isShared(const CXXOperatorCallExpr& element) {
        return !isa<ParmVarDecl>(ForallValues::viewOf(element));
    }

    const ForallValues& values_;
};

class BoundsFinder {
  public:
    BoundsFinder(const FunctionDecl& phase, const FunctionDecl& block, llvm::ArrayRef<std::uint64_t> extents,
                 llvm::ArrayRef<SharedDeclaration> shared)
        : values_(phase, block, extents), shared_(shared) {
        values_.assumeInside();
    }

    void find(std::vector<BeyondShared>& found) {
        SharedElements elements(values_);
        elements.TraverseStmt(values_.body().getBody());
        if (elements.all.empty() || elements.hasGoto) return;
        constexpr std::size_t most = 50;  // nobody writes more in one phase; programs that write specs might
        elements.all.resize(std::min(elements.all.size(), most));
        std::erase_if(elements.all, [&](const CXXOperatorCallExpr* element) { return isForItems(*element); });
        std::vector<const CXXOperatorCallExpr*> inBlocks;
        for (const CXXOperatorCallExpr* element : elements.all)
            if (dependsOnBlock(*element)) inBlocks.push_back(element);
        const std::vector<BlockValues> runs = blockRuns(values_);
        std::size_t visits = elements.all.size() * runs.size();
        for (const std::int64_t side : values_.items()) visits *= static_cast<std::size_t>(side);
        constexpr std::size_t mostVisits = 1 << 14;
        visitsAll_ = visits <= mostVisits;
        for (const BlockValues& run : runs) {
            values_.setRun(run);
            look(elements.all, inBlocks, found);
            values_.setRun(run, manyBlocks());
            look(inBlocks, elements.all, found);
        }
    }

  private:
    /// So many blocks that their items along each axis are more than shared memory has elements, and fewer than what a
    /// large trial assumes of views.
    std::int64_t manyBlocks() const { return 500'000 / std::ranges::max(values_.items()); }

    using Accesses = std::vector<const CXXOperatorCallExpr*>;

    /// Looks at accesses, and leaves those of which something is found out of both lists.
    void look(Accesses& accesses, Accesses& others, std::vector<BeyondShared>& found) {
        std::erase_if(accesses, [&](const CXXOperatorCallExpr* element) {
            std::optional<BeyondShared> mistake = beyond(*element);
            if (!mistake) return false;
            found.push_back(std::move(*mistake));
            std::erase(others, element);
            return true;
        });
    }

    /// Whether an access is that of `s[t]` in an array with an element for each item.
    bool isForItems(const CXXOperatorCallExpr& element) const {
        if (!values_.isOwn(element) || dependsOnBlock(element)) return false;
        for (unsigned axis = 0; axis < values_.axes(); ++axis) {
            const std::optional<std::int64_t> extent = extentOf(ForallValues::viewOf(element), axis);
            if (extent && *extent < values_.items()[axis]) return false;
        }
        return true;
    }
    /// Whether an expression, or what its variables are made from, mentions the block, other than as the owner of
    /// memory.
    bool dependsOnBlock(const Stmt& part, unsigned depth = 0) const {
        if (const auto* reference = dyn_cast<DeclRefExpr>(&part)) {
            const ValueDecl* declared = reference->getDecl();
            if (const auto* binding = dyn_cast<BindingDecl>(declared)) declared = binding->getDecomposedDecl();
            const auto* variable = dyn_cast_or_null<VarDecl>(declared);
            if (variable == values_.block()->getParamDecl(0)) return true;
            const bool isMade = variable && variable->isLocalVarDecl() && variable->getInit() && depth < 8 &&
                                !isSharedArray(variable->getType());
            return isMade && dependsOnBlock(*variable->getInit(), depth + 1);
        }
        return llvm::any_of(part.children(), [&](const Stmt* child) { return child && dependsOnBlock(*child, depth); });
    }

    /// The array's extent along an axis; nothing if only a call knows it.
    std::optional<std::int64_t> extentOf(const VarDecl& array, unsigned axis) const {
        for (const SharedDeclaration& one : shared_) {
            if (one.variable != &array) continue;
            if (one.count) {
                const auto [known, isNew] = counts_.try_emplace(one.count);
                if (isNew) known->second = values_.knownBetween(*one.count, {});
                return known->second;
            }
            if (axis < one.extents.size()) return static_cast<std::int64_t>(one.extents[axis]);
        }
        return std::nullopt;
    }

    std::optional<BeyondShared> beyond(const CXXOperatorCallExpr& element) const {
        const TaskWay way(values_, element);
        if (!way.isClear) return std::nullopt;
        std::optional<BeyondShared> mistake;
        for (unsigned trial = 0; trial < ForallValues::trials; ++trial) {
            if (!ForallValues::isLarge(trial)) continue;
            Arrivals arrivals(values_, way, element, trial);
            std::optional<BeyondShared> here;
            arrivals.visit(visitedItems(), [&](const Arrival& arrival) {
                // That data may keep items away, or a later trial does, says nothing of this one.
                if (arrival.data || arrivals.isConditional) return false;
                if (!isBeyond(element, arrival)) return true;
                if (isAssumed(element, arrival.setting)) return false;
                here = beyondAt(element, arrival);
                return false;
            });
            if (!here || !arrivals.isKnown || arrivals.isConditional) return std::nullopt;
            if (!mistake) mistake = std::move(here);
        }
        return mistake;
    }

    /// The items along each axis that are looked at: all, or where these are too many, those at its ends, of which one
    /// is mostly the first to leave an array.
    std::vector<std::int64_t> visitedItems() const {
        std::vector<std::int64_t> all = values_.items().vec();
        if (visitsAll_) return all;
        const std::int64_t most = all.size() == 1 ? 64 : all.size() == 2 ? 12 : 6;
        for (std::int64_t& side : all) side = std::min(side, most);
        return all;
    }

    /// Whether a coordinate depends on something of which a call decides.
    bool isAssumed(const CXXOperatorCallExpr& element, const ForallSetting& setting) const {
        return llvm::any_of(llvm::drop_begin(element.arguments()),
                            [&](const Expr* one) { return values_.of(*one, setting).isAssumed; });
    }

    bool isBeyond(const CXXOperatorCallExpr& element, const Arrival& arrival) const {
        const VarDecl& array = ForallValues::viewOf(element);
        for (unsigned axis = 0; axis < arrival.place.size(); ++axis) {
            const std::optional<std::int64_t> extent = extentOf(array, axis);
            if (extent && (arrival.place[axis] < 0 || arrival.place[axis] >= *extent)) return true;
        }
        return false;
    }

    std::optional<BeyondShared> beyondAt(const CXXOperatorCallExpr& element, const Arrival& arrival) const {
        const VarDecl& array = ForallValues::viewOf(element);
        for (unsigned axis = 0; axis < arrival.place.size(); ++axis) {
            const std::optional<std::int64_t> extent = extentOf(array, axis);
            if (!extent || (arrival.place[axis] >= 0 && arrival.place[axis] < *extent)) continue;
            ForallValues::Assumptions assumptions;
            const Expr* data = nullptr;
            (void)placeOf(values_, element, arrival.setting, data, &assumptions);
            const std::string along = arrival.place.size() > 1 ? " along axis " + std::to_string(axis) : "";
            BeyondShared mistake;
            mistake.at = element.getExprLoc();
            mistake.element = element.getSourceRange();
            mistake.array = &array;
            mistake.text = values_.text(element);
            mistake.whose = "the " + std::to_string(*extent) + " elements of '" + array.getNameAsString() + "'" + along;
            mistake.where = values_.blocksBefore() > 0
                                ? "in all blocks but the first ones"
                                : "in item " + taskText(values_, arrival.setting) + ", which reaches " +
                                      std::to_string(arrival.place[axis]) + assumptionText(assumptions);
            mistake.instead = values_.blocksBefore() > 0 ? ofBlock(element) : guard(element, axis, arrival, *extent);
            return mistake;
        }
        return std::nullopt;
    }

    /// "each block has such memory of its own, and its item's element is s[t]".
    std::string ofBlock(const CXXOperatorCallExpr& element) const {
        const std::string item = values_.index().getNameAsString();
        const bool isItem = values_.wholePlace(element, {}).has_value() && !item.empty();
        return "each block has such memory of its own, " +
               (isItem ? "where an item's element is " + values_.text(*element.getArg(0)) + "[" + item + "]"
                       : "whose elements count from 0");
    }
    std::string guard(const CXXOperatorCallExpr& element, unsigned axis, const Arrival& arrival,
                      std::int64_t extent) const {
        const bool isOne = element.getNumArgs() - 1 == arrival.place.size();
        const std::string coordinate =
            values_.text(*element.getArg(isOne ? axis + 1 : 1)) + (isOne ? "" : "[" + std::to_string(axis) + "]");
        const bool isNegative = arrival.place[axis] < 0;
        return "leave out such items, as in if (" + coordinate +
               (isNegative ? " >= 0" : " < " + std::to_string(extent)) + ")" +
               (isNegative ? "" : ", or share more elements");
    }

    ForallValues values_;
    llvm::ArrayRef<SharedDeclaration> shared_;
    bool visitsAll_ = false;
    mutable std::map<const Expr*, std::optional<std::int64_t>> counts_;
};

}  // namespace

std::vector<BeyondShared> findBeyondShared(const FunctionDecl& block, llvm::ArrayRef<std::uint64_t> extents,
                                           llvm::ArrayRef<SharedDeclaration> shared) {
    std::vector<BeyondShared> found;
    if (shared.empty()) return found;
    for (const FunctionDecl* phase : phasesOfItems(block)) BoundsFinder(*phase, block, extents, shared).find(found);
    return found;
}

}  // namespace foldwise
