// generator/frontend/UnwrittenElements.cpp: computes which elements of shared memory the items of a block may have
// written, and which they certainly read.
#include "UnwrittenElements.hpp"

#include "BlockRuns.hpp"
#include "Spelling.hpp"
#include "TaskWays.hpp"
#include "Vocabulary.hpp"

#include <llvm/ADT/STLExtras.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>

namespace foldwise {

using namespace clang;

namespace {

using UseKind = SharedUse::Kind;
using Coordinates = std::vector<std::int64_t>;
using Elements = std::set<Coordinates>;

/// In which block something is looked at: one whose items all have elements, or the last one, of which only the first
/// item has.
enum class Where { Whole, Last };

/// A phase with the values that its block's variables have each time that it runs.
struct Phase {
    Phase(const FunctionDecl& body, const FunctionDecl& block, llvm::ArrayRef<std::uint64_t> extents, Where where)
        : values(body, block, extents) {
        if (where == Where::Whole)
            values.assumeInside();
        else
            values.assumeEnd();
        runs = blockRuns(values);
    }
    ForallValues values;
    std::vector<BlockValues> runs;
    bool hasAllRuns() const { return runs.size() < mostBlockRuns; }
};

/// What is known of one array, in one block.
class ArrayFinder {
  public:
    ArrayFinder(const FunctionDecl& block, llvm::ArrayRef<std::uint64_t> extents, const SharedDeclaration& declared,
                const SharedUses& all, Where where, std::int64_t blocksBefore)
        : block_(block), extents_(extents), declared_(declared), all_(all), where_(where), blocksBefore_(blocksBefore) {
        for (const SharedUse& use : all.uses)
            if (&use.array() == declared.variable) uses_.push_back(&use);
        for (const std::uint64_t extent : extents) items_ *= static_cast<std::int64_t>(extent);
    }

    std::optional<UnwrittenElement> find() {
        for (const SharedUse* use : uses_) {
            const PhaseOfBlock& phase = all_.phases[use->phase];
            if (use->kind != UseKind::Read || phase.isOnce() || phase.isConditional) continue;
            const std::optional<Elements> written = writtenBefore(*use);
            if (std::optional<UnwrittenElement> read = written ? readBeside(*use, *written) : std::nullopt) return read;
        }
        return std::nullopt;
    }

  private:
    Phase& phaseOfUse(const SharedUse& use) {
        std::unique_ptr<Phase>& phase = phases_[use.phase];
        if (!phase) phase = std::make_unique<Phase>(*all_.phases[use.phase].body, block_, extents_, where_);
        return *phase;
    }
    bool isAffordable(std::size_t runs) {
        constexpr std::int64_t most = 1 << 15;
        visits_ += items_ * static_cast<std::int64_t>(runs);
        return visits_ <= most;
    }

    /// The elements that may be written when an access reads; nothing if that is not known.
    std::optional<Elements> writtenBefore(const SharedUse& read) {
        Elements all;
        for (const SharedUse* use : uses_) {
            if (use->kind == UseKind::Read || !all_.mayPrecede(*use, read)) continue;
            auto known = written_.find(use);
            if (known == written_.end()) known = written_.emplace(use, writtenBy(*use)).first;
            if (!known->second) return std::nullopt;
            all.insert(known->second->begin(), known->second->end());
        }
        return all;
    }

    std::optional<Elements> writtenBy(const SharedUse& use) {
        if (use.kind == UseKind::Other) return std::nullopt;
        if (all_.phases[use.phase].isOnce()) return constantPlace(*use.element);
        Phase& phase = phaseOfUse(use);
        const TaskWay way(phase.values, *use.at);
        if (!way.isClear || !way.loops.empty() || !phase.hasAllRuns() || !isAffordable(phase.runs.size()))
            return std::nullopt;
        Elements all;
        for (const BlockValues& run : phase.runs) {
            phase.values.setRun(run, blocksBefore_);
            for (std::int64_t item = 0; item < items_; ++item)
                if (!addWritten(use, phase.values, way, settingOf(item), all)) return std::nullopt;
        }
        return all;
    }
    /// Adds what an item may write; returns whether that is known.
    bool addWritten(const SharedUse& use, const ForallValues& values, const TaskWay& way, const ForallSetting& setting,
                    Elements& all) {
        for (const Guard& guard : way.guards) {
            const ForallValue met = values.of(*guard.condition, setting);
            const bool isCertain = met.kind == ForallValue::Kind::Number && (!met.isAssumed || where_ == Where::Last);
            if (!isCertain || (met.number != 0) == guard.holds) continue;
            if (met.isAssumed && !leaving_) leaving_ = {&use, guard.condition};
            return true;
        }
        const Expr* data = nullptr;
        std::optional<Coordinates> element = placeOf(values, *use.element, setting, data);
        if (!element || data || isAssumed(values, *use.element, setting)) return false;
        all.insert(std::move(*element));
        return true;
    }

    std::optional<UnwrittenElement> readBeside(const SharedUse& use, const Elements& written) {
        Phase& phase = phaseOfUse(use);
        ForallValues& values = phase.values;
        const TaskWay way(values, *use.at);
        if (!way.isClear || !isAffordable(phase.runs.size())) return std::nullopt;
        if (where_ == Where::Last && isOnlyKept(*use.at, values)) return std::nullopt;
        std::optional<UnwrittenElement> found;
        for (const BlockValues& run : phase.runs) {
            values.setRun(run, blocksBefore_);
            constexpr unsigned large = 1;
            static_assert(ForallValues::isLarge(large));
            Arrivals arrivals(values, way, *use.element, large);
            arrivals.visit(sidesOf(values, 1), [&](const Arrival& arrival) {
                if (arrivals.isConditional) return false;
                const bool isCertain = !arrival.data && isInside(arrival.place) &&
                                       !isAssumed(values, *use.element, arrival.setting) &&
                                       llvm::none_of(way.guards, [&](const Guard& guard) {
                                           return values.of(*guard.condition, arrival.setting).isAssumed;
                                       });
                if (!isCertain || written.contains(arrival.place)) return true;
                found = readAt(use, values, arrival);
                return false;
            });
            if (found) return found;
        }
        return std::nullopt;
    }
    /// Whether a read only gives a variable of the item its value, which may not be asked for where it is none.
    static bool isOnlyKept(const Expr& read, const ForallValues& values) {
        const Stmt* user = values.around(read);
        while (isa_and_nonnull<CastExpr, ParenExpr, ExprWithCleanups>(user)) user = values.around(*user);
        const auto* assignment = dyn_cast_or_null<BinaryOperator>(user);
        const auto* variable = assignment && assignment->getOpcode() == BO_Assign
                                   ? dyn_cast<CXXOperatorCallExpr>(assignment->getLHS()->IgnoreParens())
                                   : nullptr;
        return isa_and_nonnull<DeclStmt>(user) ||
               (variable && isOwnVariable(variable->getArg(0)->IgnoreParenImpCasts()->getType()));
    }
    UnwrittenElement readAt(const SharedUse& use, const ForallValues& values, const Arrival& arrival) const {
        UnwrittenElement read;
        read.at = use.element->getBeginLoc();
        read.element = use.element->getSourceRange();
        read.array = declared_.variable;
        read.item = taskText(values, arrival.setting);
        read.place = placeText(arrival.place);
        if (!leaving_) return read;
        read.leaving = values.text(*leaving_->condition);
        const auto* store = dyn_cast<BinaryOperator>(leaving_->use->at);
        const auto* condition =
            store ? dyn_cast_or_null<IfStmt>(phases_.at(leaving_->use->phase)->values.around(*store)) : nullptr;
        const bool isPlain = condition && store->getOpcode() == BO_Assign && condition->getThen() == store &&
                             !condition->getElse() && condition->getCond() == leaving_->condition;
        if (!isPlain) return read;
        read.instead = values.text(*store->getLHS()) + " = " + read.leaving + " ? " + values.text(*store->getRHS()) +
                       (declared_.element->isArithmeticType() ? " : 0" : " : {}");
        constexpr std::size_t most = 100;  // that are read in a message
        if (read.instead.size() > most) read.instead.clear();
        return read;
    }

    ForallSetting settingOf(std::int64_t item) const {
        ForallSetting setting{{}, 1};
        for (std::size_t axis = extents_.size(); axis-- > 0;) {
            const auto extent = static_cast<std::int64_t>(extents_[axis]);
            setting.task[axis] = item % extent;
            item /= extent;
        }
        return setting;
    }
    static bool isAssumed(const ForallValues& values, const CXXOperatorCallExpr& element,
                          const ForallSetting& setting) {
        return llvm::any_of(llvm::drop_begin(element.arguments()),
                            [&](const Expr* one) { return values.of(*one, setting).isAssumed; });
    }
    bool isInside(const Coordinates& place) const {
        for (std::size_t axis = 0; axis < place.size(); ++axis)
            if (place[axis] < 0 || place[axis] >= static_cast<std::int64_t>(declared_.extents[axis])) return false;
        return place.size() == declared_.extents.size();
    }
    std::optional<Elements> constantPlace(const CXXOperatorCallExpr& element) const {
        Coordinates place;
        for (const Expr* argument : llvm::drop_begin(element.arguments())) {
            const Expr* e = argument->IgnoreUnlessSpelledInSource();
            Expr::EvalResult value;
            if (!e->getType()->isIntegralOrEnumerationType() || e->isValueDependent() ||
                !e->EvaluateAsInt(value, block_.getASTContext()))
                return std::nullopt;
            place.push_back(value.Val.getInt().getExtValue());
        }
        return Elements{place};
    }

    /// A store that a condition leaves out in the last block.
    struct Leaving {
        const SharedUse* use;
        const Expr* condition;
    };

    const FunctionDecl& block_;
    const llvm::ArrayRef<std::uint64_t> extents_;
    const SharedDeclaration& declared_;
    const SharedUses& all_;
    const Where where_;
    const std::int64_t blocksBefore_;
    std::vector<const SharedUse*> uses_;
    std::int64_t items_ = 1, visits_ = 0;
    std::map<unsigned, std::unique_ptr<Phase>> phases_;
    std::map<const SharedUse*, std::optional<Elements>> written_;
    std::optional<Leaving> leaving_;
};

/// A read that finds nothing in the first block and neither in one behind so many that their items are more than shared
/// memory has elements.
std::optional<UnwrittenElement> findIn(Where where, const FunctionDecl& block, llvm::ArrayRef<std::uint64_t> extents,
                                       const SharedDeclaration& declared, const SharedUses& all) {
    const std::int64_t many = 500'000 / static_cast<std::int64_t>(*std::max_element(extents.begin(), extents.end()));
    const std::optional<UnwrittenElement> first = ArrayFinder(block, extents, declared, all, where, 0).find();
    std::optional<UnwrittenElement> later;
    if (first) later = ArrayFinder(block, extents, declared, all, where, many).find();
    const bool isReason = where == Where::Whole || (later && !later->leaving.empty());
    return later && later->at == first->at && isReason ? later : std::nullopt;
}

}  // namespace

std::vector<UnwrittenElement> findUnwrittenElements(const FunctionDecl& block, llvm::ArrayRef<std::uint64_t> extents,
                                                    llvm::ArrayRef<SharedDeclaration> shared, const SharedUses& all) {
    std::vector<UnwrittenElement> found;
    if (all.hasJumps) return found;
    for (const SharedDeclaration& declared : shared) {
        if (declared.count) continue;
        std::optional<UnwrittenElement> read = findIn(Where::Whole, block, extents, declared, all);
        if (!read) read = findIn(Where::Last, block, extents, declared, all);
        if (read) found.push_back(std::move(*read));
    }
    return found;
}

}  // namespace foldwise
