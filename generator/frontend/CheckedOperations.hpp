// generator/frontend/CheckedOperations.hpp: the divisions and shifts that checked builds look at.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Stmt.h>

#include <vector>

namespace foldwise {

/// `a / b` and its like, of integers, or of what a template makes integers of.
struct CheckedOperation {
    clang::SourceLocation begin;                   ///< Where `a` begins, which ends before
    clang::SourceLocation sign;                    ///< the operator.
    bool assigns;                                  ///< Whether it is `a /= b`.
    std::vector<clang::SourceLocation> bitFields;  ///< Where `a` and `b` begin, of which is a bit-field.
};

/// Those of a declaration or body as it is written that can go wrong when it runs: not those of a constant expression,
/// and not those by a constant that no number is wrong with.
std::vector<CheckedOperation> checkedOperations(const clang::Decl& declaration, const clang::ASTContext& context);
std::vector<CheckedOperation> checkedOperations(const clang::Stmt& body, const clang::ASTContext& context);

}  // namespace foldwise
