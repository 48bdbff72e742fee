// generator/emit/FoldKeys.hpp: what templates see of patterns that combine elements.
#pragma once

#include "EmitPattern.hpp"

#include <llvm/Support/JSON.h>

#include <set>
#include <string>

namespace foldwise {

/// Adds the standard headers that a fold's identity needs beside kernels.
void addFoldIncludes(const FoldParts& parts, std::set<std::string>& kernels);

/// Whether a call may begin with the shape whose elements are combined.
inline bool takesShape(const FoldSignature& signature) { return signature.indexRank > 0; }

/// The keys of a fold's operands and steps: its map, combine, identity and finish as expressions.
llvm::json::Object foldKeys(const KernelSpec& kernel, const FoldParts& parts, const FoldSignature& signature,
                            const SignaturePlan& plan, const Emission& emission);

}  // namespace foldwise
