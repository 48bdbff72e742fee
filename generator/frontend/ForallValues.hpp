// generator/frontend/ForallValues.hpp: what integer expressions are worth in one task or another.
#pragma once

#include "Parents.hpp"

#include <clang/AST/Decl.h>
#include <clang/AST/ExprCXX.h>

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace foldwise {

/// One task, and what is taken for known in it.
struct ForallSetting {
    std::array<std::int64_t, 4> task{};                     ///< Its coordinates.
    unsigned trial = 0;                                     ///< Which values all unknown quantities have.
    std::map<const clang::VarDecl*, std::int64_t> turns{};  ///< Of the variables of the loops around.
};

struct ForallValue {
    enum class Kind {
        Unknown,  ///< Nothing is known of it.
        Number,   ///< It is `number`.
        Data,     ///< It comes from elements that may differ between tasks; `number` is one that all could have.
    };
    Kind kind = Kind::Unknown;
    std::int64_t number = 0;
    bool usesTask = false;              ///< The task's index is in it, other than in the places of data,
    bool usesTurn = false;              ///< or a loop's variable is.
    const clang::Expr* data = nullptr;  ///< The first element that it comes from, if it is Data.
};

/// What expressions in the body of a forall kernel's lambda are worth, task by task. Quantities that all tasks have in
/// common, such as values and the extents of views, have some value in each trial, and another one in the next.
class ForallValues {
  public:
    static constexpr unsigned trials = 4;

    /// A quantity that all tasks have in common, as it is written, and its value in the trial.
    using Assumptions = std::map<std::string, std::int64_t>;

    explicit ForallValues(const clang::FunctionDecl& body);

    /// Adds what it had to assume to `assumptions`, if that is not null.
    ForallValue of(const clang::Expr& expression, const ForallSetting& setting,
                   Assumptions* assumptions = nullptr) const;

    unsigned axes() const { return axes_; }
    const clang::ASTContext& context() const { return body_.getASTContext(); }

    /// What stands around a statement; null for the body.
    const clang::Stmt* around(const clang::Stmt& statement) const { return parents_.written(statement); }

    /// The subscript of a view's element, or null for other expressions. A reference's is that of its initialiser, and
    /// so is that of what a pointer to an element points to.
    const clang::CXXOperatorCallExpr* elementOf(const clang::Expr& expression) const;

    /// The view that an element is one of.
    static const clang::ParmVarDecl& viewOf(const clang::CXXOperatorCallExpr& element);

    /// Whether an element's coordinates are the task's, as they are.
    bool isOwn(const clang::CXXOperatorCallExpr& element) const;

    /// Whether nothing but `except` changes a variable after its initialisation.
    bool isOnlyRead(const clang::ValueDecl& variable, const clang::Stmt* except = nullptr) const;

    /// What is assigned to a local variable after its initialisation, if it is changed in no other way and never steps
    /// from its own value; else nothing.
    std::optional<std::vector<const clang::Expr*>> assignedTo(const clang::VarDecl& variable) const;

    /// The expression as it is written.
    std::string text(const clang::Expr& expression) const;

  private:
    class Evaluation;

    const clang::Stmt* parentOf(const clang::Stmt& statement) const { return parents_.of(statement); }
    bool isWholeIndex(const clang::Expr& expression) const;
    bool isWithin(const clang::Stmt& statement, const clang::Stmt& outer) const;

    const clang::FunctionDecl& body_;
    const clang::ParmVarDecl& index_;
    unsigned axes_;
    Parents parents_;
    std::map<const clang::ValueDecl*, std::vector<const clang::DeclRefExpr*>> mentions_;
};

}  // namespace foldwise
