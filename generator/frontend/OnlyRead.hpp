// generator/frontend/OnlyRead.hpp: whether a body changes an object where it mentions it.
#pragma once

#include "Parents.hpp"

#include <clang/AST/Expr.h>

namespace foldwise {

/// Whether the object that an expression refers to is read at most, and nobody can go on from its address.
bool isOnlyRead(const clang::Expr& expression, const Parents& parents);

}  // namespace foldwise
