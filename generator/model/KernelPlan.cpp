// generator/model/KernelPlan.cpp: decisions. The figures behind them are in docs/performance/notes.md.
#include "KernelPlan.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringSet.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <set>

namespace foldwise {

namespace {

/// The name itself, or with as many underlines as make it a new one.
std::string unique(std::string name, const llvm::StringSet<>& taken, std::set<std::string>& used) {
    while (taken.contains(name) || !used.insert(name).second) name += "_";
    return name;
}

/// Gives the operands of one signature names that clash neither with each other nor with what templates write there.
class NameChoice {
  public:
    explicit NameChoice(Pattern pattern) {
        if (pattern == Pattern::Forall) {
            parameters_ = {"tasks"};
            locals_ = {"Layout", "at", "begin", "end", "layout", "run", "task", "tasks"};
        }
        if (pattern != Pattern::Reduce) return;
        parameters_ = {"axes", "option1", "option2", "option3"};
        locals_ = {"accumulator", "accumulators", "at",    "combine", "elements", "finish", "first",
                   "folded",      "identity",     "load",  "loaded",  "map",      "mapped", "result",
                   "row",         "rows",         "steps", "target",  "tile",     "width"};
    }

    OperandNames of(const std::string& name) {
        const std::string local = llvm::StringRef(name).ends_with("_pack") ? name + "_" : name;
        return {unique(name, takenInLauncher(), parameters_), unique(local, takenInKernel(), locals_)};
    }

  private:
    static const llvm::StringSet<>& takenInLauncher() {
        static const llvm::StringSet<> taken = {"executor", "foldwise", "place", "shape", "std"};
        return taken;
    }
    /// CUDA's built-in variables among them.
    static const llvm::StringSet<>& takenInKernel() {
        static const llvm::StringSet<> taken = {"Access",  "blockDim", "blockIdx", "call",         "count",
                                                "device",  "foldwise", "gridDim",  "has_elements", "i",
                                                "k",       "lane",     "operands", "position",     "range",
                                                "results", "space",    "std",      "stream",       "threadIdx"};
        return taken;
    }

    std::set<std::string> parameters_, locals_;
};

/// "rel_diff_float": the kernel's name and the types of its inputs, each type once.
std::string symbolOf(const KernelSpec& kernel, const Signature& signature) {
    std::vector<std::string> types;
    const auto add = [&](const ElementType& type) {
        if (!llvm::is_contained(types, type.identifier)) types.push_back(type.identifier);
    };
    for (const Operand& input : signature.inputs) add(input.type);
    for (const TaskParameter& parameter : signature.parameters) add(parameter.type);
    if (types.empty()) types.push_back("kernel");
    std::string symbol = kernel.name;
    for (const std::string& type : types) symbol.append("_").append(type);
    return symbol;
}

ElementwisePlan planElementwise(const Signature& signature) {
    std::uint32_t widest = 1;
    for (const Operand& input : signature.inputs) widest = std::max(widest, input.type.size);
    for (const Operand& output : signature.outputs) widest = std::max(widest, output.type.size);
    // One load per operand and thread: two or four were slower at every size, see the notes. Structs of 3 or 12 bytes,
    // say, come in as many as make whole words of 4 bytes: with wider accesses, neighbours' would lie further apart.
    // Beyond 32 bytes these are apart anyhow.
    const std::uint32_t word = std::has_single_bit(widest) || widest > 32 ? 16 : 4;
    return {.threads = 256, .word = word, .width = word / std::gcd(widest, word)};
}

/// Up to three blocks of this size share a multiprocessor: few partial results, and enough loads in flight.
ElementwisePlan planReduce(const Signature& signature) {
    Signature inputs;
    inputs.inputs = signature.inputs;
    ElementwisePlan plan = planElementwise(inputs);
    plan.threads = 512;
    return plan;
}

ElementwisePlan planCuda(Pattern pattern, const Signature& signature) {
    switch (pattern) {
    case Pattern::Vectorize:
        return planElementwise(signature);
    case Pattern::Reduce:
        return planReduce(signature);
    case Pattern::Forall:
        return {.threads = 256, .word = 1, .width = 1};  // what a task touches is the user's to say
    }
    llvm_unreachable("every pattern has a plan");
}

/// `symbols` are the names, with their namespaces, that are taken; the plan's own join them.
std::vector<SignaturePlan> planKernel(const KernelSpec& kernel, std::set<std::string>& symbols) {
    std::vector<SignaturePlan> plans;
    const std::string scope = llvm::StringRef(kernel.qualifiedName()).drop_back(kernel.name.size()).str();
    for (const Signature& signature : kernel.signatures) {
        SignaturePlan plan;
        // Signatures with the same set of types, such as (float, double) and (double, float), are told apart by number;
        // and so are f of float and double, and f_float of double.
        plan.symbol = symbolOf(kernel, signature);
        for (unsigned n = 2; !symbols.insert(scope + plan.symbol).second; ++n)
            plan.symbol = symbolOf(kernel, signature) + "_" + std::to_string(n);
        NameChoice names(kernel.pattern);
        for (const Operand& input : signature.inputs) {
            plan.inputs.push_back(names.of(input.name));
            plan.bytesRead += input.type.size;
        }
        for (const Operand& output : signature.outputs) {
            plan.outputs.push_back(names.of(output.name));
            if (!signature.fold) plan.bytesWritten += output.type.size;
        }
        for (const TaskParameter& parameter : signature.parameters) {
            plan.parameters.push_back(names.of(parameter.name));
            if (parameter.rank == 0) continue;
            const bool reads = parameter.access == Access::Read || parameter.access == Access::ReadWrite;
            const bool writes = parameter.access == Access::Write || parameter.access == Access::ReadWrite;
            plan.bytesRead += reads ? parameter.type.size : 0;
            plan.bytesWritten += writes ? parameter.type.size : 0;
        }
        plan.cuda = planCuda(kernel.pattern, signature);
        plans.push_back(std::move(plan));
    }
    return plans;
}

}  // namespace

FoldNames nameFold(const KernelSpec& kernel, const UnitSpec& unit) {
    std::set<std::string> used;
    for (const Declaration& declaration : unit.declarations) used.insert(declaration.name);
    for (const KernelSpec& other : unit.kernels) used.insert(other.name);
    const auto nameOf = [&](const char* part) {
        std::string name = kernel.name + part;
        while (!used.insert(name).second) name += "_";
        return name;
    };
    return {nameOf("_map"), nameOf("_combine"), nameOf("_finish"), nameOf("_identity")};
}

std::vector<std::vector<SignaturePlan>> planUnit(const UnitSpec& unit) {
    std::set<std::string> symbols;
    for (const KernelSpec& kernel : unit.kernels) symbols.insert(kernel.qualifiedName());  // their lambdas bear these
    std::vector<std::vector<SignaturePlan>> plans;
    for (const KernelSpec& kernel : unit.kernels) plans.push_back(planKernel(kernel, symbols));
    return plans;
}

}  // namespace foldwise
