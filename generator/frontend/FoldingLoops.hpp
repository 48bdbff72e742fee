// generator/frontend/FoldingLoops.hpp: finds loops of tasks that others than the task's thread can run: the lanes of a
// warp, which compute terms side by side, or several tasks of a thread in step.
#pragma once

#include "ViewExtents.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/StmtCXX.h>
#include <llvm/ADT/SmallVector.h>

#include <optional>
#include <vector>

namespace foldwise {

/// A loop `for (int k = begin; k < end; ++k) { first...; then...; }`. What is `first` computes something from k and
/// from what the loop leaves alone, and `then` folds it into variables from outside the loop: `sum += x(i, k) * y[k];`.
struct FoldingLoop {
    const clang::ForStmt* statement = nullptr;
    const clang::VarDecl* counter = nullptr;
    const clang::Expr *begin = nullptr, *end = nullptr;
    bool isInclusive = false;  ///< Whether the condition is `k <= end`.
    llvm::SmallVector<const clang::Stmt*, 4> first, then;
    /// What is folded: an expression in `then`, or else a variable of `first`.
    const clang::Expr* term = nullptr;
    const clang::VarDecl* variable = nullptr;
    /// Whether it is the one that a thread's tasks are to run in step: every task runs it exactly once and with the
    /// same numbers, and it reads elements that do not hang on the task.
    bool isInStep = false;
};

/// The loops of a forall kernel's body, in the order of the text and none within another, if lanes of a warp that all
/// run one task do together what one thread does: nothing is written but a lane's own variables and, by plain
/// assignments, elements.
std::vector<FoldingLoop> foldingLoops(const clang::FunctionDecl& body);

/// Whether the loops go along a view's last axis in a part that the index of the task chooses, as in x(i, k), or x[k]
/// where k begins at first[i].
bool isLooped(const clang::FunctionDecl& body, const std::vector<FoldingLoop>& loops, const clang::VarDecl& view);

/// The axis whose extent a loop ends at that begins at a constant: `for (int k = 0; k < x.extent(0); ++k)`. The extent
/// may come by way of a constant: `const auto m = x.extent(0);`. Nothing if the loop begins or ends elsewhere.
std::optional<ViewAxis> endOf(const FoldingLoop& loop, const clang::ASTContext& context);

}  // namespace foldwise
