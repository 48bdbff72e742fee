// generator/model/ReduceSpec.hpp: what the frontend understood of a reduce kernel.
#pragma once

#include "Fold.hpp"
#include "Signature.hpp"

#include <vector>

namespace foldwise {

struct ReduceSignature : Signature {
    std::vector<Operand> inputs;
    Operand output;
    Fold fold;
    bool operator==(const ReduceSignature&) const = default;
};

struct ReduceSpec {
    FoldParts parts;
    std::vector<ReduceSignature> signatures;
    bool operator==(const ReduceSpec&) const = default;
};

/// The types whose layout all compilers have to agree on: the operands' in their order, and the accumulator.
std::vector<const ElementType*> elementTypes(const ReduceSignature& signature);

/// Whether the functions that two signatures become differ in their results alone, so that C++ cannot have both.
bool clash(const ReduceSignature& a, const ReduceSignature& b);

llvm::json::Value toJSON(const ReduceSpec& spec);
bool fromJSON(const llvm::json::Value& value, ReduceSpec& spec, llvm::json::Path path);

}  // namespace foldwise
