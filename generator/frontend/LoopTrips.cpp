// generator/frontend/LoopTrips.cpp: simulates a counted loop's counter without its body.
#include "LoopTrips.hpp"

#include "Loops.hpp"
#include "SystemCalls.hpp"

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>

namespace foldwise {

using namespace clang;

/// Beyond it a counter is no longer run, and its loop counts as one of unknown trips.
static constexpr std::uint64_t mostTrips = 1'000'000;

static bool isLoop(const Stmt& s) { return isa<ForStmt, CXXForRangeStmt, WhileStmt, DoStmt>(s); }

/// Whether a loop's body can end the loop. `breaks`: whether a `break` here would.
static bool leaves(const Stmt* s, bool breaks = true) {
    if (!s || isa<LambdaExpr>(s)) return false;
    if (isa<ReturnStmt, GotoStmt, IndirectGotoStmt>(s) || (breaks && isa<BreakStmt>(s))) return true;
    const bool inner = breaks && !isLoop(*s) && !isa<SwitchStmt>(s);
    return llvm::any_of(s->children(), [&](const Stmt* child) { return leaves(child, inner); });
}

static std::optional<std::int64_t> valueOf(const Expr* e, const ASTContext& context) {
    if (!e || e->isValueDependent()) return std::nullopt;
    Expr::EvalResult result;
    if (!e->EvaluateAsInt(result, context)) return std::nullopt;
    return result.Val.getInt().tryExtValue();
}

namespace {

/// i += step, or another operator.
struct Step {
    BinaryOperatorKind operation;
    std::int64_t by;
};

}  // namespace

static std::optional<Step> stepOf(const Expr* increment, const VarDecl& variable, const ASTContext& context) {
    if (!increment) return std::nullopt;
    increment = increment->IgnoreParenImpCasts();
    if (const auto* unary = dyn_cast<UnaryOperator>(increment);
        unary && variableIn(*unary->getSubExpr()) == &variable) {
        if (unary->isIncrementOp()) return Step{BO_Add, 1};
        if (unary->isDecrementOp()) return Step{BO_Sub, 1};
    }
    const auto* compound = dyn_cast<CompoundAssignOperator>(increment);
    if (!compound || variableIn(*compound->getLHS()) != &variable) return std::nullopt;
    const std::optional<std::int64_t> by = valueOf(compound->getRHS(), context);
    if (!by) return std::nullopt;
    return Step{BinaryOperator::getOpForCompoundAssignment(compound->getOpcode()), *by};
}

/// Nothing where the result is not defined, or not one that a counter has.
static std::optional<std::int64_t> stepped(std::int64_t value, Step step) {
    std::int64_t result = 0;
    const bool shifts = step.by >= 0 && step.by < 63 && value >= 0;
    switch (step.operation) {
    case BO_Add:
        return llvm::AddOverflow(value, step.by, result) ? std::nullopt : std::optional(result);
    case BO_Sub:
        return llvm::SubOverflow(value, step.by, result) ? std::nullopt : std::optional(result);
    case BO_Mul:
        return llvm::MulOverflow(value, step.by, result) ? std::nullopt : std::optional(result);
    case BO_Div:
        return step.by > 0 ? std::optional(value / step.by) : std::nullopt;
    case BO_Shl:
        return shifts && value <= (INT64_MAX >> step.by) ? std::optional(value << step.by) : std::nullopt;
    case BO_Shr:
        return shifts ? std::optional(value >> step.by) : std::nullopt;
    default:
        return std::nullopt;
    }
}

static bool holds(std::int64_t a, BinaryOperatorKind comparison, std::int64_t b) {
    switch (comparison) {
    case BO_LT:
        return a < b;
    case BO_LE:
        return a <= b;
    case BO_GT:
        return a > b;
    case BO_GE:
        return a >= b;
    default:
        return a != b;
    }
}

std::optional<std::uint64_t> tripsOf(const ForStmt& loop, const ASTContext& context) {
    const auto* init = dyn_cast_or_null<DeclStmt>(loop.getInit());
    const auto* condition = loop.getCond() ? dyn_cast<BinaryOperator>(loop.getCond()->IgnoreParenImpCasts()) : nullptr;
    if (!init || !init->isSingleDecl() || !condition || condition->getOpcode() == BO_EQ) return std::nullopt;
    if (!condition->isRelationalOp() && condition->getOpcode() != BO_NE) return std::nullopt;
    const auto* variable = dyn_cast<VarDecl>(init->getSingleDecl());
    if (!variable || !variable->getType()->isIntegerType()) return std::nullopt;
    const bool isLeft = variableIn(*condition->getLHS()) == variable;
    if (!isLeft && variableIn(*condition->getRHS()) != variable) return std::nullopt;
    const Expr* limit = isLeft ? condition->getRHS() : condition->getLHS();
    const BinaryOperatorKind comparison = isLeft || condition->getOpcode() == BO_NE
                                              ? condition->getOpcode()
                                              : BinaryOperator::reverseComparisonOp(condition->getOpcode());
    std::optional<std::int64_t> value = valueOf(variable->getInit(), context);
    const std::optional<std::int64_t> bound = valueOf(limit, context);
    const std::optional<Step> step = stepOf(loop.getInc(), *variable, context);
    if (!value || !bound || !step || leaves(loop.getBody())) return std::nullopt;
    if (!Changes(*loop.getBody(), context).of(*variable).empty()) return std::nullopt;
    // An unsigned counter wraps where a signed one goes below zero.
    const bool wraps = variable->getType()->isUnsignedIntegerType();
    std::uint64_t trips = 0;
    for (; holds(*value, comparison, *bound); ++trips) {
        value = stepped(*value, *step);
        if (!value || trips == mostTrips || (wraps && *value < 0)) return std::nullopt;
    }
    return trips;
}

std::optional<std::uint64_t> tripsOf(const CXXForRangeStmt& loop, const ASTContext& context) {
    if (leaves(loop.getBody())) return std::nullopt;
    const QualType range = loop.getRangeInit()->getType().getNonReferenceType();
    if (const ConstantArrayType* array = context.getAsConstantArrayType(range)) return array->getSize().getZExtValue();
    const auto* record = dyn_cast_or_null<ClassTemplateSpecializationDecl>(range->getAsCXXRecordDecl());
    if (!record || plainName(*record) != "std::array") return std::nullopt;
    return record->getTemplateArgs()[1].getAsIntegral().getZExtValue();
}

/// How often the innermost loops of a statement run their bodies altogether; 0 if it has no loops. Nothing if that is
/// not constant, or if something is called that may be long.
static std::optional<std::uint64_t> turnsWithin(const Stmt& statement, const ASTContext& context) {
    if (isa<CallExpr>(statement) && !isa<CXXOperatorCallExpr, CXXMemberCallExpr>(statement)) return std::nullopt;
    std::uint64_t turns = 0;
    for (const Stmt* part : statement.children()) {
        const std::optional<std::uint64_t> within = part ? turnsWithin(*part, context) : 0;
        if (!within) return std::nullopt;
        turns += *within;
    }
    if (!isLoop(statement)) return turns;
    const auto* loop = dyn_cast<ForStmt>(&statement);
    const std::optional<std::uint64_t> trips = loop ? tripsOf(*loop, context) : std::nullopt;
    constexpr std::uint64_t most = std::uint64_t{1} << 20;  // so that products do not overflow
    if (!trips || *trips > most || turns > most) return std::nullopt;
    return *trips * std::max(turns, std::uint64_t{1});
}

/// Only where statements follow one another, or in the body of another loop, may a pragma stand before one.
static void addUnrolled(const Stmt& statement, const ASTContext& context,
                        llvm::SmallVectorImpl<const ForStmt*>& found) {
    constexpr std::uint64_t mostTurns = 1024;
    const auto* loop = dyn_cast<ForStmt>(&statement);
    if (loop && loop->getBody()) {
        const std::optional<std::uint64_t> within = turnsWithin(*loop->getBody(), context);
        const std::optional<std::uint64_t> turns = turnsWithin(*loop, context);
        if (turns && within && *within > 0 && *turns <= mostTurns) found.push_back(loop);
        addUnrolled(*loop->getBody(), context, found);
    } else if (const auto* several = dyn_cast<CompoundStmt>(&statement)) {
        for (const Stmt* part : several->body()) addUnrolled(*part, context, found);
    } else if (!isa<Expr>(statement)) {
        // What the user says of a loop in a pragma holds.
        for (const Stmt* part : statement.children())
            if (part && isa<CompoundStmt>(part)) addUnrolled(*part, context, found);
    }
}

llvm::SmallVector<const ForStmt*, 4> unrolledLoops(const Stmt& statement, const ASTContext& context) {
    llvm::SmallVector<const ForStmt*, 4> found;
    addUnrolled(statement, context, found);
    return found;
}

}  // namespace foldwise
