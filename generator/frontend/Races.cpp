// generator/frontend/Races.cpp: computes for many tasks which elements they write, and looks for elements that two of
// them write.
#include "Races.hpp"

#include "AtomicCalls.hpp"
#include "BlockPhases.hpp"
#include "BlockRuns.hpp"
#include "ElementAccesses.hpp"
#include "ReadRaces.hpp"
#include "TaskWays.hpp"

#include <llvm/ADT/SmallPtrSet.h>

#include <algorithm>

#include <optional>

namespace foldwise {

using namespace clang;

namespace {

using Kind = ForallValue::Kind;

/// Whether an expression has the same value in all tasks, as far as can be seen without following it.
bool isOfAllTasks(const Stmt& expression, const ParmVarDecl& index) {
    const auto isView = [](QualType type) {
        const CXXRecordDecl* record = type.getNonReferenceType()->getAsCXXRecordDecl();
        return record && record->getQualifiedNameAsString() == "foldwise::view";
    };
    if (const auto* reference = dyn_cast<DeclRefExpr>(&expression)) {
        const ValueDecl& declared = *reference->getDecl();
        const auto* variable = dyn_cast<VarDecl>(&declared);
        if (isa<BindingDecl>(declared) || (variable && variable->isLocalVarDecl())) return false;
        return &declared != &index && !(variable && isView(variable->getType()));
    }
    return llvm::all_of(expression.children(),
                        [&](const Stmt* child) { return !child || isOfAllTasks(*child, index); });
}

/// The call of std::atomic_ref that does what a write does. Empty if no single one does.
std::string atomicInstead(const ForallValues& values, const ElementWrite& write) {
    const llvm::StringRef name = atomicName(*write.at);
    const bool isReadBefore = name == "store" && write.isUpdate;
    // Of different values one would be kept, whichever that is.
    const bool isLost = name == "store" && !(write.value && isOfAllTasks(*write.value, values.index()));
    if (isReadBefore || isLost) return "";
    return atomicCall(*write.target, name, write.value, values.context());
}

/// Whether what is there decides whether it is overwritten, with values that differ between tasks: each of two tasks
/// may overwrite what the other has just written.
bool choosesByElement(const ForallValues& values, const ElementWrite& write, const TaskWay& way) {
    const VarDecl& view = ForallValues::viewOf(*write.element);
    if (!write.value ||
        llvm::none_of(way.guards, [&](const Guard& guard) { return readsView(*guard.condition, view); }))
        return false;
    const ForallValue value = values.of(*write.value, {});
    return value.kind != Kind::Number || value.usesTask;
}

/// Has tasks come to one write, in one trial.
class Meeting {
  public:
    Meeting(const ForallValues& values, const ElementWrite& write, const TaskWay& way, unsigned trial)
        : values_(values), write_(write), arrivals_(values, way, *write.element, *write.target, trial) {
        static constexpr std::int64_t sides[] = {2049, 48, 12, 7};  // of so many axes
        arrivals_.visit(sidesOf(values, sides[values.axes() - 1]),
                        [&](const Arrival& arrival) { return !meets(arrival); });
    }

    bool isFound() const { return arrivals_.isKnown && !second_.empty(); }
    const Expr* data() const { return data_; }

    Race race() const {
        Race race;
        race.at = write_.place;
        race.element = write_.element->getSourceRange();
        race.view = ForallValues::viewOf(*write_.element).getNameAsString();
        race.isUpdate = write_.isUpdate;
        race.atomic = atomicInstead(values_, write_);
        race.storesSame = write_.value && !write_.isUpdate && isOfAllTasks(*write_.value, values_.index());
        race.first = first_;
        race.second = second_;
        if (data_) {
            race.data = values_.text(*data_);
            return race;
        }
        race.place = placeText(place_);
        race.isConditional = arrivals_.isConditional;
        ForallValues::Assumptions assumptions = arrivals_.guardAssumptions;
        assumptions.insert(arrivals_.placeAssumptions.begin(), arrivals_.placeAssumptions.end());
        race.assumption = assumptionText(assumptions);
        if (race.isConditional)
            race.assumption = " if both get there" + (assumptions.empty() ? "" : " and" + race.assumption.substr(3));
        return race;
    }

  private:
    bool meets(const Arrival& arrival) {
        const std::string task = taskText(values_, arrival.setting);
        const auto [met, isNew] = tasks_.try_emplace({arrival.place, arrival.part}, task);
        if (isNew || met->second == task) return false;
        first_ = met->second;
        second_ = task;
        place_ = arrival.place;
        data_ = arrival.data;
        return true;
    }

    const ForallValues& values_;
    const ElementWrite& write_;
    Arrivals arrivals_;
    std::map<std::pair<std::vector<std::int64_t>, ElementPart>, std::string> tasks_;
    std::string first_, second_;
    std::vector<std::int64_t> place_;
    const Expr* data_ = nullptr;
};

/// Two tasks meet only if they do in every trial.
std::optional<Race> findWriteRace(const ForallValues& values, ElementWrite write) {
    if (values.isOwn(*write.element)) return std::nullopt;
    const TaskWay way(values, *write.at);
    if (!way.isClear) return std::nullopt;
    write.isUpdate = write.isUpdate || choosesByElement(values, write, way);
    std::optional<Race> race;
    for (unsigned trial = 0; trial < ForallValues::trials; ++trial) {
        const Meeting meeting(values, write, way, trial);
        if (!meeting.isFound()) return std::nullopt;
        // Places that come from data may well differ, if they are only written.
        if (meeting.data() && !write.isUpdate) return std::nullopt;
        if (!race) race = meeting.race();
    }
    return race;
}

std::vector<Race> findRaces(const ForallValues& values, const ElementAccesses& accesses,
                            llvm::ArrayRef<const VarDecl*> arrays) {
    std::vector<Race> races;
    llvm::SmallPtrSet<const VarDecl*, 4> told;
    for (const ElementWrite& write : accesses.writes)
        if (llvm::is_contained(arrays, &ForallValues::viewOf(*write.element)))
            if (std::optional<Race> race = findWriteRace(values, write)) {
                races.push_back(std::move(*race));
                told.insert(&ForallValues::viewOf(*write.element));
            }
    for (const AtomicRewrite& rewrite : accesses.rewrites)
        if (llvm::is_contained(arrays, &ForallValues::viewOf(*rewrite.store.element)))
            if (std::optional<Race> race = findWriteRace(values, rewrite.store)) {
                race->isAtomic = true;
                race->atomic = rewrite.instead;
                races.push_back(std::move(*race));
            }
    for (const VarDecl* array : arrays)
        if (!told.contains(array))
            if (std::optional<Race> race = findRaceOfTwo(values, accesses, *array)) races.push_back(std::move(*race));
    return races;
}

/// The accesses that are looked at; none if it is not known where control goes.
ElementAccesses accessesIn(const FunctionDecl& body, const ForallValues& values) {
    ElementAccesses accesses = elementAccesses(body, values);
    if (accesses.hasGoto) return {};
    // Nobody reads or writes more in one task; programs that write specs might.
    std::size_t most = 100, items = 1;
    for (const std::int64_t side : values.items()) items *= static_cast<std::size_t>(side);
    constexpr std::size_t mostVisits = 1 << 15, fewest = 8;
    most = std::clamp(mostVisits / items, fewest, most);
    accesses.writes.resize(std::min(accesses.writes.size(), most));
    accesses.reads.resize(std::min(accesses.reads.size(), most));
    accesses.updates.resize(std::min(accesses.updates.size(), most));
    return accesses;
}

/// The races of one phase, in the first of its runs that has some.
std::vector<Race> findPhaseRaces(const FunctionDecl& phase, const FunctionDecl& block,
                                 llvm::ArrayRef<std::uint64_t> extents) {
    ForallValues values(phase, block, extents);
    const ElementAccesses accesses = accessesIn(phase, values);
    std::vector<const VarDecl*> shared;
    const auto add = [&](const ElementWrite& write) {
        const VarDecl& array = ForallValues::viewOf(*write.element);
        if (!isa<ParmVarDecl>(array) && !llvm::is_contained(shared, &array)) shared.push_back(&array);
    };
    for (const ElementWrite& write : accesses.writes) add(write);
    for (const AtomicRewrite& rewrite : accesses.rewrites) add(rewrite.store);
    if (shared.empty()) return {};
    for (BlockValues& run : blockRuns(values)) {
        values.setRun(std::move(run));
        std::vector<Race> races = findRaces(values, accesses, shared);
        // What several items clear, and a flag that some set as data say, may be meant so.
        llvm::erase_if(races, [](const Race& race) {
            return !race.written.isValid() && !race.isUpdate && (race.isConditional || race.storesSame);
        });
        if (!races.empty()) return races;
    }
    return {};
}

}  // namespace

std::vector<Race> findRaces(const FunctionDecl& body) {
    const ForallValues values(body);
    const auto views = body.parameters().drop_front();
    return findRaces(values, accessesIn(body, values), std::vector<const VarDecl*>(views.begin(), views.end()));
}

std::vector<Race> findPhaseRaces(const FunctionDecl& block, llvm::ArrayRef<std::uint64_t> extents) {
    std::vector<Race> races;
    for (const FunctionDecl* phase : phasesOfItems(block))
        for (Race& race : findPhaseRaces(*phase, block, extents)) races.push_back(std::move(race));
    return races;
}

}  // namespace foldwise
