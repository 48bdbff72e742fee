// generator/frontend/CoreLoops.hpp: recognises loops over the core dimensions of a guvectorize kernel.
#pragma once

#include "CoreLayout.hpp"

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/Stmt.h>

#include <cstdint>
#include <optional>

namespace foldwise {

/// The declaration that an expression names, if it is no more than that.
const clang::ValueDecl* namedBy(const clang::Expr& e);

/// Whether there is a way out of a loop or of the function before its end.
bool endsEarly(const clang::Stmt& statement);

/// A loop from 0 to the end of a dimension of the layout, or to a number.
struct CoreLoop {
    const clang::VarDecl* variable;
    std::optional<unsigned> dimension;
    std::uint64_t count = 0;
};

/// Recognises the loops of a guvectorize lambda, whose parameters are the operands of a layout.
class CoreLoops {
  public:
    CoreLoops(const clang::FunctionDecl& body, const CoreLayout& layout) : body_(body), layout_(layout) {}

    /// `for (int i = 0; i < x.extent(1); ++i)`, whose body leaves `i` alone.
    std::optional<CoreLoop> loopOver(const clang::ForStmt& loop) const;

    /// The number of the parameter that this is, if it is one.
    std::optional<unsigned> operand(const clang::Expr& e) const;

    /// The core dimension whose extent `x.extent(1)` is.
    std::optional<unsigned> extentOf(const clang::CXXMemberCallExpr& call) const;

  private:
    std::optional<std::int64_t> constant(const clang::Expr& e) const;
    std::optional<unsigned> extent(const clang::Expr& e) const;

    const clang::FunctionDecl& body_;
    const CoreLayout& layout_;
};

}  // namespace foldwise
