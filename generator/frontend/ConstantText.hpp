// generator/frontend/ConstantText.hpp: writes values that are known at compile time as C++.
#pragma once

#include "ConstantCalls.hpp"

#include <optional>
#include <string>

namespace foldwise {

/// An initializer of a variable of that type: "2.5f", "{1, 2}". Nothing for values that have no such text: pointers,
/// objects of classes that are no aggregates, and whatever has a function's own type.
std::optional<std::string> constantText(const clang::APValue& value, clang::QualType type,
                                        const clang::ASTContext& context);

/// "const float table[3] = {1.0f, 2.0f, 3.0f};", or nothing.
std::optional<std::string> constantDeclaration(llvm::StringRef name, const clang::APValue& value, clang::QualType type,
                                               const clang::ASTContext& context, bool isConstexpr);

}  // namespace foldwise
