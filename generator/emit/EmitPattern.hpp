// generator/emit/EmitPattern.hpp: the functions that each pattern defines to describe its signatures in emitted files,
// the report and --explain.
#pragma once

#include "../model/KernelPlan.hpp"
#include "Facts.hpp"
#include "UnitKeys.hpp"

#include <llvm/Support/JSON.h>

#include <set>

namespace foldwise {

/// What a kernel is emitted for.
struct Emission {
    const UnitSpec& unit;
    const Backends& backends;
    llvm::StringRef attributes;  ///< What functions and constants are marked with, as for unitKeys.
};

// For each pattern:
//   addIncludes      adds the standard headers that its templates need, in the emitted header and beside kernels.
//   signatureKeys    is what templates see of a signature: an element of the array of the pattern's keyword.
//   callSignatures   is the type by which calls that overloads do not serve are resolved (foldwise/call.hpp).
//   givesValues      is whether a call with single values alone gives a value.
//   operandReport    is what the report beside the build says of its operands.
//   explainOperands  adds what --explain says of its operands and of the bytes that these take.
//   explainLaunch    adds what --explain says of the threads of a CUDA block, and of blocks.
#define FOLDWISE_PATTERN(name, ...)                                                                                    \
    void addIncludes(const name##Spec& pattern, std::set<std::string>& header, std::set<std::string>& kernels);        \
    llvm::json::Object signatureKeys(const KernelSpec& kernel, const name##Signature& signature,                       \
                                     const SignaturePlan& plan, const Emission& emission);                             \
    std::string callSignatures(const name##Spec& pattern);                                                             \
    bool givesValues(const name##Spec& pattern);                                                                       \
    llvm::json::Object operandReport(const name##Signature& signature);                                                \
    void explainOperands(const name##Signature& signature, const SignaturePlan& plan, Facts& facts);                   \
    void explainLaunch(const name##Signature& signature, const SignaturePlan& plan, Facts& facts);
#include "../model/Patterns.def"

}  // namespace foldwise
