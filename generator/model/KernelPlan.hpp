// generator/model/KernelPlan.hpp: what was decided for a kernel: names, sizes, shapes of launch. The one place for it.
#pragma once

#include "KernelSpec.hpp"

#include <llvm/ADT/StringRef.h>

#include <string>
#include <vector>

namespace foldwise {

/// How a CUDA block works through contiguous elements.
struct ElementwisePlan {
    unsigned threads = 0;  ///< Per block.
    unsigned word = 0;     ///< In bytes.
    unsigned width = 0;    ///< Elements per thread, together: the fewest of the widest operand that fill whole words.
    bool operator==(const ElementwisePlan&) const = default;
};

/// What an operand is called. Both are the user's own name unless that means something else there.
struct OperandNames {
    std::string parameter;  ///< Of the launcher: what a caller reads.
    std::string local;      ///< Within the kernel, where more names are taken.
    bool operator==(const OperandNames&) const = default;
};

/// For a forall kernel an element is a task that touches one element of each of its views.
struct SignaturePlan {
    std::string symbol;  ///< Of the kernel: "rel_diff_float"; it and what is made of it are unique in the namespace.
    std::vector<OperandNames> inputs;
    std::vector<OperandNames> outputs;
    std::vector<OperandNames> parameters;  ///< Of a forall kernel.
    unsigned bytesRead = 0;                ///< Per element, if every input is an array.
    unsigned bytesWritten = 0;             ///< Per element: nothing of a reduction, which writes once.
    ElementwisePlan cuda;  ///< Of a reduction, too, how a block reads; of a forall kernel one task per thread.
    bool operator==(const SignaturePlan&) const = default;
};

/// The names outside of functions that templates make of a symbol and of its tasks' parameters, itself among them.
std::vector<std::string> namesMadeOf(const std::string& symbol, const std::vector<OperandNames>& parameters);

/// For each of the unit's kernels, in their order, one plan for each signature.
std::vector<std::vector<SignaturePlan>> planUnit(const UnitSpec& unit);

/// Whether templates have a name for something of their own, such as a parameter, where they write operands' types.
bool isWordOfTemplates(llvm::StringRef name, Pattern pattern);

/// The same of types alone, which hide a user's even where `struct` is written before it.
bool isTypeOfTemplates(llvm::StringRef name, Pattern pattern);

/// What the functions are called that a reduction's lambdas become.
struct FoldNames {
    std::string map, combine, finish, identity;
    bool operator==(const FoldNames&) const = default;
};

/// "sum_map" and so on, for names that the unit does not have yet.
FoldNames nameFold(const KernelSpec& kernel, const UnitSpec& unit);

}  // namespace foldwise
