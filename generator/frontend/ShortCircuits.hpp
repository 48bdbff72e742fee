// generator/frontend/ShortCircuits.hpp: finds `||` and `&&` that may as well compute both operands.
//
// A GPU's compiler makes a branch of `a < b || (a == b && i < j)`, as C++ says; a warp whose lanes differ then takes
// both ways, one after the other, which costs more than the comparisons. `a < b | (a == b & i < j)` has no branch.
#pragma once

#include <clang/AST/Decl.h>
#include <clang/AST/Stmt.h>
#include <clang/Basic/SourceLocation.h>

#include <vector>

namespace foldwise {

/// An operator `||` or `&&` that may be `|` or `&`.
struct ShortCircuit {
    clang::SourceLocation sign;
    /// The expression that becomes an int by this, where it has to be a bool again; else invalid.
    clang::SourceRange bools;
};

/// The operators `||` and `&&` in a declaration or body for which `|` and `&` would have the same value and effect: the
/// operands are bools, none has a side effect, and computing the right one takes a few comparisons of parameters and
/// variables that have values. Of templates, those for which this holds in all instances. Operators in macros are left
/// out.
std::vector<ShortCircuit> needlessShortCircuits(const clang::Decl& declaration, const clang::ASTContext& context);
std::vector<ShortCircuit> needlessShortCircuits(const clang::Stmt& body, const clang::ASTContext& context);

/// Those in a function's body, in all of its instances if it is a template.
std::vector<ShortCircuit> needlessShortCircuitsInBody(const clang::FunctionDecl& function);

}  // namespace foldwise
