// generator/frontend/IndexAxes.hpp: which coordinates of a task's index expressions are.
#pragma once

#include "Mentions.hpp"
#include "Parents.hpp"

#include <clang/AST/Decl.h>
#include <clang/AST/ExprCXX.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace foldwise {

/// Answers for the expressions of one body, whose first parameter is the index. The arguments must outlive this object.
class IndexAxes {
  public:
    IndexAxes(const clang::FunctionDecl& body, const Mentions& mentions, const Parents& parents);

    /// The rank of the index.
    std::uint32_t rank() const { return rank_; }
    /// Whether an expression is the task's index, rather than one of its coordinates.
    bool isWholeIndex(const clang::Expr& expression) const;
    /// Whether nothing changes a variable after its initialisation.
    bool isOnlyRead(const clang::ValueDecl& variable) const;
    /// Whether nothing changes the index.
    bool isIndexOnlyRead() const { return isOnlyRead(index_); }
    /// The axis of the index whose coordinate an expression is; nothing for other expressions.
    std::optional<std::uint32_t> axisOf(const clang::Expr& coordinate) const;
    /// For each coordinate of an element, the axis of the index whose coordinate it is; nothing unless all are of
    /// different axes.
    std::optional<std::vector<std::uint32_t>> followedBy(const clang::CXXOperatorCallExpr& subscript) const;

  private:
    bool keepsCoordinates(const clang::CastExpr& cast) const;
    const clang::Expr& ignoreConversions(const clang::Expr& expression) const;
    std::optional<std::uint32_t> axisOfVariable(const clang::ValueDecl& variable) const;

    const clang::ASTContext& context_;
    const clang::ParmVarDecl& index_;
    std::uint32_t rank_;
    const Mentions& mentions_;
    const Parents& parents_;
};

}  // namespace foldwise
