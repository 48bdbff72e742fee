// generator/frontend/LambdaVariables.hpp: global variables that hold lambdas. nvcc has no lambda objects in device
// memory, so each of them becomes a function object.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace foldwise {

/// Where lambdas of global variables are named.
struct LambdaUses {
    std::set<const clang::VarDecl*> inConstants;  ///< The variables whose lambdas may be called while compiling.
    std::map<const clang::VarDecl*, std::set<const clang::VarDecl*>>
        within;  ///< For each variable, the other variables that its lambda names.

    /// Whether a variable's lambda may be called while compiling, by its name or by way of other lambdas.
    bool isCalledInConstants(const clang::VarDecl& variable) const;
};

/// The types of a lambda's parameters, for a function with the same parameters that calls it. Nothing if they cannot be
/// written outside of the lambda.
std::optional<std::vector<std::string>> parameterTypes(const clang::CXXMethodDecl& call,
                                                       const clang::ASTContext& context);

/// Whether the function object that stands for a variable's lambda is a template which passes on whatever it is called
/// with.
bool forwardsAny(const clang::VarDecl& variable);

}  // namespace foldwise
