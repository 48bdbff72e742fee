// generator/frontend/TaskWays.cpp: follows tasks through the conditions and loops around an access.
#include "TaskWays.hpp"

#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <llvm/ADT/StringExtras.h>

#include <algorithm>

namespace foldwise {

using namespace clang;

namespace {

using Kind = ForallValue::Kind;

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

std::string inParentheses(llvm::ArrayRef<std::int64_t> numbers) {
    std::string text = "(";
    llvm::ListSeparator comma;
    for (std::int64_t number : numbers) text += (llvm::StringRef(comma) + std::to_string(number)).str();
    return text + ")";
}

/// Where `for (... = constant; variable < constant; ++variable)` ends, if nothing leaves it earlier.
std::optional<std::int64_t> constantEnd(const Turns& turns) {
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

}  // namespace

TaskWay::TaskWay(const ForallValues& values, const Expr& access) : values_(values) {
    for (const Stmt* inner = &access; inner;) {
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

bool TaskWay::pass(const Stmt& outer, const Stmt& inner) {
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
bool TaskWay::passBefore(const CompoundStmt& block, const Stmt& inner) {
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

bool TaskWay::passLoop(const ForStmt& loop, const Stmt& inner) {
    if (&inner != loop.getBody()) return &inner == loop.getInit();
    if (loop.getCond()) guards.push_back({loop.getCond(), true});
    const auto* header = dyn_cast_or_null<DeclStmt>(loop.getInit());
    const auto* variable = header && header->isSingleDecl() ? dyn_cast<VarDecl>(header->getSingleDecl()) : nullptr;
    if (variable && variable->getInit() && variable->getType()->isIntegerType() && loop.getInc() &&
        values_.isOnlyRead(*variable, loop.getInc()))
        loops.push_back({&loop, variable});
    return true;
}

void Arrivals::visit(llvm::ArrayRef<std::int64_t> sides, llvm::function_ref<bool(const Arrival&)> visit) {
    visit_ = visit;
    std::int64_t count = 1;
    for (const std::int64_t side : sides) count *= side;
    // Blocks may have many items, of which all are looked at.
    constexpr std::int64_t most = 1 << 14;
    const auto visits = [&](std::int64_t turns) {
        std::int64_t all = count;
        for (std::size_t loop = 0; loop < way_.loops.size() && all <= most; ++loop) all *= turns;
        return all;
    };
    while (!values_.items().empty() && mostTurns_ > 1 && visits(mostTurns_) > most) --mostTurns_;
    for (std::int64_t i = 0; i < count && isKnown && goesOn_; ++i) {
        std::int64_t rest = i;
        for (unsigned axis = values_.axes(); axis-- > 0; rest /= sides[axis]) {
            const std::int64_t at = rest % sides[axis];
            const bool isOfEnd = !values_.items().empty() && at >= (sides[axis] + 1) / 2;
            setting_.task[axis] = isOfEnd ? values_.items()[axis] - sides[axis] + at : at;
        }
        enter(0);
    }
}

/// Takes the turns of the loop numbered so, and of those within.
void Arrivals::enter(std::size_t number) {
    if (number == way_.loops.size()) return arrive();
    const Turns& turns = way_.loops[number];
    const ForallValue start = values_.of(*turns.variable->getInit(), setting_, &placeAssumptions);
    if (start.kind != Kind::Number) {
        isKnown = false;
        return;
    }
    // A loop of constants is gone through; of another one the first turn is certain enough.
    const std::optional<std::int64_t> end = constantEnd(turns);
    const std::int64_t count = end ? std::min(*end - start.number, mostTurns_) : 1;
    for (std::int64_t turn = 0; turn < count && isKnown && goesOn_; ++turn) {
        setting_.turns[turns.variable] = start.number + turn;
        enter(number + 1);
    }
    setting_.turns.erase(turns.variable);
}

void Arrivals::arrive() {
    for (const Guard& guard : way_.guards) {
        const ForallValue condition = values_.of(*guard.condition, setting_, &guardAssumptions);
        if (condition.kind == Kind::Unknown) isKnown = false;
        if (!isKnown || (condition.kind == Kind::Number && (condition.number != 0) != guard.holds)) return;
        isConditional |= condition.kind == Kind::Data;
    }
    const Expr* data = nullptr;
    std::optional<std::vector<std::int64_t>> place = placeOf(values_, element_, setting_, data, &placeAssumptions);
    std::optional<ElementPart> part = partOf(values_, accessed_, setting_, data, &placeAssumptions);
    isKnown = place && part;
    goesOn_ = isKnown && visit_({setting_, std::move(*place), std::move(*part), data});
}

/// A coordinate of an element, or of a place in an array that it has, in one task; nothing if it is not known.
static std::optional<std::int64_t> coordinateOf(const ForallValues& values, const Expr& coordinate,
                                                const ForallSetting& setting, const Expr*& data,
                                                ForallValues::Assumptions* assumptions) {
    const ForallValue value = values.of(coordinate, setting, assumptions);
    // A task's own share of what data names, and the rows of a table that data delimits, are common and no races.
    if (value.kind == ForallValue::Kind::Unknown || (value.data && (value.usesTask || value.usesTurn)))
        return std::nullopt;
    if (!data) data = value.data;
    return value.number;
}

std::optional<std::vector<std::int64_t>> placeOf(const ForallValues& values, const CXXOperatorCallExpr& element,
                                                 const ForallSetting& setting, const Expr*& data,
                                                 ForallValues::Assumptions* assumptions) {
    if (std::optional<std::vector<std::int64_t>> whole = values.wholePlace(element, setting.task)) return whole;
    std::vector<std::int64_t> place;
    for (unsigned i = 1; i < element.getNumArgs(); ++i) {
        const std::optional<std::int64_t> at = coordinateOf(values, *element.getArg(i), setting, data, assumptions);
        if (!at) return std::nullopt;
        place.push_back(*at);
    }
    return place;
}

std::optional<ElementPart> partOf(const ForallValues& values, const Expr& accessed, const ForallSetting& setting,
                                  const Expr*& data, ForallValues::Assumptions* assumptions) {
    llvm::SmallVector<const Expr*, 4> steps;  // the innermost part first
    for (const Expr* e = accessed.IgnoreParenImpCasts();;) {
        const auto* member = dyn_cast<MemberExpr>(e);
        const auto* subscript = dyn_cast<ArraySubscriptExpr>(e);
        if (!member && !subscript) break;
        steps.push_back(e);
        e = (member ? member->getBase() : subscript->getBase())->IgnoreParenImpCasts();
    }
    ElementPart part;
    for (const Expr* step : llvm::reverse(steps)) {
        if (const auto* member = dyn_cast<MemberExpr>(step)) {
            const auto* field = dyn_cast<FieldDecl>(member->getMemberDecl());
            if (!field || field->getParent()->isUnion() || field->isBitField()) break;
            part.push_back(reinterpret_cast<std::intptr_t>(field->getCanonicalDecl()));
        } else {
            const std::optional<std::int64_t> place =
                coordinateOf(values, *cast<ArraySubscriptExpr>(step)->getIdx(), setting, data, assumptions);
            if (!place) return std::nullopt;
            part.push_back(*place);
        }
    }
    return part;
}

bool overlap(const ElementPart& a, const ElementPart& b) {
    const std::size_t common = std::min(a.size(), b.size());
    return std::equal(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(common), b.begin());
}

std::vector<std::int64_t> sidesOf(const ForallValues& values, std::int64_t tasks) {
    return values.items().empty() ? std::vector<std::int64_t>(values.axes(), tasks) : values.items().vec();
}

std::string taskText(const ForallValues& values, const ForallSetting& setting) {
    return inParentheses(llvm::ArrayRef(setting.task).take_front(values.axes()));
}
std::string placeText(const std::vector<std::int64_t>& place) {
    return place.size() == 1 ? std::to_string(place.front()) : inParentheses(place);
}
std::string assumptionText(const ForallValues::Assumptions& assumptions) {
    std::string text;
    for (const auto& [name, value] : assumptions)
        text += (text.empty() ? " if " : " and ") + name + " is " + std::to_string(value);
    return text;
}

}  // namespace foldwise
