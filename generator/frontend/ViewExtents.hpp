// generator/frontend/ViewExtents.hpp: which expressions ask for extents of views.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

#include <optional>

namespace foldwise {

/// A view and one of its axes.
struct ViewAxis {
    const clang::VarDecl* view;
    unsigned axis;
};

/// The axis whose extent a call asks for: `x.extent(0)`. Nothing for other expressions.
std::optional<ViewAxis> extentOf(const clang::Expr& expression, const clang::ASTContext& context);

}  // namespace foldwise
