// generator/frontend/Loops.cpp: finds changes of variables, counted loops, and the variables that unrolling makes
// constant.
#include "Loops.hpp"

#include "RunTimeVisitor.hpp"

#include <clang/AST/ExprCXX.h>

namespace foldwise {

using namespace clang;

const VarDecl* variableIn(const Expr& e) {
    const auto* reference = dyn_cast<DeclRefExpr>(e.IgnoreParenImpCasts());
    return reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
}

/// The variable that an operand of a comparison reads or, as in `n--` and `n /= 2`, changes.
static const VarDecl* steppedIn(const Expr& e) {
    const Expr* inner = e.IgnoreParenImpCasts();
    if (const auto* unary = dyn_cast<UnaryOperator>(inner); unary && unary->isIncrementDecrementOp())
        inner = unary->getSubExpr();
    else if (const auto* assignment = dyn_cast<CompoundAssignOperator>(inner))
        inner = assignment->getLHS();
    return variableIn(*inner);
}

/// Appends to `parts` the operands of a chain of `by`, which is && or ||.
static void split(const Expr& e, BinaryOperatorKind by, llvm::SmallVectorImpl<const Expr*>& parts) {
    const Expr* inner = e.IgnoreParenImpCasts();
    if (const auto* binary = dyn_cast<BinaryOperator>(inner); binary && binary->getOpcode() == by) {
        split(*binary->getLHS(), by, parts);
        split(*binary->getRHS(), by, parts);
    } else {
        parts.push_back(inner);
    }
}

// ---- Changes --------------------------------------------------------------------------------------------------------

/// Sorts the references to variables into reads, steps, assignments, and what it cannot follow.
class Changes::Collector : public RunTimeVisitor {
  public:
    Collector(Changes& changes, const ASTContext& context) : RunTimeVisitor(context), changes_(changes) {}

    bool VisitImplicitCastExpr(ImplicitCastExpr* e) override {
        const bool isRead =
            e->getCastKind() == CK_LValueToRValue || (e->getCastKind() == CK_NoOp && e->getType().isConstQualified());
        if (isRead) understandRead(*e->getSubExpr());
        return true;
    }
    bool VisitUnaryOperator(UnaryOperator* e) override {
        if (e->isIncrementDecrementOp()) add(*e->getSubExpr(), {true, nullptr, true});
        return true;
    }
    bool VisitBinaryOperator(BinaryOperator* e) override {
        if (e->getOpcode() == BO_Assign) add(*e->getLHS(), {isStepOf(*e), e->getRHS(), true});
        return true;
    }
    bool VisitCompoundAssignOperator(CompoundAssignOperator* e) override {
        add(*e->getLHS(), {isStepping(e->getOpcode()), e->getRHS(), true});
        return true;
    }
    bool VisitDeclRefExpr(DeclRefExpr* e) override {
        const auto* variable = dyn_cast<VarDecl>(e->getDecl());
        const bool isSeen = understood_.contains(e) || e->isNonOdrUse() == NOUR_Constant;
        if (variable && !isSeen && !variable->getType().isConstQualified()) changes_.changes_[variable].push_back({});
        return true;
    }

  private:
    /// A statement is visited before the parts of it.
    void understand(const Expr& e) {
        if (const auto* reference = dyn_cast<DeclRefExpr>(e.IgnoreParens())) understood_.insert(reference);
    }
    /// Each of the variables that a conditional operator chooses from is read at most.
    void understandRead(const Expr& e) {
        if (const auto* choice = dyn_cast<ConditionalOperator>(e.IgnoreParens())) {
            understandRead(*choice->getTrueExpr());
            understandRead(*choice->getFalseExpr());
        } else {
            understand(e);
        }
    }
    void add(const Expr& changed, Change change) {
        understand(changed);
        if (const VarDecl* variable = variableIn(changed)) changes_.changes_[variable].push_back(change);
    }
    static bool isStepping(BinaryOperatorKind opcode) {
        switch (opcode) {
        case BO_AddAssign:
        case BO_SubAssign:
        case BO_MulAssign:
        case BO_DivAssign:
        case BO_ShlAssign:
        case BO_ShrAssign:
        case BO_AndAssign:
            return true;
        default:
            return false;
        }
    }
    /// x = x op y, with an operator that steps; & is one in x & (x - 1).
    static bool isStepOf(const BinaryOperator& assignment) {
        const auto* binary = dyn_cast<BinaryOperator>(assignment.getRHS()->IgnoreParenImpCasts());
        const VarDecl* variable = variableIn(*assignment.getLHS());
        if (!binary || !variable || variableIn(*binary->getLHS()) != variable) return false;
        switch (binary->getOpcode()) {
        case BO_Add:
        case BO_Sub:
        case BO_Mul:
        case BO_Div:
        case BO_Shl:
        case BO_Shr:
        case BO_And:
            return true;
        default:
            return false;
        }
    }

    Changes& changes_;
    llvm::DenseSet<const DeclRefExpr*> understood_;
};

Changes::Changes(const Stmt& statement, const ASTContext& context) {
    Collector(*this, context).TraverseStmt(const_cast<Stmt*>(&statement));
}

llvm::ArrayRef<Changes::Change> Changes::of(const VarDecl& variable) const {
    const auto found = changes_.find(&variable);
    return found == changes_.end() ? llvm::ArrayRef<Change>() : llvm::ArrayRef<Change>(found->second);
}

// ---- Counted loops --------------------------------------------------------------------------------------------------

namespace {

/// Looks for the tests by which a loop may end.
class Tests : public RunTimeVisitor {
  public:
    Tests(const Stmt& loop, const ASTContext& context)
        : RunTimeVisitor(context), context_(context), changes_(loop, context) {}

    bool counts(const Expr* condition, BinaryOperatorKind by) const {
        if (!condition) return false;
        llvm::SmallVector<const Expr*, 4> parts;
        split(*condition, by, parts);
        return llvm::any_of(parts, [this](const Expr* part) { return counts(*part); });
    }
    bool VisitIfStmt(IfStmt* s) override {
        const Stmt* then = s->getThen();
        if (const auto* block = dyn_cast<CompoundStmt>(then); block && !block->body_empty()) then = block->body_back();
        found |= isa<BreakStmt, ReturnStmt>(then) && counts(s->getCond(), BO_LOr);
        return true;
    }
    // A break in an inner loop ends that loop only, so inner loops are not searched.
    bool TraverseForStmt(ForStmt*) override { return true; }
    bool TraverseWhileStmt(WhileStmt*) override { return true; }
    bool TraverseDoStmt(DoStmt*) override { return true; }
    bool TraverseCXXForRangeStmt(CXXForRangeStmt*) override { return true; }

    bool found = false;

  private:
    bool counts(const Expr& test) const {
        if (isStepped(steppedIn(test))) return true;  // `n`, or `n--`, for `n != 0`
        const auto* comparison = dyn_cast<BinaryOperator>(&test);
        if (!comparison || !comparison->isComparisonOp()) return false;
        const Expr &left = *comparison->getLHS(), &right = *comparison->getRHS();
        return (isStepped(steppedIn(left)) && isLeftAlone(right)) || (isStepped(steppedIn(right)) && isLeftAlone(left));
    }
    bool isStepped(const VarDecl* variable) const {
        if (!variable || !(variable->getType()->isIntegerType() || variable->getType()->isPointerType() ||
                           variable->getType()->isRealFloatingType()))
            return false;
        const auto changes = changes_.of(*variable);
        const bool isFloat = variable->getType()->isRealFloatingType();
        return !changes.empty() && llvm::all_of(changes, [&](const Changes::Change& change) {
            const bool isConstant = !change.by || change.by->isEvaluatable(context_);
            return change.isStep && (!isFloat || isConstant);
        });
    }
    bool isLeftAlone(const Expr& e) const {
        struct Reads : RunTimeVisitor {
            Reads(const Changes& all, const ASTContext& context) : RunTimeVisitor(context), changes(all) {}
            bool VisitDeclRefExpr(DeclRefExpr* reference) override {
                const auto* variable = dyn_cast<VarDecl>(reference->getDecl());
                changed |= variable && !changes.of(*variable).empty();
                return true;
            }
            const Changes& changes;
            bool changed = false;
        } reads(changes_, context_);
        reads.TraverseStmt(const_cast<Expr*>(&e));
        return !reads.changed;
    }

    const ASTContext& context_;
    Changes changes_;
};

}  // namespace

/// The condition of a loop; null if it is a range-based for or a for without a condition.
static const Expr* conditionOf(const Stmt& loop) {
    if (const auto* s = dyn_cast<ForStmt>(&loop)) return s->getCond();
    if (const auto* s = dyn_cast<WhileStmt>(&loop)) return s->getCond();
    if (const auto* s = dyn_cast<DoStmt>(&loop)) return s->getCond();
    return nullptr;
}

static const Stmt* bodyOf(const Stmt& loop) {
    if (const auto* s = dyn_cast<ForStmt>(&loop)) return s->getBody();
    if (const auto* s = dyn_cast<WhileStmt>(&loop)) return s->getBody();
    return cast<DoStmt>(loop).getBody();
}

/// Whether a loop is a `do ... while (false)`, in which macros wrap their statements.
static bool runsOnce(const Stmt& loop, const ASTContext& context) {
    bool condition = true;
    return isa<DoStmt>(loop) && conditionOf(loop)->EvaluateAsBooleanCondition(condition, context) && !condition;
}

bool isCounted(const Stmt& loop, const ASTContext& context) {
    if (isa<CXXForRangeStmt>(loop) || runsOnce(loop, context)) return true;
    Tests tests(loop, context);
    if (tests.counts(conditionOf(loop), BO_LAnd)) return true;
    tests.TraverseStmt(const_cast<Stmt*>(bodyOf(loop)));
    return tests.found;
}

// ---- Unrolling ------------------------------------------------------------------------------------------------------

/// The longest loop that counts as unrolled: nvcc 13.0 fully unrolled loops of this length in every case that was
/// tried, and an array that is kept in registers cannot have more elements.
static constexpr int mostTurns = 256;

namespace {

/// Collects the comparisons in the conditions of loops.
struct LoopTests : RunTimeVisitor {
    LoopTests(llvm::SmallVectorImpl<const BinaryOperator*>& all, const ASTContext& context)
        : RunTimeVisitor(context), tests(all) {}
    bool VisitStmt(Stmt* s) override {
        if (!isa<ForStmt, WhileStmt, DoStmt>(s) || !conditionOf(*s)) return true;
        llvm::SmallVector<const Expr*, 4> parts;
        split(*conditionOf(*s), BO_LAnd, parts);
        for (const Expr* part : parts)
            if (const auto* test = dyn_cast<BinaryOperator>(part); test && test->isComparisonOp())
                tests.push_back(test);
        return true;
    }
    llvm::SmallVectorImpl<const BinaryOperator*>& tests;
};

}  // namespace

Unrolling::Unrolling(const FunctionDecl& function, bool operandsVary, const ASTContext& context)
    : operandsVary_(operandsVary), context_(context), changes_(*function.getBody(), context) {
    LoopTests(loopTests_, context).visitBody(function);
}

bool Unrolling::makesConstant(const Expr& expression) const {
    const Expr* e = expression.IgnoreParens();
    if (!e->isValueDependent() && e->isEvaluatable(context_)) return true;
    if (const auto* cast = dyn_cast<CastExpr>(e)) return makesConstant(*cast->getSubExpr());
    if (const auto* full = dyn_cast<FullExpr>(e)) return makesConstant(*full->getSubExpr());
    if (const auto* unary = dyn_cast<UnaryOperator>(e))
        return unary->isArithmeticOp() && makesConstant(*unary->getSubExpr());
    if (const auto* binary = dyn_cast<BinaryOperator>(e))
        return !binary->isAssignmentOp() && makesConstant(*binary->getLHS()) && makesConstant(*binary->getRHS());
    if (const auto* choice = dyn_cast<ConditionalOperator>(e))
        return makesConstant(*choice->getCond()) && makesConstant(*choice->getTrueExpr()) &&
               makesConstant(*choice->getFalseExpr());
    const VarDecl* variable = variableIn(*e);
    return variable && isConstant(*variable);
}

bool Unrolling::isConstant(const VarDecl& variable) const {
    if (variable.getType()->isReferenceType() || !asked_.insert(&variable).second) return false;
    bool result = false;
    if (changes_.of(variable).empty())
        result = isa<ParmVarDecl>(variable) ? !operandsVary_ : variable.hasInit() && makesConstant(*variable.getInit());
    else
        result = isSteppedByConstants(variable) && hasConstantBound(variable);
    asked_.erase(&variable);
    return result;
}

bool Unrolling::isSteppedByConstants(const VarDecl& variable) const {
    if (isa<ParmVarDecl>(variable) || (variable.hasInit() && !makesConstant(*variable.getInit()))) return false;
    return llvm::all_of(changes_.of(variable), [this](const Changes::Change& change) {
        return change.isKnown && (!change.by || makesConstant(*change.by));
    });
}

bool Unrolling::hasConstantBound(const VarDecl& variable) const {
    return llvm::any_of(loopTests_, [&](const BinaryOperator* test) {
        const bool isLeft = steppedIn(*test->getLHS()) == &variable;
        if (!isLeft && steppedIn(*test->getRHS()) != &variable) return false;
        const Expr& bound = isLeft ? *test->getRHS() : *test->getLHS();
        Expr::EvalResult first, last;
        const bool areNumbers = variable.hasInit() && variable.getInit()->EvaluateAsInt(first, context_) &&
                                bound.EvaluateAsInt(last, context_);
        if (!areNumbers) return makesConstant(bound);
        const auto distance = last.Val.getInt().getExtValue() - first.Val.getInt().getExtValue();
        return -mostTurns <= distance && distance <= mostTurns;
    });
}

}  // namespace foldwise
