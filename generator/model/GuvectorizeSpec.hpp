// generator/model/GuvectorizeSpec.hpp: the model of a guvectorize kernel, as the frontend makes it.
#pragma once

#include "Body.hpp"
#include "ElementType.hpp"
#include "Signature.hpp"

#include <llvm/Support/JSON.h>

#include <string>
#include <vector>

namespace foldwise {

/// A core dimension of a layout such as "(m,n),(3)->()".
struct CoreDimension {
    std::string name;        ///< "m"; empty for a number.
    std::uint32_t size = 0;  ///< The number; 0 for a name, whose extent a call says.
    bool isParallel =
        false;  ///< Whether items may be cut along it: called for the parts, the lambda computes the same.
    bool operator==(const CoreDimension&) const = default;
};

/// An operand: what the lambda takes of each item.
struct CoreOperand {
    std::string name;
    ElementType type;                       ///< The type of an element.
    std::vector<std::uint32_t> dimensions;  ///< The core dimensions, by their numbers; none of a single value.
    bool isOutput = false;
    bool isOverwritten = false;  ///< Whether the lambda certainly assigns all elements of every item.
    bool operator==(const CoreOperand&) const = default;
};

/// "(m,n)"
std::string layoutText(const CoreOperand& operand, const std::vector<CoreDimension>& dimensions);

/// "view<const float, 2>", "float" or "float&", as the lambda takes an operand.
std::string typeText(const CoreOperand& operand);

/// One of a kernel's signatures.
struct GuvectorizeSignature : Signature {
    std::vector<CoreDimension> dimensions;  ///< Each one once.
    std::vector<CoreOperand> operands;      ///< The inputs, then the outputs.
    bool operator==(const GuvectorizeSignature&) const = default;
};

/// What makes up a guvectorize kernel besides what kernels of all patterns have.
struct GuvectorizeSpec {
    Body body;  ///< What is called for each item.
    std::vector<GuvectorizeSignature> signatures;
    bool operator==(const GuvectorizeSpec&) const = default;
};

/// The types whose layout all compilers have to agree on, in the order of the operands.
std::vector<const ElementType*> elementTypes(const GuvectorizeSignature& signature);

/// Whether the functions that are generated for two signatures would take the same operands.
bool clash(const GuvectorizeSignature& a, const GuvectorizeSignature& b);

/// Write and read the JSON of --emit=spec; fromJSON() reports what is wrong at `path`.
llvm::json::Value toJSON(const GuvectorizeSpec& spec);
bool fromJSON(const llvm::json::Value& value, GuvectorizeSpec& spec, llvm::json::Path path);

}  // namespace foldwise
