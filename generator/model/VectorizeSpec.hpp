// generator/model/VectorizeSpec.hpp: the model of a vectorize kernel, as the frontend makes it.
#pragma once

#include "Body.hpp"
#include "ElementType.hpp"
#include "Signature.hpp"

#include <llvm/Support/JSON.h>

#include <vector>

namespace foldwise {

struct VectorizeSignature : Signature {
    std::vector<Operand> inputs;
    std::vector<Operand> outputs;
    bool isTuple = false;   ///< Whether the lambda returns a std::tuple or std::pair of the outputs.
    bool converts = false;  ///< Whether the lambda returns other types than the outputs'.
    /// Whether the lambda takes an index<1> and calls foldwise::random::at, whose blocks neighbouring elements share.
    bool drawsByNumber = false;
    bool operator==(const VectorizeSignature&) const = default;
};

struct VectorizeSpec {
    Body body;  ///< What is called for each element.
    std::vector<VectorizeSignature> signatures;
    bool operator==(const VectorizeSpec&) const = default;
};

/// The types whose layout all compilers have to agree on, in the order of the operands.
std::vector<const ElementType*> elementTypes(const VectorizeSignature& signature);

/// Whether the functions that two signatures become differ in their results alone, so that C++ cannot have both.
bool clash(const VectorizeSignature& a, const VectorizeSignature& b);

llvm::json::Value toJSON(const VectorizeSpec& spec);
bool fromJSON(const llvm::json::Value& value, VectorizeSpec& spec, llvm::json::Path path);

}  // namespace foldwise
