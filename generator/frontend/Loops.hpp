// generator/frontend/Loops.hpp: static analysis of a function's loops and variables.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallVector.h>

namespace foldwise {

/// The variable that an expression names, if it is no more than that.
const clang::VarDecl* variableIn(const clang::Expr& e);

/// Where a statement may change which variable. A reference that is bound to one counts as a change.
class Changes {
  public:
    struct Change {
        bool isStep = false;              ///< By an operator such as ++ or +=, from the value before.
        const clang::Expr* by = nullptr;  ///< The step or the new value; null for ++ and --, and where it is not known.
        bool isKnown = false;             ///< A step, or an assignment of `by`.
    };

    Changes(const clang::Stmt& statement, const clang::ASTContext& context);

    llvm::ArrayRef<Change> of(const clang::VarDecl& variable) const;

  private:
    class Collector;
    llvm::DenseMap<const clang::VarDecl*, llvm::SmallVector<Change, 2>> changes_;
};

/// Whether it is plain to see that a loop ends: a variable that the loop only steps is compared with something that the
/// loop leaves alone, in its condition or before a break or return.
bool isCounted(const clang::Stmt& loop, const clang::ASTContext& context);

/// Tells which expressions are constants once a function's loops with constant bounds are unrolled and its callers have
/// taken it inline.
class Unrolling {
  public:
    /// `operandsVary` is true for a kernel's lambda: its parameters are data. Another function's, unless it
    /// changes them, may be constants.
    Unrolling(const clang::FunctionDecl& function, bool operandsVary, const clang::ASTContext& context);

    bool makesConstant(const clang::Expr& expression) const;

  private:
    bool isConstant(const clang::VarDecl& variable) const;
    bool isSteppedByConstants(const clang::VarDecl& variable) const;
    bool hasConstantBound(const clang::VarDecl& variable) const;

    bool operandsVary_;
    const clang::ASTContext& context_;
    Changes changes_;
    llvm::SmallVector<const clang::BinaryOperator*, 8> loopTests_;
    mutable llvm::DenseSet<const clang::VarDecl*> asked_;  // on the way; one that hangs on itself is not constant
};

}  // namespace foldwise
