// generator/frontend/ConstantValues.hpp: what constants of the user's are worth, such as the language calls constants
// and such as it does not.
#pragma once

#include "ConstantCalls.hpp"

#include <clang/AST/DeclCXX.h>
#include <clang/AST/Expr.h>

#include <optional>

namespace foldwise {

/// An expression without copies, conversions and parentheses around it.
const clang::Expr& bare(const clang::Expr& expression);

/// Whether a variable has one value, known while compiling. For a variable of a template, that shows where it is
/// instantiated; the template's own passes if it is const.
bool isConstant(const clang::VarDecl& variable);

/// Of an expression; also where it names a const variable of a class with a constant for its initializer, which the
/// language takes for no constant. Nothing if it is not known while compiling.
std::optional<Constant> valueOf(const clang::Expr& expression, const clang::ASTContext& context);

/// Of a variable that cannot change, captures among them. Nothing if it can, or if its value is not known.
std::optional<clang::APValue> valueOf(const clang::VarDecl& variable);

/// Of a name in a structured binding, `a` in `const auto [a, b] = pair`. Nothing if that can change, or is not known.
std::optional<clang::APValue> valueOf(const clang::BindingDecl& binding);

}  // namespace foldwise
