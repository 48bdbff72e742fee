// generator/frontend/LoopTrips.hpp: computes how often a loop's body runs, where the source determines that.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Stmt.h>
#include <clang/AST/StmtCXX.h>
#include <llvm/ADT/SmallVector.h>

#include <cstdint>
#include <optional>

namespace foldwise {

/// The trips of `for (int i = a; i < b; i += c)` with constants and an `i` that nothing else changes, and with no way
/// out of the body; nothing for other loops.
std::optional<std::uint64_t> tripsOf(const clang::ForStmt& loop, const clang::ASTContext& context);

/// The trips over an array or std::array of constant size.
std::optional<std::uint64_t> tripsOf(const clang::CXXForRangeStmt& loop, const clang::ASTContext& context);

/// The loops of a statement to unroll that have others in them, all with constant numbers of trips: at most 1024
/// altogether, in which nothing is called but operators and functions of classes. Compilers unroll the innermost ones
/// of these, and take the others for too long then.
llvm::SmallVector<const clang::ForStmt*, 4> unrolledLoops(const clang::Stmt& statement,
                                                          const clang::ASTContext& context);

}  // namespace foldwise
