// generator/frontend/CheckedOperations.hpp: finds the divisions and shifts that checked builds check.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Stmt.h>

#include <vector>

namespace foldwise {

/// A division or shift, such as `a / b` and `a <<= b`, of integers or of operands that a template may make integers.
struct CheckedOperation {
    clang::SourceLocation begin;                   ///< Where `a` begins, which ends before
    clang::SourceLocation sign;                    ///< the operator.
    bool assigns;                                  ///< Whether it is `a /= b`.
    std::vector<clang::SourceLocation> bitFields;  ///< Where those of `a` and `b` begin that are bit-fields.
};

/// The divisions and shifts in a declaration or body, as it is written, that can be errors when it runs. Those in
/// constant expressions are left out, and so are those by a constant that is valid with every left operand.
std::vector<CheckedOperation> checkedOperations(const clang::Decl& declaration, const clang::ASTContext& context);
std::vector<CheckedOperation> checkedOperations(const clang::Stmt& body, const clang::ASTContext& context);

}  // namespace foldwise
