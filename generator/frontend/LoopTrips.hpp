// generator/frontend/LoopTrips.hpp: computes how often a loop's body runs, where the source determines that.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Stmt.h>
#include <clang/AST/StmtCXX.h>

#include <cstdint>
#include <optional>

namespace foldwise {

/// The trips of `for (int i = a; i < b; i += c)` with constants and an `i` that nothing else changes, and with no way
/// out of the body; nothing for other loops.
std::optional<std::uint64_t> tripsOf(const clang::ForStmt& loop, const clang::ASTContext& context);

/// The trips over an array or std::array of constant size.
std::optional<std::uint64_t> tripsOf(const clang::CXXForRangeStmt& loop, const clang::ASTContext& context);

}  // namespace foldwise
