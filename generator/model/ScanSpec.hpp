// generator/model/ScanSpec.hpp: the model of a scan kernel, as the frontend makes it.
#pragma once

#include "Fold.hpp"

#include <vector>

namespace foldwise {

struct ScanSignature : FoldSignature {
    bool operator==(const ScanSignature&) const = default;
};

struct ScanSpec {
    FoldParts parts;
    std::vector<ScanSignature> signatures;
    bool operator==(const ScanSpec&) const = default;
};

llvm::json::Value toJSON(const ScanSpec& spec);
bool fromJSON(const llvm::json::Value& value, ScanSpec& spec, llvm::json::Path path);

}  // namespace foldwise
