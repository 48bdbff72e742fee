// generator/model/Fold.hpp: what all patterns that combine elements share: the parts of a fold, and its types.
#pragma once

#include "Body.hpp"
#include "ElementType.hpp"
#include "Signature.hpp"

#include <llvm/Support/JSON.h>

#include <optional>
#include <vector>

namespace foldwise {

enum class IdentityKind {
    None,     ///< Folding nothing is an error.
    Value,    ///< The identity is written in the spec.
    Lowest,   ///< The identity is the least value of the accumulator's type.
    Highest,  ///< The identity is the greatest value of the accumulator's type.
};

/// The parts of a fold, as the spec has them.
struct FoldParts {
    std::optional<Body> map;  ///< What makes an accumulator of elements; without it they are combined as they are.
    Body combine;
    std::optional<Body> finish;  ///< What makes the result of an accumulator; without it that is the result.
    IdentityKind identity = IdentityKind::None;
    std::optional<Body> identityValue;  ///< For IdentityKind::Value, a function of it: "() { return 0; }".
    bool operator==(const FoldParts&) const = default;
};

/// What a combine computes, as far as it is known. All but Other may be computed in any order.
enum class CombineOperator {
    Other,
    Sum,
    Product,
    BitAnd,
    BitOr,
    BitXor,
    Minimum,
    Maximum,
    LogicalAnd,
    LogicalOr,
};

/// A fold of one signature.
struct Fold {
    ElementType accumulator;
    std::vector<std::string> members;  ///< The numbers of an accumulator that is a struct: "low", "place.row"; or none.
    CombineOperator operation = CombineOperator::Other;
    bool commutes = false;     ///< Elements may be combined in any order: it is known of the operation, or stated.
    bool hasIdentity = false;  ///< Whether folding nothing has a result.
    /// The integer type of a sum or product whose partial results may leave it and come back, as they wrap around.
    /// Empty where that cannot be, or would not be what combine computes.
    std::string wrapsIn;
    /// Whether integers of at most 17 bits are summed in 64. Kernels for the CPU then add up parts of the sum in 32.
    bool sumsAreNarrow = false;
    bool mapConverts = false;  ///< Whether what map returns, or an element, is of another type than the accumulator.
    bool combineConverts = false;  ///< Whether what combine returns is of another type than the accumulator.
    bool finishConverts = false;   ///< Whether what finish returns is of another type than the result.
    bool operator==(const Fold&) const = default;
};

/// A signature of a pattern that combines elements.
struct FoldSignature : Signature {
    std::vector<Operand> inputs;
    Operand output;
    Fold fold;
    std::uint32_t placeAxes = 0;   ///< The axes of the places that map says values go to; 0 if it says none.
    std::uint32_t placeCount = 0;  ///< How many places it says in a std::array; 0 if it returns a single one.
    bool operator==(const FoldSignature&) const = default;
};

/// The types whose layout all compilers have to agree on: the operands' in their order, and the accumulator.
std::vector<const ElementType*> elementTypes(const FoldSignature& signature);

/// Whether the functions that two signatures become differ in their results alone, so that C++ cannot have both.
bool clash(const FoldSignature& a, const FoldSignature& b);

llvm::json::Value toJSON(const FoldParts& parts);
bool fromJSON(const llvm::json::Value& value, FoldParts& parts, llvm::json::Path path);
llvm::json::Value toJSON(const Fold& fold);
bool fromJSON(const llvm::json::Value& value, Fold& fold, llvm::json::Path path);

}  // namespace foldwise
