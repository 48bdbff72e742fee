// generator/model/ReduceSpec.hpp: the model of a reduce kernel, as the frontend makes it.
#pragma once

#include "Fold.hpp"

#include <vector>

namespace foldwise {

struct ReduceSignature : FoldSignature {
    bool operator==(const ReduceSignature&) const = default;
};

struct ReduceSpec {
    /// Whether vector code is given the floats of what halves it reads, where the map only converts them.
    static constexpr bool convertsHalves = true;

    FoldParts parts;
    std::vector<ReduceSignature> signatures;
    bool operator==(const ReduceSpec&) const = default;
};

llvm::json::Value toJSON(const ReduceSpec& spec);
bool fromJSON(const llvm::json::Value& value, ReduceSpec& spec, llvm::json::Path path);

}  // namespace foldwise
