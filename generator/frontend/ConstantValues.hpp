// generator/frontend/ConstantValues.hpp: the values of the user's constants, whether or not they are constant
// expressions in the language's sense.
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

/// The value of an expression. It may name a const variable of class type with a constant initializer, although that is
/// no constant expression. Nothing if the value is not known at compile time.
std::optional<Constant> valueOf(const clang::Expr& expression, const clang::ASTContext& context);

/// The value of a variable, or capture, that cannot change. Nothing if it can, or if its value is not known.
std::optional<clang::APValue> valueOf(const clang::VarDecl& variable);

/// The value of a name in a structured binding, `a` in `const auto [a, b] = pair`. Nothing if it can change, or is not
/// known.
std::optional<clang::APValue> valueOf(const clang::BindingDecl& binding);

}  // namespace foldwise
