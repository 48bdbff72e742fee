// generator/frontend/Parents.hpp: finds the parents of the expressions of a body.
#pragma once

#include <clang/AST/Expr.h>
#include <clang/AST/ParentMap.h>

namespace foldwise {

/// The parents of all statements and expressions of one body.
class Parents {
  public:
    explicit Parents(clang::Stmt* body) : map_(body) {}

    /// What a statement is written in, parentheses included; null for the body itself.
    const clang::Stmt* written(const clang::Stmt& statement) const { return map_.getParent(&statement); }
    /// What uses an expression: parentheses and what only ends temporaries' lives are passed over.
    const clang::Stmt* of(const clang::Stmt& statement) const;
    /// The outermost expression that can refer to the same object: `c ? a : b` for a and for b, `(f(), a)` for a.
    /// Itself where neither stands around it, and for values, which are no objects.
    const clang::Expr& referring(const clang::Expr& object) const;

    /// Whether nobody asks for the value of an expression: it is a statement of its own, or a part of a loop or
    /// condition that has none, the operand of a conversion to void, or what a comma goes on after.
    bool isDiscarded(const clang::Expr& expression) const;

  private:
    mutable clang::ParentMap map_;  // whose functions that only look are not const
};

}  // namespace foldwise
