// generator/frontend/SharedSizes.hpp: the number of elements that a block shares, as an expression that the host can
// compute.
#pragma once

#include <clang/AST/Expr.h>

#include <optional>
#include <string>
#include <vector>

namespace foldwise {

/// An expression of `call`, a foldwise::detail::blocks_call, that computes what `count` does in `body`; or nothing if
/// that takes more than parameters, extents, constants and arithmetic. `extents` are those of the block.
std::optional<std::string> countAtCall(const clang::Expr& count, const clang::FunctionDecl& body,
                                       const std::vector<std::uint64_t>& extents);

}  // namespace foldwise
