// generator/frontend/AtomicSums.hpp: finds atomic additions to elements whose results nobody asks for.
#pragma once

#include "Parents.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>

#include <optional>

namespace foldwise {

/// How other accesses to memory may be ordered around an atomic addition.
enum class AdditionOrder {
    Relaxed,  ///< In any way.
    Default,  ///< No order is written.
    Other,    ///< As another order says, or one that is not known.
};

/// An atomic addition to an element.
struct AtomicSum {
    clang::SourceRange name;  ///< Of std::atomic_ref, with its arguments; invalid where a macro has written it.
    AdditionOrder order;
};

/// Whether a statement accesses a member of one of these names.
template <class... Name> bool isMember(const clang::Stmt* statement, Name... names) {
    const auto* member = clang::dyn_cast_or_null<clang::MemberExpr>(statement);
    if (!member || !member->getMemberDecl()->getIdentifier()) return false;
    const llvm::StringRef name = member->getMemberDecl()->getName();
    return ((name == names) || ...);
}

/// How an element is added to, if all that happens to it is that: by `std::atomic_ref(element).fetch_add(x);`, or by
/// fetch_sub, +=, -=, ++ or --.
std::optional<AtomicSum> atomicSum(const clang::Stmt& element, const Parents& parents,
                                   const clang::ASTContext& context);

}  // namespace foldwise
