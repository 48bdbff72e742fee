// generator/frontend/ForallValues.hpp: the values of integer expressions in one task of a forall kernel or another, or
// in one item of a block.
#pragma once

#include "Parents.hpp"

#include <clang/AST/Decl.h>
#include <clang/AST/ExprCXX.h>
#include <llvm/ADT/ArrayRef.h>

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace foldwise {

/// A task for which expressions are evaluated, and the assumptions of that evaluation.
struct ForallSetting {
    using Task = std::array<std::int64_t, 4>;
    Task task{};         ///< The coordinates of its index.
    unsigned trial = 0;  ///< Which set of assumed values holds, below ForallValues::trials.
    std::map<const clang::VarDecl*, std::int64_t> turns{};  ///< The values of the variables of enclosing loops.
};

/// What is known of an expression's value in one task.
struct ForallValue {
    enum class Kind {
        Unknown,  ///< Nothing is known of it.
        Number,   ///< It is `number`.
        Data,     ///< It comes from elements that may differ between tasks; `number` is one that all could have.
    };
    Kind kind = Kind::Unknown;
    std::int64_t number = 0;            ///< The value, if it is a Number or Data.
    bool usesTask = false;              ///< Whether it depends on the index other than by the coordinates of data.
    bool usesTurn = false;              ///< Whether it depends on a loop's variable other than by these.
    const clang::Expr* data = nullptr;  ///< The first element that it comes from, if it is Data.
    bool isAssumed = false;             ///< Whether it depends on a value that a trial assumes.
};

/// What is known of a block's own variables when a phase runs: their values, or nothing if these are not those that
/// would be computed for them there. What is known of the others is the same in each run.
using BlockValues = std::map<const clang::VarDecl*, std::optional<std::int64_t>>;

/// Evaluates expressions in the body of a forall kernel's lambda for single tasks, or in a phase of a `blocks` kernel
/// for single items of the first block, which are its tasks. Quantities that all tasks have in common, such as scalar
/// parameters and the extents of views, are not known; each trial assumes other values for them.
class ForallValues {
  public:
    static constexpr unsigned trials = 4;
    /// Whether all quantities that tasks have in common are assumed to be large in a trial.
    static constexpr bool isLarge(unsigned trial) { return trial == 1 || trial == 2; }

    /// A quantity that all tasks have in common, as it is written, and its value in the trial.
    using Assumptions = std::map<std::string, std::int64_t>;

    explicit ForallValues(const clang::FunctionDecl& body);
    /// Of the items of a phase, which is the call operator of a lambda in the body of a block with these extents.
    ForallValues(const clang::FunctionDecl& phase, const clang::FunctionDecl& block,
                 llvm::ArrayRef<std::uint64_t> extents);

    /// Evaluates an expression, and adds the values that it assumes to `assumptions` unless that is null.
    ForallValue of(const clang::Expr& expression, const ForallSetting& setting,
                   Assumptions* assumptions = nullptr) const;

    /// The number that an expression between phases certainly is, where a block's variables have these values; nothing
    /// if a trial has to assume something.
    std::optional<std::int64_t> knownBetween(const clang::Expr& expression, const BlockValues& variables) const;
    /// The value that an assignment or a step between phases gives a variable.
    std::optional<std::int64_t> assigned(const clang::Expr& assignment, const BlockValues& variables) const;

    /// From now on, expressions of the phase are evaluated in a run where the block's variables have these values, and
    /// in a block before which there are so many along each axis.
    void setRun(BlockValues variables, std::int64_t blocksBefore = 0) {
        blockValues_ = std::move(variables);
        blocksBefore_ = blocksBefore;
    }

    /// Whether a variable of the block has another value in each run, or in some.
    bool isOfRun(const clang::VarDecl& variable) const { return blockValues_.contains(&variable); }
    /// The blocks along each axis before that of the run.
    std::int64_t blocksBefore() const { return blocksBefore_; }
    /// From now on, `view.has(place)` is true for all places, as in a block that is inside of all views.
    void assumeInside() { isInside_ = true; }
    /// From now on, expressions are evaluated for the last block along each axis, of whose items only the first has
    /// elements: views that have as many axes as the block end behind that item, and so do integer parameters that
    /// positions in the call's shape are compared with. What is computed from that is said to be assumed. Of other
    /// parameters and views nothing is known.
    void assumeEnd() { isEnd_ = true; }

    /// The lambda's call operator that is the body: of a forall kernel, or a phase.
    const clang::FunctionDecl& body() const { return body_; }
    /// That of the block in which the body is a phase; null for a forall kernel.
    const clang::FunctionDecl* block() const { return block_; }

    /// The rank of the index.
    unsigned axes() const { return axes_; }
    /// The items along each axis of a block; empty for a forall kernel, whose calls say how many tasks there are.
    llvm::ArrayRef<std::int64_t> items() const { return items_; }
    const clang::ASTContext& context() const { return body_.getASTContext(); }

    /// The statement or expression that directly encloses a statement; null for the body.
    const clang::Stmt* around(const clang::Stmt& statement) const {
        return &statement == body_.getBody() ? nullptr : parents_.written(statement);
    }

    /// Whether nobody asks for the value of an expression.
    bool isDiscarded(const clang::Expr& expression) const { return parents_.isDiscarded(expression); }

    /// The subscript expression of an element of a view or of shared memory, or null for other expressions. It is
    /// followed through references and pointers to elements to their initializers, and through parentheses and
    /// temporaries.
    const clang::CXXOperatorCallExpr* elementOf(const clang::Expr& expression) const;

    /// The view, or the shared array, that has an element.
    static const clang::VarDecl& viewOf(const clang::CXXOperatorCallExpr& element);

    /// Whether an element is subscripted by the task's unchanged index.
    bool isOwn(const clang::CXXOperatorCallExpr& element) const;

    /// The coordinates of an element that is subscripted by the task's unchanged index, or in a block by its position
    /// in the call's shape; nothing for other elements.
    std::optional<std::vector<std::int64_t>> wholePlace(const clang::CXXOperatorCallExpr& element,
                                                        const ForallSetting::Task& task) const;

    /// Whether nothing but `except` changes a variable after its initialisation.
    bool isOnlyRead(const clang::ValueDecl& variable, const clang::Stmt* except = nullptr) const;

    /// Whether something within a statement changes a variable, or may.
    bool changesIn(const clang::VarDecl& variable, const clang::Stmt& statement) const;
    /// Whether a variable is changed by other than assignments, steps and std::swap() in the function that declares it.
    bool hasAlias(const clang::VarDecl& variable) const;

    /// The values that are assigned to a local variable after its initialisation. Nothing if it is changed in another
    /// way or assigned a value that is computed from its own, as in `k = k + 1`.
    std::optional<std::vector<const clang::Expr*>> assignedTo(const clang::VarDecl& variable) const;

    /// The parameter that is the task's index.
    const clang::ParmVarDecl& index() const { return index_; }

    /// The source text of an expression.
    std::string text(const clang::Expr& expression) const;

  private:
    class Evaluation;

    /// The expression within parentheses, temporaries, and casts that do not change its value.
    static const clang::Expr& ignoreNoOps(const clang::Expr& expression);
    const clang::Stmt* parentOf(const clang::Stmt& statement) const { return parents_.of(statement); }
    /// The blocks before an expression along each axis if it is the task's index, rather than one of its coordinates:
    /// none, or those of the run if it is an item's position in the call's shape. Nothing for other expressions.
    std::optional<std::int64_t> blocksBeforeIndex(const clang::Expr& expression) const;
    /// Whether an expression is the block in which the body is a phase.
    bool isBlock(const clang::Expr& expression) const;
    /// Whether a statement is `outer` or a part of it.
    bool isWithin(const clang::Stmt& statement, const clang::Stmt& outer) const;

    const clang::FunctionDecl& body_;
    const clang::ParmVarDecl& index_;
    unsigned axes_;
    const clang::FunctionDecl* block_ = nullptr;  ///< In which the body is a phase; null for a forall kernel.
    std::vector<std::int64_t> items_;
    BlockValues blockValues_;
    std::int64_t blocksBefore_ = 0;
    bool isInside_ = false, isEnd_ = false;  ///< As assumeInside() and assumeEnd() have set them.
    Parents parents_;
    std::map<const clang::ValueDecl*, std::vector<const clang::DeclRefExpr*>> mentions_;
};

}  // namespace foldwise
