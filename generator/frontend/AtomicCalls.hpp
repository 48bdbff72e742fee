// generator/frontend/AtomicCalls.hpp: words what std::atomic_ref does in place of an operator.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>

#include <string>

namespace foldwise {

/// The member function of std::atomic_ref that does what an operator does; empty if there is none.
llvm::StringRef atomicName(const clang::Expr& write);

/// A call of this member function: "std::atomic_ref(v[0]).fetch_add(1)", with 1 where there is no value. Empty if
/// elements of the target's type have no such call, or it would be too long to be read in a message.
std::string atomicCall(const clang::Expr& target, llvm::StringRef name, const clang::Expr* value,
                       const clang::ASTContext& context);

/// ", with #include <atomic>", unless the spec sees std::atomic_ref already.
std::string headerOfAtomics(clang::ASTContext& context);

}  // namespace foldwise
