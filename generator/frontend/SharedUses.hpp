// generator/frontend/SharedUses.hpp: what the phases of a block do with shared memory, in the order of the source.
#pragma once

#include "Parents.hpp"

#include <clang/AST/Decl.h>
#include <clang/AST/ExprCXX.h>

#include <vector>

namespace foldwise {

/// A phase, and what stands around it in the block.
struct PhaseOfBlock {
    const clang::FunctionDecl* body;        ///< The lambda's call operator.
    std::vector<const clang::Stmt*> loops;  ///< The loops around it.
    bool isConditional = false;             ///< Whether a condition stands around it.

    bool isOnce() const { return body->getNumParams() == 0; }
};

/// A mention of an array in shared memory, but for those that only ask for its extents.
struct SharedUse {
    enum class Kind {
        Read,
        Store,
        Update,  ///< By an operator such as `+=`, or by std::atomic_ref in a way that depends on the old value.
        Other,   ///< Anything else, which may be a store.
    };
    Kind kind;
    unsigned phase;  ///< Its number in SharedUses::phases.
    const clang::DeclRefExpr* mention;
    const clang::CXXOperatorCallExpr* element;  ///< Null for some that are Other.
    const clang::Expr* at;                      ///< What stores or updates, or the element that is read.

    const clang::VarDecl& array() const { return *clang::cast<clang::VarDecl>(mention->getDecl()); }
};

struct SharedUses {
    std::vector<PhaseOfBlock> phases;
    std::vector<SharedUse> uses;
    bool hasJumps = false;  ///< Whether something between phases leaves the block or a loop, or comes to another place.

    /// Whether what a use does may have been done when another one, or it itself in another item, does something.
    bool mayPrecede(const SharedUse& first, const SharedUse& second) const;
};

SharedUses sharedUses(const clang::FunctionDecl& block);

}  // namespace foldwise
