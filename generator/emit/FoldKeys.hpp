// generator/emit/FoldKeys.hpp: the keys of the templates for patterns that combine elements.
#pragma once

#include "EmitPattern.hpp"
#include "KernelKeys.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/JSON.h>

#include <set>
#include <string>
#include <vector>

namespace foldwise {

/// Adds the standard headers that a fold's identity needs beside kernels.
void addFoldIncludes(const FoldParts& parts, std::set<std::string>& kernels);

/// Whether a call may begin with the shape whose elements are combined.
inline bool takesShape(const FoldSignature& signature) { return signature.indexRank > 0; }

/// The type by which calls of a fold are resolved, as in "foldwise::signatures<foldwise::reduction<float,
/// float(float)>>", with the template of one signature, such as "foldwise::reduction".
template <class Signature>
std::string foldSignatures(const std::vector<Signature>& signatures, const std::string& one) {
    std::string all;
    for (const FoldSignature& signature : signatures)
        all += (all.empty() ? "" : ", ") + one + "<" + signature.fold.accumulator.text() + ", " +
               signature.output.type.text() + "(" + typesOf(signature.inputs) + ")>";
    return (llvm::any_of(signatures, takesShape) ? "foldwise::shaped_signatures<" : "foldwise::signatures<") + all +
           ">";
}

/// What the report beside the build says of a fold's operands.
inline llvm::json::Object foldReport(const FoldSignature& signature) {
    return llvm::json::Object{{"inputs", operandReport(signature.inputs)},
                              {"outputs", operandReport({signature.output})}};
}

/// The keys of a fold's operands and steps: its map, combine, identity and finish as expressions.
llvm::json::Object foldKeys(const KernelSpec& kernel, const FoldParts& parts, const FoldSignature& signature,
                            const SignaturePlan& plan, const Emission& emission);

}  // namespace foldwise
