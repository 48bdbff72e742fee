// generator/frontend/RunConditions.hpp: whether parts of a body are run always, sometimes or repeatedly.
#pragma once

#include "Parents.hpp"

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

namespace foldwise {

/// Answers for the statements of one body; it and `parents` must outlive this object.
class RunConditions {
  public:
    RunConditions(const clang::FunctionDecl& body, const Parents& parents) : body_(body), parents_(parents) {}

    /// Whether a statement is in a loop of the body.
    bool isInLoop(const clang::Stmt& statement) const;
    /// Whether a statement is run only under a condition within the body.
    bool isConditional(const clang::Stmt& statement) const;
    /// Whether every task that has not returned before an expression evaluates it.
    bool isAlwaysRun(const clang::Expr& expression) const;

  private:
    const clang::FunctionDecl& body_;
    const Parents& parents_;
};

}  // namespace foldwise
