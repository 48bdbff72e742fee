// generator/frontend/Races.cpp: computes for many tasks which elements they write, and looks for elements that two of
// them write.
#include "Races.hpp"

#include "ForallValues.hpp"

#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <llvm/ADT/StringExtras.h>

#include <algorithm>
#include <optional>

namespace foldwise {

using namespace clang;

namespace {

using Kind = ForallValue::Kind;

/// A write of an element, at a statement or expression of the body.
struct Write {
    const Expr* at;
    SourceLocation place;
    const CXXOperatorCallExpr* element;
    const Expr* target;  ///< What is assigned to: the element, a member of it, or a name for it.
    const Expr* value;   ///< What is assigned, or null.
    bool isUpdate;
};

/// Whether an expression has elements of a view in it, or local variables that were made from some.
bool reads(const Stmt& expression, const ParmVarDecl& view, unsigned depth = 0) {
    if (const auto* reference = dyn_cast<DeclRefExpr>(&expression)) {
        const auto* local = dyn_cast<VarDecl>(reference->getDecl());
        const bool isMade = local && local->isLocalVarDecl() && local->getInit() && depth < 8;
        return local == &view || (isMade && reads(*local->getInit(), view, depth + 1));
    }
    return llvm::any_of(expression.children(), [&](const Stmt* child) { return child && reads(*child, view, depth); });
}

/// The member function of std::atomic_ref that does what an operator does; empty if there is none.
llvm::StringRef atomicName(const Expr& write) {
    if (const auto* unary = dyn_cast<UnaryOperator>(&write)) return unary->isIncrementOp() ? "fetch_add" : "fetch_sub";
    const auto* binary = dyn_cast<BinaryOperator>(&write);
    switch (binary ? binary->getOpcode() : BO_Comma) {
    case BO_Assign:
        return "store";
    case BO_AddAssign:
        return "fetch_add";
    case BO_SubAssign:
        return "fetch_sub";
    case BO_AndAssign:
        return "fetch_and";
    case BO_OrAssign:
        return "fetch_or";
    case BO_XorAssign:
        return "fetch_xor";
    default:
        return "";
    }
}

/// The call of std::atomic_ref that does what a write does: "std::atomic_ref(v[0]).fetch_add(1)". Empty if no single
/// one does, or it would be too long to be read in a message.
std::string atomicCall(const ForallValues& values, const Write& write) {
    const QualType type = write.target->getType();
    const llvm::StringRef name = atomicName(*write.at);
    const std::uint64_t bits = type->isArithmeticType() ? values.context().getTypeSize(type) : 0;
    const bool isReadBefore = name == "store" && write.isUpdate;
    if (name.empty() || isReadBefore || (bits != 32 && bits != 64)) return "";
    const std::string value = write.value ? values.text(*write.value) : "1";
    const std::string call = ("std::atomic_ref(" + values.text(*write.target) + ")." + name + "(" + value + ")").str();
    return call.size() <= 80 && call.find('\n') == std::string::npos ? call : "";
}

/// The writes of a body's own statements; what a lambda within does is not known to happen.
class Writes : public DynamicRecursiveASTVisitor {
  public:
    explicit Writes(const ForallValues& values) : values_(values) {}

    std::vector<Write> found;
    bool hasGoto = false;

    bool VisitGotoStmt(GotoStmt*) override { return hasGoto = true; }
    bool TraverseLambdaExpr(LambdaExpr*) override { return true; }

    bool VisitBinaryOperator(BinaryOperator* e) override {
        if (e->isAssignmentOp()) add(*e, e->getOperatorLoc(), *e->getLHS(), e->getRHS(), e->isCompoundAssignmentOp());
        return true;
    }
    bool VisitUnaryOperator(UnaryOperator* e) override {
        if (e->isIncrementDecrementOp()) add(*e, e->getOperatorLoc(), *e->getSubExpr(), nullptr, true);
        return true;
    }
    bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr* e) override {
        if (e->isAssignmentOp()) {
            const bool isPlain = e->getOperator() == OO_Equal;
            add(*e, e->getOperatorLoc(), *e->getArg(0), isPlain ? e->getArg(1) : nullptr, !isPlain);
        } else if (e->getOperator() == OO_PlusPlus || e->getOperator() == OO_MinusMinus) {
            add(*e, e->getOperatorLoc(), *e->getArg(0), nullptr, true);
        }
        return true;
    }

  private:
    /// The element of a view that an expression is or belongs to, as its member or in an array that it has; null if
    /// none.
    const CXXOperatorCallExpr* target(const Expr& written) const {
        const Expr* e = written.IgnoreParenImpCasts();
        if (const auto* member = dyn_cast<MemberExpr>(e))
            return isa<FieldDecl>(member->getMemberDecl()) && !member->isArrow() ? target(*member->getBase()) : nullptr;
        if (const auto* subscript = dyn_cast<ArraySubscriptExpr>(e)) return target(*subscript->getBase());
        return values_.elementOf(*e);
    }
    void add(const Expr& at, SourceLocation place, const Expr& written, const Expr* value, bool isUpdate) {
        if (const CXXOperatorCallExpr* element = target(written))
            found.push_back({&at, place, element, &written, value,
                             isUpdate || (value && reads(*value, ForallValues::viewOf(*element)))});
    }

    const ForallValues& values_;
};

/// Whether control may leave a statement other than at its end.
class Exits : public DynamicRecursiveASTVisitor {
  public:
    bool VisitReturnStmt(ReturnStmt*) override { return !(found_ = true); }
    bool VisitBreakStmt(BreakStmt*) override { return !(found_ = found_ || loops_ + switches_ == 0); }
    bool VisitContinueStmt(ContinueStmt*) override { return !(found_ = found_ || loops_ == 0); }
    bool TraverseForStmt(ForStmt* s) override {
        return within(loops_, [&] { return DynamicRecursiveASTVisitor::TraverseForStmt(s); });
    }
    bool TraverseWhileStmt(WhileStmt* s) override {
        return within(loops_, [&] { return DynamicRecursiveASTVisitor::TraverseWhileStmt(s); });
    }
    bool TraverseDoStmt(DoStmt* s) override {
        return within(loops_, [&] { return DynamicRecursiveASTVisitor::TraverseDoStmt(s); });
    }
    bool TraverseCXXForRangeStmt(CXXForRangeStmt* s) override {
        return within(loops_, [&] { return DynamicRecursiveASTVisitor::TraverseCXXForRangeStmt(s); });
    }
    bool TraverseSwitchStmt(SwitchStmt* s) override {
        return within(switches_, [&] { return DynamicRecursiveASTVisitor::TraverseSwitchStmt(s); });
    }
    bool TraverseLambdaExpr(LambdaExpr*) override { return true; }

    static bool any(const Stmt& statement) {
        Exits exits;
        exits.TraverseStmt(const_cast<Stmt*>(&statement));
        return exits.found_;
    }

  private:
    template <class Walk> bool within(unsigned& depth, Walk walk) {
        ++depth;
        walk();
        --depth;
        return !found_;
    }

    unsigned loops_ = 0, switches_ = 0;
    bool found_ = false;
};

/// Whether a statement certainly leaves the one that it stands in.
bool alwaysExits(const Stmt& statement) {
    if (const auto* block = dyn_cast<CompoundStmt>(&statement))
        return !block->body_empty() && alwaysExits(*block->body_back());
    return isa<ReturnStmt, BreakStmt, ContinueStmt>(statement);
}

/// What has to hold for a task to come to a write.
struct Guard {
    const Expr* condition;
    bool holds;
};

/// A `for` around a write, with a variable that only its header changes.
struct Turns {
    const ForStmt* loop;
    const VarDecl* variable;
};

/// The way from a body to a write.
class Way {
  public:
    Way(const ForallValues& values, const Write& write) : values_(values) {
        for (const Stmt* inner = write.at; inner;) {
            const Stmt* outer = values.around(*inner);
            if (!outer) break;
            if (!pass(*outer, *inner)) {
                isClear = false;
                return;
            }
            inner = outer;
        }
        std::reverse(loops.begin(), loops.end());
    }

    bool isClear = true;  ///< Else it is not known which tasks come there.
    std::vector<Guard> guards;
    std::vector<Turns> loops;  ///< The outermost first.

    /// Whether what is there decides whether it is overwritten, with values that differ between tasks: each of two
    /// tasks may overwrite what the other has just written.
    bool choosesByElement(const Write& write) const {
        const ParmVarDecl& view = ForallValues::viewOf(*write.element);
        if (!write.value || llvm::none_of(guards, [&](const Guard& guard) { return reads(*guard.condition, view); }))
            return false;
        const ForallValue value = values_.of(*write.value, {});
        return value.kind != Kind::Number || value.usesTask;
    }

  private:
    bool pass(const Stmt& outer, const Stmt& inner) {
        if (const auto* block = dyn_cast<CompoundStmt>(&outer)) return passBefore(*block, inner);
        if (const auto* condition = dyn_cast<IfStmt>(&outer)) {
            if (condition->isConsteval() || condition->isConstexpr() || &inner == condition->getCond()) return true;
            if (&inner == condition->getThen()) guards.push_back({condition->getCond(), true});
            if (condition->getElse() && &inner == condition->getElse()) guards.push_back({condition->getCond(), false});
            return true;
        }
        if (const auto* choice = dyn_cast<ConditionalOperator>(&outer)) {
            if (&inner != choice->getCond()) guards.push_back({choice->getCond(), &inner == choice->getTrueExpr()});
            return true;
        }
        if (const auto* logical = dyn_cast<BinaryOperator>(&outer); logical && logical->isLogicalOp()) {
            if (&inner == logical->getRHS()) guards.push_back({logical->getLHS(), logical->getOpcode() == BO_LAnd});
            return true;
        }
        if (const auto* loop = dyn_cast<ForStmt>(&outer)) return passLoop(*loop, inner);
        if (const auto* loop = dyn_cast<WhileStmt>(&outer)) {
            guards.push_back({loop->getCond(), true});
            return true;
        }
        return !isa<SwitchStmt, SwitchCase, LabelStmt, CXXTryStmt, LambdaExpr>(outer);
    }

    /// What may leave the block before the write is a guard if it is `if (...) return;` or the like.
    bool passBefore(const CompoundStmt& block, const Stmt& inner) {
        for (const Stmt* statement : block.body()) {
            if (statement == &inner) return true;
            const auto* condition = dyn_cast<IfStmt>(statement);
            if (condition && !condition->getElse() && !condition->isConstexpr() && !condition->isConsteval() &&
                alwaysExits(*condition->getThen()))
                guards.push_back({condition->getCond(), false});
            else if (Exits::any(*statement))
                return false;
        }
        return true;
    }

    bool passLoop(const ForStmt& loop, const Stmt& inner) {
        if (&inner != loop.getBody()) return &inner == loop.getInit();
        if (loop.getCond()) guards.push_back({loop.getCond(), true});
        const auto* header = dyn_cast_or_null<DeclStmt>(loop.getInit());
        const auto* variable = header && header->isSingleDecl() ? dyn_cast<VarDecl>(header->getSingleDecl()) : nullptr;
        if (variable && variable->getInit() && variable->getType()->isIntegerType() && loop.getInc() &&
            values_.isOnlyRead(*variable, loop.getInc()))
            loops.push_back({&loop, variable});
        return true;
    }

    const ForallValues& values_;
};

std::string inParentheses(llvm::ArrayRef<std::int64_t> numbers) {
    std::string text = "(";
    llvm::ListSeparator comma;
    for (std::int64_t number : numbers) text += (llvm::StringRef(comma) + std::to_string(number)).str();
    return text + ")";
}

/// Has tasks come to one write, in one trial.
class Meeting {
  public:
    Meeting(const ForallValues& values, const Write& write, const Way& way, unsigned trial)
        : values_(values), write_(write), way_(way) {
        setting_.trial = trial;
        static constexpr std::int64_t sides[] = {2049, 48, 12, 7};  // of so many axes
        const std::int64_t side = sides[values.axes() - 1];
        std::int64_t count = 1;
        for (unsigned axis = 0; axis < values.axes(); ++axis) count *= side;
        for (std::int64_t i = 0; i < count && isKnown && second_.empty(); ++i) {
            std::int64_t rest = i;
            for (unsigned axis = values.axes(); axis-- > 0; rest /= side) setting_.task[axis] = rest % side;
            enter(0);
        }
    }

    bool isKnown = true;
    bool isFound() const { return isKnown && !second_.empty(); }

    Race race() const {
        Race race;
        race.at = write_.place;
        race.element = write_.element->getSourceRange();
        race.view = ForallValues::viewOf(*write_.element).getNameAsString();
        race.isUpdate = write_.isUpdate;
        race.atomic = atomicCall(values_, write_);
        race.first = first_;
        race.second = second_;
        if (data_) {
            race.data = values_.text(*data_);
            return race;
        }
        race.place = place_.size() == 1 ? std::to_string(place_.front()) : inParentheses(place_);
        race.isConditional = isConditional_;
        if (isConditional_) race.assumption = " if both get there";
        for (const auto& [name, value] : assumptions_)
            race.assumption += (race.assumption.empty() ? " if " : " and ") + name + " is " + std::to_string(value);
        return race;
    }

    const Expr* data() const { return data_; }

  private:
    /// Takes the turns of the loop numbered so, and of those within.
    void enter(std::size_t number) {
        if (number == way_.loops.size()) return arrive();
        const Turns& turns = way_.loops[number];
        const ForallValue start = values_.of(*turns.variable->getInit(), setting_, &assumptions_);
        if (start.kind != Kind::Number) {
            isKnown = false;
            return;
        }
        // A loop of constants is gone through; of another one the first turn is certain enough.
        const std::optional<std::int64_t> end = constantEnd(turns);
        const std::int64_t count = end ? std::min<std::int64_t>(*end - start.number, 16) : 1;
        for (std::int64_t turn = 0; turn < count && isKnown && second_.empty(); ++turn) {
            setting_.turns[turns.variable] = start.number + turn;
            enter(number + 1);
        }
        setting_.turns.erase(turns.variable);
    }

    /// Where `for (... = constant; variable < constant; ++variable)` ends, if nothing leaves it earlier.
    std::optional<std::int64_t> constantEnd(const Turns& turns) const {
        const auto* test = dyn_cast_or_null<BinaryOperator>(turns.loop->getCond());
        const auto* step = dyn_cast_or_null<UnaryOperator>(turns.loop->getInc());
        if (!test || !step || !step->isIncrementOp() || (test->getOpcode() != BO_LT && test->getOpcode() != BO_LE))
            return std::nullopt;
        const auto* tested = dyn_cast<DeclRefExpr>(test->getLHS()->IgnoreParenImpCasts());
        if (!tested || tested->getDecl() != turns.variable || Exits::any(*turns.loop->getBody())) return std::nullopt;
        Expr::EvalResult end;
        const ASTContext& context = turns.variable->getASTContext();
        if (test->getRHS()->isValueDependent() || !test->getRHS()->EvaluateAsInt(end, context)) return std::nullopt;
        return end.Val.getInt().getExtValue() + (test->getOpcode() == BO_LE ? 1 : 0);
    }

    void arrive() {
        for (const Guard& guard : way_.guards) {
            const ForallValue condition = values_.of(*guard.condition, setting_, &assumptions_);
            if (condition.kind == Kind::Unknown) isKnown = false;
            if (!isKnown || (condition.kind == Kind::Number && (condition.number != 0) != guard.holds)) return;
            isConditional_ |= condition.kind == Kind::Data;
        }
        std::vector<std::int64_t> place;
        const Expr* data = nullptr;
        for (unsigned i = 1; i < write_.element->getNumArgs(); ++i) {
            const ForallValue value = values_.of(*write_.element->getArg(i), setting_, &assumptions_);
            // A task's own share of what data names, and the rows of a table that data delimits, are common and no
            // races.
            if (value.kind == Kind::Unknown || (value.data && (value.usesTask || value.usesTurn))) {
                isKnown = false;
                return;
            }
            if (!data) data = value.data;
            place.push_back(value.number);
        }
        const std::string task = inParentheses(llvm::ArrayRef(setting_.task).take_front(values_.axes()));
        const auto [met, isNew] = tasks_.try_emplace(place, task);
        if (isNew || met->second == task) return;
        first_ = met->second;
        second_ = task;
        place_ = std::move(place);
        data_ = data;
    }

    const ForallValues& values_;
    const Write& write_;
    const Way& way_;
    ForallSetting setting_;
    ForallValues::Assumptions assumptions_;
    std::map<std::vector<std::int64_t>, std::string> tasks_;
    std::string first_, second_;
    std::vector<std::int64_t> place_;
    const Expr* data_ = nullptr;
    bool isConditional_ = false;
};

/// Two tasks meet only if they do in every trial.
std::optional<Race> findRace(const ForallValues& values, Write write) {
    if (values.isOwn(*write.element)) return std::nullopt;
    const Way way(values, write);
    if (!way.isClear) return std::nullopt;
    write.isUpdate = write.isUpdate || way.choosesByElement(write);
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

}  // namespace

std::vector<Race> findRaces(const FunctionDecl& body) {
    const ForallValues values(body);
    Writes writes(values);
    writes.TraverseStmt(body.getBody());
    std::vector<Race> races;
    if (writes.hasGoto) return races;
    // Nobody writes more in one task; programs that write specs might.
    constexpr std::size_t mostWrites = 100;
    for (const Write& write : llvm::ArrayRef(writes.found).take_front(mostWrites))
        if (std::optional<Race> race = findRace(values, write)) races.push_back(std::move(*race));
    return races;
}

}  // namespace foldwise
