// generator/frontend/Effects.hpp: what code changes, as far as it can be read from it.
#pragma once

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallPtrSet.h>

namespace foldwise {

using Variables = llvm::SmallPtrSet<const clang::VarDecl*, 8>;

/// Whether visit(part) says yes to a statement and all that it consists of; it is not asked again after a no.
bool everyPart(const clang::Stmt* statement, llvm::function_ref<bool(const clang::Stmt&)> visit);

/// Whether a statement names one of the variables.
bool mentions(const clang::Stmt* statement, llvm::function_ref<bool(const clang::VarDecl&)> isMeant);
bool mentions(const clang::Stmt* statement, const Variables& variables);

/// The subscript of a view's element: x[i], x(i, k).
bool isElement(const clang::Stmt& statement);

/// What code changes: its own variables, and elements.
class Effects {
  public:
    Variables changed, declared;  ///< Variables of its own that it changes, and those that it declares.
    bool storesElements = false;  ///< Whether it stores elements of views.
    bool areKnown = true;         ///< Whether that is all that it may change.

    /// Reads a statement `depth` calls deep.
    explicit Effects(const clang::Stmt* statement, unsigned depth = 0);

    /// Whether the code is known to change nothing at all.
    bool areNone() const { return areKnown && changed.empty() && !storesElements; }

  private:
    bool look(const clang::Stmt& part);
    bool declare(const clang::Decl& one);
    bool change(const clang::Expr& target);
    bool lookAtCall(const clang::CallExpr& call);
    bool isQuiet(const clang::FunctionDecl& function) const;

    unsigned depth_;  // of calls
};

}  // namespace foldwise
