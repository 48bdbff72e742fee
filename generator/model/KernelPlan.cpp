// generator/model/KernelPlan.cpp: decisions. The figures behind them are in docs/performance/notes.md.
#include "KernelPlan.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringSet.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace foldwise {

namespace {

/// Gives the operands of one signature names that clash neither with each other nor with what templates write there.
class NameChoice {
  public:
    OperandNames of(const std::string& name) {
        return {unique(name, isTakenInLauncher, parameters_), unique(name, isTakenInKernel, locals_)};
    }

  private:
    static bool isTakenInLauncher(llvm::StringRef name) {
        static const llvm::StringSet<> taken = {"executor", "foldwise", "place", "shape", "std"};
        return taken.contains(name);
    }
    /// CUDA's built-in variables among them.
    static bool isTakenInKernel(llvm::StringRef name) {
        static const llvm::StringSet<> taken = {
            "Access", "blockDim", "blockIdx", "call",  "count",   "device", "foldwise", "gridDim", "i",        "k",
            "lane",   "operands", "position", "range", "results", "space",  "std",      "stream",  "threadIdx"};
        return taken.contains(name) || name.ends_with("_pack");
    }
    static std::string unique(std::string name, bool (*isTaken)(llvm::StringRef), std::set<std::string>& used) {
        while (isTaken(name) || !used.insert(name).second) name += "_";
        return name;
    }

    std::set<std::string> parameters_, locals_;
};

/// "rel_diff_float": the kernel's name and the types of its inputs, each type once.
std::string symbolOf(const KernelSpec& kernel, const Signature& signature) {
    std::vector<std::string> types;
    for (const Operand& input : signature.inputs)
        if (!llvm::is_contained(types, input.type.identifier)) types.push_back(input.type.identifier);
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
    // say, come in as many as make whole 16-byte words.
    return {.threads = 256, .width = 16 / std::gcd(widest, 16u)};
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
        NameChoice names;
        for (const Operand& input : signature.inputs) {
            plan.inputs.push_back(names.of(input.name));
            plan.bytesRead += input.type.size;
        }
        for (const Operand& output : signature.outputs) {
            plan.outputs.push_back(names.of(output.name));
            plan.bytesWritten += output.type.size;
        }
        plan.cuda = planElementwise(signature);
        plans.push_back(std::move(plan));
    }
    return plans;
}

}  // namespace

std::vector<std::vector<SignaturePlan>> planUnit(const UnitSpec& unit) {
    std::set<std::string> symbols;
    for (const KernelSpec& kernel : unit.kernels) symbols.insert(kernel.qualifiedName());  // their lambdas bear these
    std::vector<std::vector<SignaturePlan>> plans;
    for (const KernelSpec& kernel : unit.kernels) plans.push_back(planKernel(kernel, symbols));
    return plans;
}

}  // namespace foldwise
