// generator/model/KernelPlan.cpp: makes the decisions that patterns share. The figures behind them are in
// docs/performance/notes.
#include "KernelPlan.hpp"

#include <llvm/ADT/STLExtras.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>

namespace foldwise {

std::vector<std::vector<SignaturePlan>> planUnit(const UnitSpec& unit) {
    SymbolChoice symbols(unit);
    std::vector<std::vector<SignaturePlan>> plans;
    for (const KernelSpec& kernel : unit.kernels) {
        plans.emplace_back();
        forEachSignature(kernel, [&](const auto& signature) {
            SignaturePlan plan = planSignature(signature);
            plan.symbol = symbols.of(kernel, symbolTypes(signature), plan.operands);
            plans.back().push_back(std::move(plan));
        });
    }
    return plans;
}

void addInputs(SignaturePlan& plan, const std::vector<Operand>& inputs, OperandNameChoice& names) {
    for (const Operand& input : inputs) {
        plan.operands.push_back(names.of(input.name));
        if (!input.isWhole()) plan.bytesRead += input.type.size;
    }
}

SignaturePlan planFold(const FoldSignature& signature, const TemplateWords& words) {
    SignaturePlan plan;
    OperandNameChoice names(words);
    addInputs(plan, signature.inputs, names);
    plan.operands.push_back(names.of(signature.output.name));
    return plan;
}

std::vector<const Operand*> withElements(const std::vector<Operand>& operands) {
    std::vector<const Operand*> found;
    for (const Operand& operand : operands)
        if (!operand.isWhole()) found.push_back(&operand);
    return found;
}

CudaPlan planVectors(const std::vector<const Operand*>& inputs, const std::vector<const Operand*>& outputs,
                     unsigned threads) {
    std::uint32_t widest = 1, widestOutput = 1, narrowest = UINT32_MAX;
    for (const Operand* operand : llvm::concat<const Operand* const>(inputs, outputs)) {
        widest = std::max(widest, operand->type.size);
        narrowest = std::min(narrowest, operand->type.size);
    }
    for (const Operand* output : outputs) widestOutput = std::max(widestOutput, output->type.size);
    // One load per operand and thread: two or four were slower at every size, see the notes. Structs of 3 or 12 bytes,
    // say, come in as many as make whole words of 4 bytes: with wider accesses, neighbours' would lie further apart.
    // Beyond 32 bytes these are apart anyhow. Those of three numbers that are only read, beside narrower elements of
    // which there would be too few, come in as many as make three words of 16 bytes.
    const bool isApart = std::has_single_bit(widest) || widest > 32;
    const bool isMixed = (widest == 12 || widest == 24) && narrowest < widest && std::has_single_bit(widestOutput);
    const std::uint32_t word = isApart || isMixed ? 16 : 4;
    return {.threads = threads, .word = word, .width = word / std::gcd(widest, word)};
}

/// The kernel's name with `suffix` behind it, or with more if the unit has that.
static std::string freeName(const KernelSpec& kernel, const char* suffix, const UnitSpec& unit) {
    const auto isFree = [&](const std::string& name) {
        const auto hasName = [&](const auto& one) { return one.name == name; };
        return std::ranges::none_of(unit.declarations, hasName) && std::ranges::none_of(unit.kernels, hasName);
    };
    return uniqueName(kernel.name + suffix, isFree);
}

PartNames nameParts(const KernelSpec& kernel, const UnitSpec& unit) {
    return {freeName(kernel, "_map", unit), freeName(kernel, "_combine", unit), freeName(kernel, "_finish", unit),
            freeName(kernel, "_identity", unit)};
}

BodyNames nameBodies(const KernelSpec& kernel, const UnitSpec& unit) {
    return {freeName(kernel, "_with_loops", unit), freeName(kernel, "_in_own_sums", unit),
            freeName(kernel, "_inside_edges", unit)};
}

std::vector<NamedBody> functionsOf(const FoldParts& parts, const PartNames& names) {
    std::vector<NamedBody> functions;
    if (parts.identityValue) functions.push_back({&*parts.identityValue, names.identity});
    if (parts.map) functions.push_back({&*parts.map, names.map});
    functions.push_back({&parts.combine, names.combine});
    if (parts.finish) functions.push_back({&*parts.finish, names.finish});
    return functions;
}

}  // namespace foldwise
