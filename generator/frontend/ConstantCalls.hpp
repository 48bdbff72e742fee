// generator/frontend/ConstantCalls.hpp: evaluates calls of functions with given values at compile time.
#pragma once

#include <clang/AST/APValue.h>
#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>

#include <optional>
#include <string>
#include <vector>

namespace foldwise {

/// A value that the compiler knows.
struct Constant {
    clang::QualType type;
    clang::APValue value;
};

/// The value of an expression; nothing if it is not constant.
std::optional<Constant> evaluate(const clang::Expr& expression, const clang::ASTContext& context);

/// What a function returns. Nothing if that is not constant, as where it calls a function that is not constexpr, or not
/// defined, as where an integer overflows. A call operator is called on `object`; without one, its class has to be
/// empty.
std::optional<Constant> call(const clang::FunctionDecl& function, llvm::ArrayRef<Constant> arguments,
                             clang::ASTContext& context, const Constant* object = nullptr);

/// The value as another type: numbers convert, anything else has to have that type.
std::optional<Constant> convert(const Constant& value, clang::QualType type, const clang::ASTContext& context);

/// A number as another type, if that keeps it as a call's single values are kept: integers as they are, and numbers
/// without a fraction in integers.
std::optional<Constant> keptAs(const Constant& number, clang::QualType type, const clang::ASTContext& context);

/// Small numbers of a type, different ones, by which operations are told apart. None if it is not arithmetic.
std::vector<Constant> sampleNumbers(clang::QualType type, const clang::ASTContext& context);

/// A few values of a class of numbers, some of which have some members in common. None if it has other members.
std::vector<Constant> sampleClass(clang::QualType type, const clang::ASTContext& context);

/// The least or the greatest number of an arithmetic type, infinities included.
Constant limitOf(clang::QualType type, bool greatest, const clang::ASTContext& context);

/// The index<N> at the origin.
Constant originIndex(clang::QualType type, const clang::ASTContext& context);

/// Whether two values of one type are the same. Floating-point numbers are if they differ by no more than `tolerance`
/// times the larger one. Nothing if it is not known, as of pointers and NaN.
std::optional<bool> same(const clang::APValue& a, const clang::APValue& b, double tolerance = 0);

/// "0.5"
std::string print(const Constant& value, const clang::ASTContext& context);

}  // namespace foldwise
