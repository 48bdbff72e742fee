// generator/frontend/Intervals.hpp: interval arithmetic on integer expressions.
#pragma once

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <llvm/ADT/DenseMap.h>

#include <cstdint>
#include <functional>
#include <optional>

namespace foldwise {

/// The numbers from `low` to `high`.
struct Interval {
    std::int64_t low = 0, high = 0;
    bool isFixed = true;  ///< Whether each is a constant once loops are unrolled.
};

/// Numbers beyond this, or below its negative, are not followed, so that no computation with them overflows an int.
inline constexpr std::int64_t furthest = std::int64_t{1} << 30;

/// Computes between which numbers the values of integer expressions lie: of constants, conditions, sums, products and
/// the like.
class Intervals {
  public:
    /// Returns what is known of a variable that an expression names; `all` computes that of its initializer. It is
    /// asked once for each variable.
    using OfVariable = std::function<std::optional<Interval>(const clang::VarDecl&, const Intervals& all)>;
    enum class Types {
        Bound,  ///< Where nothing else is known of a value, it lies between the least and the greatest of its type.
        Ignore  ///< Then nothing is known.
    };

    Intervals(const clang::ASTContext& context, Types types, OfVariable ofVariable)
        : context_(context), types_(types), ofVariable_(std::move(ofVariable)) {}

    /// Nothing if the expression is no integer, or if no bounds up to `furthest` are known.
    std::optional<Interval> of(const clang::Expr& expression) const;

    /// The values of an integer type, or of bool, under the same limit.
    static std::optional<Interval> of(clang::QualType type, const clang::ASTContext& context);

  private:
    std::optional<Interval> computed(const clang::Expr& e) const;
    std::optional<Interval> ofBinary(const clang::BinaryOperator& e) const;
    std::optional<Interval> ofName(const clang::ValueDecl& declaration) const;

    const clang::ASTContext& context_;
    Types types_;
    OfVariable ofVariable_;
    mutable llvm::DenseMap<const clang::VarDecl*, std::optional<Interval>> variables_;  ///< Those asked for.
};

/// Between which numbers the results of a function lie, whatever its arguments, as its returns tell. Nothing if its
/// results are no integers, or not known to be within `furthest`.
std::optional<Interval> intervalOfResults(const clang::FunctionDecl& function);

}  // namespace foldwise
