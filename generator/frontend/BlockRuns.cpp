// generator/frontend/BlockRuns.cpp: interprets the assignments, conditions and loops between the phases of a block.
#include "BlockRuns.hpp"

#include "BlockPhases.hpp"

#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/StmtCXX.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>

#include <algorithm>

namespace foldwise {

using namespace clang;

namespace {

/// The variables that an expression or statement mentions, and those that these are made from.
class MentionedVariables : public DynamicRecursiveASTVisitor {
  public:
    explicit MentionedVariables(const Stmt& within) { TraverseStmt(const_cast<Stmt*>(&within)); }
    llvm::SmallPtrSet<const VarDecl*, 16> all;

    bool VisitDeclRefExpr(DeclRefExpr* mention) override {
        const auto* variable = dyn_cast<VarDecl>(mention->getDecl());
        const bool isNew = variable && all.insert(variable).second;
        const bool isMade = isNew && variable->isLocalVarDecl() && variable->getInit();
        return !isMade || TraverseStmt(const_cast<Expr*>(variable->getInit()));
    }
};

/// Whether a statement has one in it that leaves a loop, or comes to another place.
bool hasJumps(const Stmt& statement) {
    if (isa<ReturnStmt, BreakStmt, ContinueStmt, GotoStmt>(statement)) return true;
    return !isa<LambdaExpr>(statement) &&
           llvm::any_of(statement.children(), [](const Stmt* child) { return child && hasJumps(*child); });
}

class BlockInterpreter {
  public:
    explicit BlockInterpreter(const ForallValues& values) : values_(values), inPhase_(*values.body().getBody()) {
        run(*values.block()->getBody());
        if (runs_.empty()) runs_.emplace_back();
    }
    std::vector<BlockValues> take() { return std::move(runs_); }

  private:
    static constexpr unsigned mostTurns = 2048;  // of all loops together

    void run(const Stmt& statement) {
        if (const auto* block = dyn_cast<CompoundStmt>(&statement)) {
            for (const Stmt* one : block->body()) run(*one);
        } else if (const auto* declaration = dyn_cast<DeclStmt>(&statement)) {
            for (const Decl* one : declaration->decls())
                if (const auto* variable = dyn_cast<VarDecl>(one)) declare(*variable);
        } else if (const auto* choice = dyn_cast<IfStmt>(&statement)) {
            runChoice(*choice);
        } else if (const auto* loop = dyn_cast<ForStmt>(&statement)) {
            if (loop->getInit()) run(*loop->getInit());
            runLoop(statement, loop->getCond(), *loop->getBody(), loop->getInc());
        } else if (const auto* loop = dyn_cast<WhileStmt>(&statement)) {
            runLoop(statement, loop->getCond(), *loop->getBody(), nullptr);
        } else if (const auto* loop = dyn_cast<DoStmt>(&statement)) {
            if (!hasJumps(*loop->getBody())) run(*loop->getBody());
            runLoop(statement, loop->getCond(), *loop->getBody(), nullptr);
        } else if (const auto* expression = dyn_cast<Expr>(&statement)) {
            evaluate(*expression);
        } else {
            forgetChanged(statement);
            for (const Stmt* child : statement.children())
                if (child) run(*child);
            forgetChanged(statement);
        }
    }

    void runChoice(const IfStmt& choice) {
        if (choice.getInit()) run(*choice.getInit());
        const std::optional<std::int64_t> condition = choice.getCond() ? known(*choice.getCond()) : std::nullopt;
        if (condition) {
            const Stmt* taken = *condition ? choice.getThen() : choice.getElse();
            if (taken) run(*taken);
            return;
        }
        const BlockValues before = now_;
        run(*choice.getThen());
        const BlockValues then = std::exchange(now_, before);
        if (choice.getElse()) run(*choice.getElse());
        for (const auto& [variable, value] : then)
            if (const auto other = now_.find(variable); other != now_.end() && other->second != value)
                now_.erase(other);
        std::erase_if(now_, [&](const auto& one) { return !then.contains(one.first); });
    }

    void runLoop(const Stmt& loop, const Expr* condition, const Stmt& body, const Expr* step) {
        bool isKnown = condition && !hasJumps(body);
        while (isKnown) {
            const std::optional<std::int64_t> goesOn = known(*condition);
            isKnown = goesOn && ++turns_ <= mostTurns;
            if (goesOn && !*goesOn) return;
            if (!isKnown) break;
            run(body);
            if (step) evaluate(*step);
        }
        forgetChanged(loop);
        run(body);
        forgetChanged(loop);
    }

    void declare(const VarDecl& variable) {
        if (!variable.getType()->isIntegralOrEnumerationType() || !variable.getInit()) {
            if (variable.getInit()) evaluate(*variable.getInit());
            return;
        }
        now_.erase(&variable);
        std::erase(made_, &variable);
        const bool changes = !values_.isOnlyRead(variable);
        const MentionedVariables from(*variable.getInit());
        const auto isChanging = [&](const VarDecl* one) { return !values_.isOnlyRead(*one); };
        if (!changes && llvm::none_of(from.all, isChanging)) return;
        if (const std::optional<std::int64_t> value = known(*variable.getInit()))
            assign(variable, value);
        else if (!changes && llvm::any_of(from.all, [&](const VarDecl* one) { return now_.contains(one); }))
            now_[&variable] = std::nullopt;  // of what they are now, which may have changed when it is read
        else if (!changes)
            made_.push_back(&variable);
    }

    void evaluate(const Expr& expression) {
        const Expr& e = *expression.IgnoreUnlessSpelledInSource();
        if (const auto* both = dyn_cast<BinaryOperator>(&e); both && both->isCommaOp()) {
            evaluate(*both->getLHS());
            evaluate(*both->getRHS());
        } else if (const auto* call = dyn_cast<CXXMemberCallExpr>(&e); call && phaseOf(*call)) {
            if (phaseOf(*call) == &values_.body()) addRun();
        } else if (const auto* call = dyn_cast<CallExpr>(&e); call && exchanges(*call)) {
            const VarDecl &a = *variableOf(*call->getArg(0)), &b = *variableOf(*call->getArg(1));
            const std::optional<std::int64_t> first = valueOf(a), second = valueOf(b);
            assign(a, second);
            assign(b, first);
        } else if (const auto* assignment = dyn_cast<BinaryOperator>(&e);
                   assignment && assignment->isAssignmentOp() && variableOf(*assignment->getLHS())) {
            forgetChanged(*assignment->getRHS());
            assign(*variableOf(*assignment->getLHS()), values_.assigned(*assignment, now_));
        } else if (const auto* step = dyn_cast<UnaryOperator>(&e);
                   step && step->isIncrementDecrementOp() && variableOf(*step->getSubExpr())) {
            assign(*variableOf(*step->getSubExpr()), values_.assigned(*step, now_));
        } else {
            forgetChanged(e);
        }
    }

    /// `std::swap(a, b)` of two variables.
    static bool exchanges(const CallExpr& call) {
        const FunctionDecl* callee = call.getDirectCallee();
        return callee && callee->isInStdNamespace() && callee->getIdentifier() && callee->getName() == "swap" &&
               call.getNumArgs() == 2 && variableOf(*call.getArg(0)) && variableOf(*call.getArg(1));
    }
    static const VarDecl* variableOf(const Expr& e) {
        const auto* reference = dyn_cast<DeclRefExpr>(e.IgnoreParenImpCasts());
        const auto* variable = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
        const bool isNumber = variable && variable->isLocalVarDecl() && variable->getType()->isIntegerType();
        return isNumber ? variable : nullptr;
    }

    std::optional<std::int64_t> known(const Expr& expression) const { return values_.knownBetween(expression, now_); }
    std::optional<std::int64_t> valueOf(const VarDecl& variable) const {
        const auto found = now_.find(&variable);
        return found == now_.end() ? std::nullopt : found->second;
    }
    void assign(const VarDecl& variable, std::optional<std::int64_t> value) {
        const bool hasOther = hasAlias(variable);
        if (value && !hasOther)
            now_[&variable] = value;
        else
            now_.erase(&variable);
        // What was made from its last value is not computed from this one.
        for (const VarDecl* made : made_)
            if (MentionedVariables(*made->getInit()).all.contains(&variable)) now_[made] = std::nullopt;
    }
    /// Whether something other than the statements that are followed here may change a variable: one of its mentions is
    /// in a lambda that writes to it, or makes a reference to it.
    bool hasAlias(const VarDecl& variable) {
        const auto [known, isNew] = aliased_.try_emplace(&variable, false);
        if (isNew) known->second = values_.hasAlias(variable);
        return known->second;
    }
    /// Nothing is known any more of the variables that something changes.
    void forgetChanged(const Stmt& statement) {
        for (const VarDecl* variable : MentionedVariables(statement).all)
            if (!values_.isOnlyRead(*variable) && values_.changesIn(*variable, statement))
                assign(*variable, std::nullopt);
    }

    void addRun() {
        BlockValues run;
        for (const auto& one : now_)
            if (inPhase_.all.contains(one.first)) run.insert(one);
        if (runs_.size() < mostBlockRuns && !llvm::is_contained(runs_, run)) runs_.push_back(std::move(run));
    }

    const ForallValues& values_;
    const MentionedVariables inPhase_;
    BlockValues now_;
    std::vector<const VarDecl*> made_;  // of which nothing is known, from what changes
    std::map<const VarDecl*, bool> aliased_;
    std::vector<BlockValues> runs_;
    unsigned turns_ = 0;
};

}  // namespace

std::vector<BlockValues> blockRuns(const ForallValues& values) { return BlockInterpreter(values).take(); }

}  // namespace foldwise
