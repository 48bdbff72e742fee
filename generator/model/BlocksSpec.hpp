// generator/model/BlocksSpec.hpp: the model of a `blocks` kernel, as the frontend makes it.
#pragma once

#include "Body.hpp"
#include "ElementType.hpp"
#include "Signature.hpp"

#include <llvm/Support/JSON.h>

#include <optional>
#include <vector>

namespace foldwise {

/// A parameter of the lambda after the block: a view or a value.
struct BlocksParameter {
    std::string name;
    ElementType type;           ///< The type of a view's elements, or of the value.
    std::uint32_t rank = 0;     ///< The number of a view's axes; 0 for a value.
    bool isConst = false;       ///< Whether it is a view<const T, N>.
    bool isRead = false;        ///< Whether items read the view's elements.
    bool isWritten = false;     ///< Whether items write the view's elements.
    bool isOfAllItems = false;  ///< Whether each item certainly accesses the view's element at its own index.
    bool operator==(const BlocksParameter&) const = default;
};

/// Memory that the items of a block share.
struct SharedArray {
    std::string name;
    ElementType type;                    ///< The type of an element.
    std::vector<std::uint64_t> extents;  ///< Empty if the one extent is known at the call alone.
    /// The number of elements, which emitted code computes from `call`, a foldwise::detail::blocks_call.
    std::string count;
    Place place;
    bool operator==(const SharedArray&) const = default;
};

/// One of a kernel's signatures: the types of the lambda's parameters. The index has the block's axes.
struct BlocksSignature : Signature {
    std::vector<BlocksParameter> parameters;
    std::vector<std::uint64_t> extents;  ///< Items of a block along each axis.
    std::vector<SharedArray> shared;     ///< In the order in which the lambda takes them.
    /// The size of the largest value that a fold or scan exchanges between items; 0 without one.
    std::uint32_t exchanged = 0;
    std::uint32_t owned = 0;    ///< The size of an item's own variables, one behind the other.
    std::uint32_t threads = 0;  ///< The threads of a CUDA block, a multiple of a warp's.
    std::uint32_t phases = 0;   ///< Phases, folds and scans in the lambda's text.
    bool operator==(const BlocksSignature&) const = default;
};

/// What makes up a `blocks` kernel besides what kernels of all patterns have.
struct BlocksSpec {
    Body body;  ///< What is called for each block.
    std::vector<BlocksSignature> signatures;
    bool operator==(const BlocksSpec&) const = default;
};

/// The parameter's type as in the user's lambda: "view<const float, 2>", or a value's type.
std::string typeText(const BlocksParameter& parameter);

std::uint64_t itemsOf(const BlocksSignature& signature);

/// The threads that a CUDA block of so many items has: where several items of a thread can be told apart, and where
/// each thread has one at most.
std::uint32_t threadsOf(std::uint64_t items);
std::uint32_t threadsOfSingleItems(std::uint64_t items);

/// The most items that a thread has.
std::uint32_t itemsOfThread(const BlocksSignature& signature);

/// The least number of blocks that a multiprocessor is to have room for, by which compilers bound registers; 1 leaves
/// that to them. 512 threads have 128 registers each. Those whose items' own variables take few of them need no bound:
/// compilers would use as many as it allows. Those whose variables take most of them would not have enough within it.
std::uint32_t leastBlocks(const BlocksSignature& signature);

/// The bytes of shared memory in which folds and scans exchange values.
std::uint64_t scratchBytes(const BlocksSignature& signature);

/// The bytes that the items of a block share, scratch memory included; nothing if a call alone knows.
std::optional<std::uint64_t> sharedBytes(const BlocksSignature& signature);

/// The types whose layout all compilers have to agree on, in the order of the parameters.
std::vector<const ElementType*> elementTypes(const BlocksSignature& signature);

/// Whether the functions that are generated for two signatures would differ at most in the ranks of their views, so
/// that one program cannot have both.
bool clash(const BlocksSignature& a, const BlocksSignature& b);

/// Write and read the JSON of --emit=spec; fromJSON() reports what is wrong at `path`.
llvm::json::Value toJSON(const BlocksSpec& spec);
bool fromJSON(const llvm::json::Value& value, BlocksSpec& spec, llvm::json::Path path);

}  // namespace foldwise
