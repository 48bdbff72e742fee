// generator/frontend/ReadRaces.cpp: computes for a few tasks which elements they read and write, and looks for elements
// that one reads or writes in one place of the source, and another one writes in another.
#include "ReadRaces.hpp"

#include "TaskWays.hpp"

#include <algorithm>

namespace foldwise {

using namespace clang;

namespace {

using Kind = ForallValue::Kind;
using Coordinates = std::vector<std::int64_t>;

/// The number of tasks along each axis. They are few: a call may have no more, as where each adds to its element one
/// that is half an array away.
std::vector<std::int64_t> nearTasks(const ForallValues& values) {
    static constexpr std::int64_t sides[] = {48, 12, 6, 4};  // of so many axes
    return sidesOf(values, sides[values.axes() - 1]);
}

/// Whether what a task assigns is what the element has already.
bool keeps(const ForallValues& values, const Expr& value, const CXXOperatorCallExpr& element,
           const ForallSetting& setting) {
    const Expr* e = value.IgnoreParenImpCasts();
    if (const auto* choice = dyn_cast<ConditionalOperator>(e)) {
        const ForallValue condition = values.of(*choice->getCond(), setting);
        return condition.kind == Kind::Number &&
               keeps(values, condition.number ? *choice->getTrueExpr() : *choice->getFalseExpr(), element, setting);
    }
    const CXXOperatorCallExpr* assigned = values.elementOf(*e);
    if (const auto* reference = dyn_cast<DeclRefExpr>(e); reference && !assigned) {
        const auto* local = dyn_cast<VarDecl>(reference->getDecl());
        return local && local->isLocalVarDecl() && local->getInit() && values.isOnlyRead(*local) &&
               keeps(values, *local->getInit(), element, setting);
    }
    if (!assigned || &ForallValues::viewOf(*assigned) != &ForallValues::viewOf(element)) return false;
    const Expr* data = nullptr;
    const std::optional<Coordinates> from = placeOf(values, *assigned, setting, data);
    return from && !data && from == placeOf(values, element, setting, data);
}

bool changes(const ForallValues& values, const ElementWrite& write, const ForallSetting& setting) {
    const auto* assignment = dyn_cast<BinaryOperator>(write.at);
    const bool isAssigned = write.value && (!assignment || assignment->getOpcode() == BO_Assign);
    return !isAssigned || values.elementOf(*write.target) != write.element ||
           !keeps(values, *write.value, *write.element, setting);
}

/// A task at an access.
struct Visit {
    ForallSetting setting;
    Coordinates element;
    ElementPart part;
};

/// What tasks write: all of them by one access, or one task by all of its accesses.
class Written {
  public:
    void add(const Visit& visit) {
        auto& parts = all_[visit.element];
        const auto isSame = [&](const auto& one) { return one.first == visit.part; };
        if (llvm::none_of(parts, isSame)) parts.emplace_back(visit.part, visit.setting.task);
    }
    /// A task that writes the element of a visit, or what overlaps the part of it, and that is meant; null if none
    /// does.
    const ForallSetting::Task* find(const Visit& visit,
                                    llvm::function_ref<bool(const ForallSetting::Task&)> isMeant) const {
        const auto found = all_.find(visit.element);
        if (found == all_.end()) return nullptr;
        for (const auto& [part, task] : found->second)
            if (overlap(part, visit.part) && isMeant(task)) return &task;
        return nullptr;
    }
    bool has(const Visit& visit) const {
        return find(visit, [](const ForallSetting::Task&) { return true; });
    }

  private:
    std::map<Coordinates, std::vector<std::pair<ElementPart, ForallSetting::Task>>> all_;  ///< A task for each part.
};

/// What tasks do at one access, in one trial.
struct Visits {
    std::vector<Visit> all;
    std::size_t tasks = 0;
    bool areCertain = false;  ///< Whether it is known who comes there, and where that is.
    bool areOfData = false;   ///< Whether data say where that is, and so may say the same to all.
    ForallValues::Assumptions assumptions;

    bool areFew(const ForallValues& values) const {
        std::size_t most = 1;
        for (const std::int64_t side : nearTasks(values)) most *= static_cast<std::size_t>(side);
        return tasks < most / 4;
    }
};

Visits visitsOf(const ForallValues& values, const Expr& at, const CXXOperatorCallExpr& element, const Expr& accessed,
                unsigned trial) {
    Visits visits;
    const TaskWay way(values, at);
    if (!way.isClear) return visits;
    Arrivals arrivals(values, way, element, accessed, trial);
    bool isData = false;
    arrivals.visit(nearTasks(values), [&](const Arrival& arrival) {
        isData |= arrival.data != nullptr;
        if (visits.all.empty() || visits.all.back().setting.task != arrival.setting.task) ++visits.tasks;
        visits.all.push_back({arrival.setting, arrival.place, arrival.part});
        return true;
    });
    visits.areCertain = arrivals.isKnown && !arrivals.isConditional && !isData;
    visits.areOfData = arrivals.isKnown && !arrivals.isConditional && isData;
    visits.assumptions = std::move(arrivals.placeAssumptions);
    return visits;
}

/// What tasks do with one view.
class ViewAccesses {
  public:
    ViewAccesses(const ForallValues& values, const ElementAccesses& accesses, const VarDecl& view) : values_(values) {
        for (const ElementRead& read : accesses.reads)
            if (&ForallValues::viewOf(*read.element) == &view) reads_.push_back(&read);
        for (const ElementWrite& write : accesses.writes)
            if (&ForallValues::viewOf(*write.element) == &view) writes_.push_back(&write);
        for (const ElementRead& update : accesses.updates)
            if (&ForallValues::viewOf(*update.element) == &view) updates_.push_back(&update);
    }

    /// Whether no task can read what another one writes.
    bool areSeparate() const {
        const auto isOwn = [&](const auto* access) { return values_.isOwn(*access->element); };
        return reads_.empty() || writes_.empty() || (llvm::all_of(reads_, isOwn) && llvm::all_of(writes_, isOwn));
    }

    /// Whether two statements write.
    bool hasWritesThatMeet() const { return writes_.size() > 1; }

    /// Whether an item may update by std::atomic_ref what another one writes.
    bool hasUpdatesBesideWrites() const { return values_.block() && !updates_.empty() && !writes_.empty(); }

    void tryAll() {
        for (unsigned number = 0; number < ForallValues::trials; ++number) trials_[number] = tried(number);
    }
    /// An element that one task writes in one statement, and another task in another one.
    std::optional<Race> findWrites() const {
        for (std::size_t first = 0; first < writes_.size(); ++first)
            for (std::size_t second = first + 1; second < writes_.size(); ++second)
                if (std::optional<Race> race = raceOfWrites(first, second)) return race;
        return std::nullopt;
    }
    std::optional<Race> findRead() const {
        for (std::size_t read = 0; read < reads_.size(); ++read)
            for (std::size_t write = 0; write < writes_.size(); ++write)
                if (std::optional<Race> race = raceOf(read, write)) return race;
        return std::nullopt;
    }

    std::optional<Race> findUpdate() const {
        for (std::size_t update = 0; update < updates_.size(); ++update)
            for (std::size_t write = 0; write < writes_.size(); ++write)
                if (std::optional<Race> race = raceOfUpdate(update, write)) return race;
        return std::nullopt;
    }

  private:
    struct Trial {
        std::vector<Visits> reads, writes, updates;
        std::vector<Written> writers;                ///< What each write changes.
        std::map<ForallSetting::Task, Written> own;  ///< What each task writes.
    };

    Trial tried(unsigned number) const {
        Trial trial;
        for (const ElementRead* read : reads_)
            trial.reads.push_back(visitsOf(values_, *read->at, *read->element, *read->at, number));
        for (const ElementRead* update : updates_)
            trial.updates.push_back(visitsOf(values_, *update->at, *update->element, *update->at, number));
        for (const ElementWrite* write : writes_) {
            trial.writes.push_back(visitsOf(values_, *write->at, *write->element, *write->target, number));
            auto& writers = trial.writers.emplace_back();
            for (const Visit& visit : trial.writes.back().all) {
                trial.own[visit.setting.task].add(visit);
                if (changes(values_, *write, visit.setting)) writers.add(visit);
            }
        }
        return trial;
    }

    /// Accesses meet if tasks do in all trials. One with small extents says nothing if these keep most tasks away.
    std::optional<Race> raceOf(std::size_t read, std::size_t write) const {
        std::optional<Race> race;
        for (unsigned number = 0; number < ForallValues::trials; ++number) {
            const Trial& trial = trials_[number];
            const Visits& readers = trial.reads[read];
            const Visits& writers = trial.writes[write];
            if (!readers.areCertain || !writers.areCertain) return std::nullopt;
            if (const Visit* met = metIn(trial, read, write)) {
                if (!race) race = raceAt(*met, trial, read, write);
            } else if (ForallValues::isLarge(number) || !(readers.areFew(values_) || writers.areFew(values_))) {
                return std::nullopt;
            }
        }
        return race;
    }

    /// As raceOf(), of two writes.
    std::optional<Race> raceOfWrites(std::size_t first, std::size_t second) const {
        std::optional<Race> race;
        for (unsigned number = 0; number < ForallValues::trials; ++number) {
            const Trial& trial = trials_[number];
            const Visits &one = trial.writes[first], &other = trial.writes[second];
            if (!one.areCertain || !other.areCertain) return std::nullopt;
            // The first two tasks along each axis: a call may have no more, as where each exchanges two elements.
            const auto isFirst = [&](const ForallSetting::Task& task) {
                return !values_.items().empty() || std::ranges::all_of(task, [](std::int64_t at) { return at < 2; });
            };
            const ForallSetting::Task* writer = nullptr;
            const auto met = std::ranges::find_if(one.all, [&](const Visit& visit) {
                if (!isFirst(visit.setting.task) || !trial.writers[first].has(visit)) return false;
                writer = trial.writers[second].find(visit, [&](const ForallSetting::Task& task) {
                    return isFirst(task) && task != visit.setting.task;
                });
                return writer != nullptr;
            });
            if (met != one.all.end()) {
                if (!race) race = raceOfWritesAt(*met, *writer, trial, first, second);
            } else if (ForallValues::isLarge(number) || !(one.areFew(values_) || other.areFew(values_))) {
                return std::nullopt;
            }
        }
        return race;
    }
    /// Whether both assign one constant.
    bool storesSame(const ElementWrite& first, const ElementWrite& second) const {
        const auto isConstant = [&](const ElementWrite& write) {
            return write.value && !write.isUpdate && write.value->isEvaluatable(values_.context());
        };
        return isConstant(first) && isConstant(second) && values_.text(*first.value) == values_.text(*second.value);
    }
    Race raceOfWritesAt(const Visit& met, const ForallSetting::Task& other, const Trial& trial, std::size_t first,
                        std::size_t second) const {
        ForallValues::Assumptions assumptions = trial.writes[first].assumptions;
        assumptions.insert(trial.writes[second].assumptions.begin(), trial.writes[second].assumptions.end());
        Race race;
        race.at = writes_[second]->place;
        race.element = writes_[second]->element->getSourceRange();
        race.view = ForallValues::viewOf(*writes_[second]->element).getNameAsString();
        race.isUpdate = writes_[first]->isUpdate && writes_[second]->isUpdate;
        race.storesSame = storesSame(*writes_[first], *writes_[second]);
        race.first = taskText(values_, met.setting);
        race.second = taskText(values_, {other});
        race.place = placeText(met.element);
        race.assumption = assumptionText(assumptions);
        return race;
    }

    /// The other task that writes what a visit is to. There is one.
    static ForallSetting::Task otherIn(const Written& written, const Visit& met) {
        return *written.find(met, [&](const ForallSetting::Task& task) { return task != met.setting.task; });
    }

    static bool isOwn(const Trial& trial, const Visit& visit) {
        const auto own = trial.own.find(visit.setting.task);
        return own != trial.own.end() && own->second.has(visit);
    }
    /// A read of an element that another task writes, and the reader does not; null if there is none.
    const Visit* metIn(const Trial& trial, std::size_t read, std::size_t write) const {
        const auto& writers = trial.writers[write];
        for (const Visit& visit : trial.reads[read].all)
            if (writers.has(visit) && !isOwn(trial, visit)) return &visit;
        return nullptr;
    }

    Race raceAt(const Visit& met, const Trial& trial, std::size_t read, std::size_t write) const {
        ForallValues::Assumptions assumptions = trial.reads[read].assumptions;
        assumptions.insert(trial.writes[write].assumptions.begin(), trial.writes[write].assumptions.end());
        Race race;
        race.at = reads_[read]->at->getBeginLoc();
        race.element = reads_[read]->at->getSourceRange();
        race.view = ForallValues::viewOf(*reads_[read]->element).getNameAsString();
        race.first = taskText(values_, met.setting);
        race.second = taskText(values_, {otherIn(trial.writers[write], met)});
        race.place = placeText(met.element);
        race.assumption = assumptionText(assumptions);
        race.written = writes_[write]->place;
        for (const Stmt* outer = reads_[read]->at; outer && !race.isInItsWrite; outer = values_.around(*outer))
            race.isInItsWrite = outer == writes_[write]->at;
        if (race.isInItsWrite && writes_[write]->isUpdate) race.guard = guardOf(*reads_[read], *writes_[write]);
        return race;
    }

    /// An item that updates what another one writes, in each trial.
    std::optional<Race> raceOfUpdate(std::size_t update, std::size_t write) const {
        std::optional<Race> race;
        for (const Trial& trial : trials_) {
            const Visits& updaters = trial.updates[update];
            const auto& writers = trial.writers[write];
            if (!(updaters.areCertain || updaters.areOfData) || !trial.writes[write].areCertain) return std::nullopt;
            const auto met = std::ranges::find_if(updaters.all, [&](const Visit& visit) {
                return writers.find(visit, [&](const ForallSetting::Task& task) { return task != visit.setting.task; });
            });
            if (met == updaters.all.end()) return std::nullopt;
            if (!race) race = raceOfUpdateAt(*met, trial, update, write);
        }
        return race;
    }
    Race raceOfUpdateAt(const Visit& met, const Trial& trial, std::size_t update, std::size_t write) const {
        const Visits& updaters = trial.updates[update];
        const CXXOperatorCallExpr& element = *updates_[update]->element;
        ForallValues::Assumptions assumptions = updaters.assumptions;
        assumptions.insert(trial.writes[write].assumptions.begin(), trial.writes[write].assumptions.end());
        for (std::size_t axis = 0; updaters.areOfData && axis < met.element.size(); ++axis)
            if (element.getNumArgs() - 1 == met.element.size())
                assumptions.emplace(values_.text(*element.getArg(static_cast<unsigned>(axis) + 1)), met.element[axis]);
        Race race;
        race.at = updates_[update]->at->getExprLoc();
        race.element = element.getSourceRange();
        race.view = ForallValues::viewOf(element).getNameAsString();
        race.isBesideAtomic = true;
        race.first = taskText(values_, met.setting);
        race.second = taskText(values_, {otherIn(trial.writers[write], met)});
        race.place = placeText(met.element);
        race.assumption = assumptionText(assumptions);
        race.written = writes_[write]->place;
        return race;
    }

    /// "t < w" for `s[t] += s[t + w]`, where w changes from one run of the phase to the next. For t, the source may
    /// have t[0] or a variable that is the same.
    std::string guardOf(const ElementRead& read, const ElementWrite& write) const {
        if (values_.items().size() != 1 || read.element->getNumArgs() != 2 || write.element->getNumArgs() != 2)
            return "";
        const auto* sum = dyn_cast<BinaryOperator>(read.element->getArg(1)->IgnoreUnlessSpelledInSource());
        if (!sum || sum->getOpcode() != BO_Add || !isItem(*write.element->getArg(1))) return "";
        const bool isFirst = isItem(*sum->getLHS());
        const Expr& item = isFirst ? *sum->getLHS() : *sum->getRHS();
        const Expr& width = *(isFirst ? sum->getRHS() : sum->getLHS())->IgnoreParenImpCasts();
        const auto* reference = dyn_cast<DeclRefExpr>(&width);
        const auto* variable = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
        if (!isItem(item) || !variable || !values_.isOfRun(*variable)) return "";
        return values_.text(*item.IgnoreUnlessSpelledInSource()) + " < " + values_.text(width);
    }
    /// Whether an expression is the item's place along the only axis.
    bool isItem(const Expr& e) const {
        constexpr std::int64_t places[] = {0, 3};
        return llvm::all_of(places, [&](std::int64_t place) {
            const ForallValue value = values_.of(e, {{place}});
            return value.kind == Kind::Number && value.usesTask && !value.isAssumed && value.number == place;
        });
    }

    const ForallValues& values_;
    std::vector<const ElementRead*> reads_, updates_;
    std::vector<const ElementWrite*> writes_;
    std::array<Trial, ForallValues::trials> trials_;
};

}  // namespace

std::optional<Race> findRaceOfTwo(const ForallValues& values, const ElementAccesses& accesses, const VarDecl& view) {
    if (accesses.asksAtomics) return std::nullopt;
    ViewAccesses all(values, accesses, view);
    const bool areSeparate = all.areSeparate(), hasUpdates = all.hasUpdatesBesideWrites();
    if (areSeparate && !all.hasWritesThatMeet() && !hasUpdates) return std::nullopt;
    all.tryAll();
    std::optional<Race> race = all.findWrites();
    if (!race && !areSeparate) race = all.findRead();
    return race || !hasUpdates ? race : all.findUpdate();
}

}  // namespace foldwise
