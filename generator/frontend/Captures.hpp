// generator/frontend/Captures.hpp: the variables that a lambda captures, or that the expression for a function object
// uses.
#pragma once

#include "Callable.hpp"

#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>

#include <optional>
#include <string>
#include <vector>

namespace foldwise {

/// A capture that makes a lambda more than its text and constants, and what it is.
struct Unfixed {
    const clang::LambdaCapture* capture = nullptr;
    std::string reason;
};

/// The first such capture of a lambda, as far as its kind says.
std::optional<Unfixed> unfixedCapture(const clang::CXXRecordDecl& lambda);

/// A member that const member functions change, which would be a kernel's state; null if there is none.
const clang::FieldDecl* mutableMember(const clang::CXXRecordDecl& record);

/// Whether a lambda tells its init-captures from const variables of the same values: it names them before its body,
/// asks for their types, or has a lambda in it that changes copies of them.
bool needsItsCaptures(const clang::CXXRecordDecl& lambda);

/// A lambda's captures, for constants of the same values and names to stand in its body. Nothing if they cannot.
std::optional<std::vector<OuterConstant>> capturesAsConstants(const clang::CXXRecordDecl& lambda);

/// Collects variables of functions that are known while compiling, each behind those that it is made from.
class ConstantsAround {
  public:
    /// Adds a variable whose value is known, or which holds a lambda that can be written out. Returns false for others.
    bool add(const clang::VarDecl& variable);
    /// Adds an init-capture whose value is known. Returns false for others.
    bool addCapture(const clang::VarDecl& variable);
    std::vector<OuterConstant> take() { return std::move(constants_); }

  private:
    bool addLambda(const clang::VarDecl& variable, const clang::LambdaExpr& lambda);

    std::vector<OuterConstant> constants_;
};

}  // namespace foldwise
