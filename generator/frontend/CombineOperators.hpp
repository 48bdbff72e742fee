// generator/frontend/CombineOperators.hpp: recognises combines that compute an operator whose operands can be
// reordered.
#pragma once

#include "../model/Fold.hpp"

#include <clang/AST/Decl.h>

namespace foldwise {

/// What a combine computes of its two parameters if these are numbers, and its body says so in one expression:
/// `a + b`, `a < b ? b : a`, `std::max(a, b)`, `std::plus<>()(a, b)`; or if it is such a function of the standard
/// library itself. Else CombineOperator::Other.
CombineOperator operatorOf(const clang::FunctionDecl& combine);

/// Whether elements may be combined in any order.
inline bool commutes(CombineOperator operation) { return operation != CombineOperator::Other; }

}  // namespace foldwise
