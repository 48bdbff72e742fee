// generator/frontend/Mentions.hpp: where a body mentions its parameters and variables.
#pragma once

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

#include <map>
#include <vector>

namespace foldwise {

/// A reference to a parameter or variable.
struct Mention {
    const clang::DeclRefExpr* expression;
    /// Whether no return or goto is before it in the source. Then every task reaches the statement of the body that it
    /// is in, and RunConditions::isAlwaysRun() says whether every task evaluates it.
    bool isReached;
};

/// The mentions of each parameter and variable of a body, in the order of the source.
class Mentions {
  public:
    explicit Mentions(const clang::FunctionDecl& body);

    /// The mentions of a parameter or variable; none if the body does not mention it.
    const std::vector<Mention>& of(const clang::ValueDecl& declaration) const;

  private:
    std::map<const clang::ValueDecl*, std::vector<Mention>> of_;
};

}  // namespace foldwise
