// generator/model/ScatterSpec.hpp: the model of a scattered fold, as the frontend makes it.
#pragma once

#include "Fold.hpp"

#include <vector>

namespace foldwise {

struct ScatterSignature : FoldSignature {
    bool operator==(const ScatterSignature&) const = default;
};

struct ScatterSpec {
    static constexpr bool scatters = true;  ///< Whether the map says where values go.

    FoldParts parts;
    std::vector<ScatterSignature> signatures;
    bool operator==(const ScatterSpec&) const = default;
};

/// Whether values of an accumulator can be combined in memory by many threads at once, in any order.
bool isAtomic(const ScatterSignature& signature);

/// Whether values are ever combined in their order: where that matters, or the bits do in REPRODUCIBLE builds, and
/// where there is no atomic operation.
bool mayOrder(const ScatterSignature& signature);

/// Whether the result does not depend on the order in which values are combined.
bool isExact(const ScatterSignature& signature);

llvm::json::Value toJSON(const ScatterSpec& spec);
bool fromJSON(const llvm::json::Value& value, ScatterSpec& spec, llvm::json::Path path);

}  // namespace foldwise
