// generator/frontend/ElementAccesses.hpp: where the body of a forall kernel reads and writes elements of its views, or
// a phase those of shared memory.
#pragma once

#include "ForallValues.hpp"

#include <string>
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

/// A std::atomic_ref's store() of what is computed from the element's value, as a load() in the same body found it.
struct AtomicRewrite {
    ElementWrite store;
    std::string instead;  ///< "fetch_add(1)"; empty if no single operation does it.
};

/// The reads and writes of a body's own statements; what a lambda within does is not known to happen. Updates such as
/// `+=` are writes alone.
struct ElementAccesses {
    std::vector<ElementWrite> writes;
    std::vector<ElementRead> reads;
    std::vector<AtomicRewrite> rewrites;
    std::vector<ElementRead> updates;  ///< By operations of std::atomic_ref whose results nobody asks for.
    bool hasGoto = false;
    bool asksAtomics = false;  ///< Whether a task learns by std::atomic_ref what others have done, and may wait for it.
};

ElementAccesses elementAccesses(const clang::FunctionDecl& body, const ForallValues& values);

/// Whether an expression has elements of a view in it, or local variables that were made from some.
bool readsView(const clang::Stmt& expression, const clang::VarDecl& view, unsigned depth = 0);

}  // namespace foldwise
