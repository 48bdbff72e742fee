// generator/frontend/ElementAccesses.hpp: where the body of a forall kernel reads and writes elements of its views.
#pragma once

#include "ForallValues.hpp"

#include <vector>

namespace foldwise {

/// A write of an element, at a statement or expression of the body.
struct ElementWrite {
    const clang::Expr* at;
    clang::SourceLocation place;
    const clang::CXXOperatorCallExpr* element;
    const clang::Expr* target;  ///< What is assigned to: the element, a member of it, or a name for it.
    const clang::Expr* value;   ///< What is assigned, or null.
    bool isUpdate;
};

/// A read of an element or of a part of it, by its subscript or a name for it.
struct ElementRead {
    const clang::Expr* at;
    const clang::CXXOperatorCallExpr* element;
};

/// The reads and writes of a body's own statements; what a lambda within does is not known to happen. Updates such as
/// `+=` are writes alone.
struct ElementAccesses {
    std::vector<ElementWrite> writes;
    std::vector<ElementRead> reads;
    bool hasGoto = false;
    bool asksAtomics = false;  ///< Whether a task learns by std::atomic_ref what others have done, and may wait for it.
};

ElementAccesses elementAccesses(const clang::FunctionDecl& body, const ForallValues& values);

/// Whether an expression has elements of a view in it, or local variables that were made from some.
bool readsView(const clang::Stmt& expression, const clang::ParmVarDecl& view, unsigned depth = 0);

}  // namespace foldwise
