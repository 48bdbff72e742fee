// generator/model/StencilSpec.hpp: the model of a stencil kernel, as the frontend makes it.
#pragma once

#include "Body.hpp"
#include "ElementType.hpp"
#include "Signature.hpp"

#include <llvm/Support/JSON.h>

#include <string>
#include <vector>

namespace foldwise {

/// An array that a stencil looks around in.
struct AroundInput {
    std::uint32_t number = 0;  ///< Among the inputs.
    std::string beyond;        ///< What is beyond constant edges, as an expression of the elements' type; else empty.
    bool operator==(const AroundInput&) const = default;
};

/// How far a stencil looks along an axis.
struct Reach {
    std::uint32_t before = 0, behind = 0;
    bool operator==(const Reach&) const = default;
};

/// Cells of a window along an axis, counted from its first.
struct Cells {
    std::uint32_t first = 0, count = 0;
    bool operator==(const Cells&) const = default;
};

/// What of an input's window is read in one place, along each axis.
struct Look {
    std::uint32_t number = 0;  ///< Among the inputs.
    std::vector<Cells> along;
    bool operator==(const Look&) const = default;
};

/// One of a kernel's signatures.
struct StencilSignature : Signature {
    std::vector<Operand> inputs;  ///< The inputs; `around` says which are arrays that the stencil looks around in.
    std::vector<Operand> outputs;
    std::vector<AroundInput> around;
    std::uint32_t rank = 0;    ///< The axes of the arrays around.
    std::string edge;          ///< "wrap", "nearest", "mirror", "symmetric", "constant" or "skip".
    std::vector<Reach> reach;  ///< Along each axis.
    bool isReachSaid = false;  ///< Whether the user has said the radius.
    std::uint32_t reads = 0;   ///< About how many elements around each element are read; 0 if that is not known.
    std::vector<Look> looks;   ///< All that is read, if all offsets are constants once loops are unrolled; else empty.
    bool isTuple = false;      ///< Whether the lambda returns a std::tuple or std::pair of the outputs.
    bool operator==(const StencilSignature&) const = default;
};

/// What makes up a stencil kernel besides what kernels of all patterns have.
struct StencilSpec {
    Body body;  ///< What is called for each element.
    std::vector<StencilSignature> signatures;
    bool operator==(const StencilSpec&) const = default;
};

/// The array around that an input is, or null.
const AroundInput* aroundOf(const StencilSignature& signature, std::size_t input);

/// "around<const float, 2>", "view<const float, 1>" or "float", as the lambda takes an input.
std::string typeText(const StencilSignature& signature, std::size_t input);

/// Whether the results of a call can be the first arrays around of the next one.
bool hasSteps(const StencilSignature& signature);

/// The types whose layout all compilers have to agree on, in the order of the operands.
std::vector<const ElementType*> elementTypes(const StencilSignature& signature);

/// Whether the functions that are generated for two signatures would take the same operands.
bool clash(const StencilSignature& a, const StencilSignature& b);

/// Write and read the JSON of --emit=spec; fromJSON() reports what is wrong at `path`.
llvm::json::Value toJSON(const StencilSpec& spec);
bool fromJSON(const llvm::json::Value& value, StencilSpec& spec, llvm::json::Path path);

}  // namespace foldwise
