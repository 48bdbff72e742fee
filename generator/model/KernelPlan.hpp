// generator/model/KernelPlan.hpp: all decisions for a kernel: names, sizes, and shapes of launches.
#pragma once

#include "KernelSpec.hpp"
#include "NameChoice.hpp"

#include <string>
#include <vector>

namespace foldwise {

/// How a CUDA block works through contiguous elements, or tasks.
struct CudaPlan {
    unsigned threads = 0;  ///< Threads per block.
    unsigned word = 0;     ///< The bytes that a thread loads or stores at once.
    unsigned width = 0;    ///< Elements per thread: the fewest of the widest operand that together fill whole words.
    bool operator==(const CudaPlan&) const = default;
};

/// What was decided for one signature.
struct SignaturePlan {
    std::string
        symbol;  ///< The kernel's name: "rel_diff_float"; it and what is made of it are unique in the namespace.
    std::vector<OperandNames> operands;  ///< In the order of the launcher's parameters: inputs before outputs.
    unsigned bytesRead = 0;     ///< Per element, if every input is an array; per task, one element of each view.
    unsigned bytesWritten = 0;  ///< Per element or task: nothing of a reduction, which writes once.
    CudaPlan cuda;
    bool operator==(const SignaturePlan&) const = default;
};

/// For each of the unit's kernels, in their order, one plan for each signature.
std::vector<std::vector<SignaturePlan>> planUnit(const UnitSpec& unit);

/// A function that one of a kernel's lambdas is emitted as, beside the kernel.
struct NamedBody {
    const Body* body;
    std::string name;
    bool isForGpus = false;   ///< Whether kernels call it, and CPU twins do not.
    bool isInside = false;    ///< Whether CPU twins call it for tasks away from edges, if nothing is looked at.
    bool hasOwnSums = false;  ///< Whether it is called for tasks that add in memory of their thread's or block's own.
};

// For each pattern:
//   planSignature  decides all but the symbol.
//   symbolTypes    are the types that the symbol names.
//   functionsOf    has the kernel's lambdas, in the order in which they are emitted.
#define FOLDWISE_PATTERN(name, ...)                                                                                    \
    SignaturePlan planSignature(const name##Signature& signature);                                                     \
    std::vector<const ElementType*> symbolTypes(const name##Signature& signature);                                     \
    std::vector<NamedBody> functionsOf(const KernelSpec& kernel, const name##Spec& pattern, const UnitSpec& unit);
#include "Patterns.def"

/// Adds the names of inputs to a plan, and the bytes that an element reads of them.
void addInputs(SignaturePlan& plan, const std::vector<Operand>& inputs, OperandNameChoice& names);

/// What patterns that combine elements decide alike: the names of the operands, and the bytes that are read.
SignaturePlan planFold(const FoldSignature& signature, const TemplateWords& words);

/// The operands that have elements of their own: all but whole arrays.
std::vector<const Operand*> withElements(const std::vector<Operand>& operands);

/// What a thread of a CUDA block takes of contiguous operands, those that are read and those that are written, as
/// `threads` to a block.
CudaPlan planVectors(const std::vector<const Operand*>& inputs, const std::vector<const Operand*>& outputs,
                     unsigned threads);

/// What the functions are called that a fold's parts become.
struct PartNames {
    std::string map, combine, finish, identity;
    bool operator==(const PartNames&) const = default;
};

/// "sum_map" and so on, for names that the unit does not have yet.
PartNames nameParts(const KernelSpec& kernel, const UnitSpec& unit);

/// What the functions are called that a forall kernel's lambda becomes beside the one of the kernel's name.
struct BodyNames {
    std::string withLoops, inOwnSums, insideEdges;
};

/// "scale_with_loops" and so on, for names that the unit does not have yet.
BodyNames nameBodies(const KernelSpec& kernel, const UnitSpec& unit);

/// The parts of a fold that are emitted as functions.
std::vector<NamedBody> functionsOf(const FoldParts& parts, const PartNames& names);

}  // namespace foldwise
