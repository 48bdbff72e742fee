// generator/model/KernelPlan.cpp: decisions. The figures behind them are in docs/performance/notes.
#include "KernelPlan.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/STLFunctionalExtras.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <set>

namespace foldwise {

namespace {

/// The name itself, or else the first of name_, name_2, name_3 and so on that is a new one; two underscores side by
/// side would be the compiler's.
std::string uniqueName(const std::string& name, llvm::function_ref<bool(const std::string&)> isNew) {
    if (isNew(name)) return name;
    const std::string stem = llvm::StringRef(name).ends_with("_") ? name : name + "_";
    if (stem != name && isNew(stem)) return stem;
    unsigned number = 2;
    while (!isNew(stem + std::to_string(number))) ++number;
    return stem + std::to_string(number);
}

std::string unique(const std::string& name, const std::set<std::string>& taken, std::set<std::string>& used) {
    return uniqueName(name, [&](const std::string& one) { return !taken.contains(one) && used.insert(one).second; });
}

const std::set<std::string> inLauncher = {"executor", "foldwise", "place", "shape", "std"};
/// CUDA's built-in variables among them.
const std::set<std::string> inKernel = {"Instance", "at",     "blockDim", "blockIdx", "call",    "code",    "compute",
                                        "count",    "device", "foldwise", "formula",  "gridDim", "i",       "instance",
                                        "k",        "lane",   "operands", "position", "range",   "results", "space",
                                        "std",      "stream", "strides",  "threadIdx"};
const std::set<std::string> taskParameters = {"tasks"};
const std::set<std::string> taskLocals = {"Layout", "begin", "end", "layout", "ranks", "run", "task", "tasks"};
const std::set<std::string> foldParameters = {"axes", "option1", "option2", "option3"};
const std::set<std::string> foldLocals = {
    "Count",    "Place", "accumulator", "accumulators", "combine", "elements", "enter", "finish", "first",    "folded",
    "identity", "load",  "loaded",      "map",          "mapped",  "operands", "place", "places", "resident", "result",
    "row",      "rows",  "steps",       "takes_index",  "target",  "tile",     "tiles", "width"};

/// Gives the operands of one signature names that clash neither with each other nor with what templates write there.
class NameChoice {
  public:
    explicit NameChoice(Pattern pattern) {
        if (pattern == Pattern::Forall) {
            parameters_ = taskParameters;
            locals_ = taskLocals;
        }
        if (pattern != Pattern::Reduce) return;
        parameters_ = foldParameters;
        locals_ = foldLocals;
    }

    OperandNames of(const std::string& name) {
        const std::string local = llvm::StringRef(name).ends_with("_pack") ? name + "_" : name;
        return {unique(name, inLauncher, parameters_), unique(local, inKernel, locals_)};
    }

  private:
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

/// "a::b::" for names that are looked up there: also those of unnamed and inline namespaces.
std::string scopeOf(const std::vector<std::string>& namespaces) {
    std::string scope;
    for (llvm::StringRef space : namespaces)
        if (!space.empty() && !space.starts_with("inline ")) scope += (space + "::").str();
    return scope;
}

/// The names that a unit's emitted files have outside of functions, each with its scope.
class SymbolChoice {
  public:
    explicit SymbolChoice(const UnitSpec& unit) {
        for (const Declaration& declaration : unit.declarations)
            taken_.insert(scopeOf(declaration.namespaces) + declaration.name);
        for (const KernelSpec& kernel : unit.kernels) {
            const std::string scope = scopeOf(kernel.namespaces);
            taken_.insert(scope + kernel.name);  // its lambda bears it
            if (kernel.pattern != Pattern::Reduce) continue;
            const FoldNames parts = nameFold(kernel, unit);
            for (const std::string& part : {parts.map, parts.combine, parts.finish, parts.identity})
                taken_.insert(scope + part);
        }
    }

    /// Signatures with the same set of types, such as (float, double) and (double, float), are told apart by number;
    /// and so are f of float and double, and f_float of double.
    std::string of(const KernelSpec& kernel, const Signature& signature, const std::vector<OperandNames>& parameters) {
        const std::string scope = scopeOf(kernel.namespaces);
        const std::string first = symbolOf(kernel, signature);
        std::string symbol = first;
        const auto isTaken = [&](const std::string& name) { return taken_.contains(scope + name); };
        for (unsigned n = 2; llvm::any_of(namesMadeOf(symbol, parameters), isTaken); ++n)
            symbol = first + "_" + std::to_string(n);
        for (const std::string& name : namesMadeOf(symbol, parameters)) taken_.insert(scope + name);
        return symbol;
    }

  private:
    std::set<std::string> taken_;
};

std::vector<SignaturePlan> planKernel(const KernelSpec& kernel, SymbolChoice& symbols) {
    std::vector<SignaturePlan> plans;
    for (const Signature& signature : kernel.signatures) {
        SignaturePlan plan;
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
        plan.symbol = symbols.of(kernel, signature, plan.parameters);
        plan.cuda = planCuda(kernel.pattern, signature);
        plans.push_back(std::move(plan));
    }
    return plans;
}

}  // namespace

bool isWordOfTemplates(llvm::StringRef name, Pattern pattern) {
    static const std::set<std::string> inTasks = {"call", "executor", "foldwise", "std", "stream"};
    const auto isIn = [&](auto&... words) { return (words.contains(name.str()) || ...); };
    switch (pattern) {
    case Pattern::Forall:
        return isIn(inTasks, taskParameters, taskLocals);
    case Pattern::Reduce:
        return isIn(inLauncher, inKernel, foldParameters, foldLocals) || isTypeOfTemplates(name, pattern);
    case Pattern::Vectorize:
        return isIn(inLauncher, inKernel) || isTypeOfTemplates(name, pattern);
    }
    llvm_unreachable("every pattern has its words");
}

bool isTypeOfTemplates(llvm::StringRef name, Pattern pattern) {
    if (name == "instance") return pattern != Pattern::Forall;
    return pattern == Pattern::Reduce && llvm::is_contained({"Place", "accumulator", "result", "steps", "tile"}, name);
}

FoldNames nameFold(const KernelSpec& kernel, const UnitSpec& unit) {
    std::set<std::string> used;
    for (const Declaration& declaration : unit.declarations) used.insert(declaration.name);
    for (const KernelSpec& other : unit.kernels) used.insert(other.name);
    const auto nameOf = [&](const char* part) {
        return uniqueName(kernel.name + part, [&](const std::string& name) { return used.insert(name).second; });
    };
    return {nameOf("_map"), nameOf("_combine"), nameOf("_finish"), nameOf("_identity")};
}

std::vector<std::string> namesMadeOf(const std::string& symbol, const std::vector<OperandNames>& parameters) {
    std::vector<std::string> names = {symbol};
    for (const char* prefix : {"launch_", "fold_", "fold_columns_", "join_"}) names.push_back(prefix + symbol);
    names.push_back("launch_" + symbol + "_is_per_thread");
    for (const char* suffix : {"_elements", "_formula", "_operands", "_parameters", "_steps"})
        names.push_back(symbol + suffix);
    for (const OperandNames& parameter : parameters) names.push_back(symbol + "_" + parameter.parameter + "_follows");
    return names;
}

std::vector<std::vector<SignaturePlan>> planUnit(const UnitSpec& unit) {
    SymbolChoice symbols(unit);
    std::vector<std::vector<SignaturePlan>> plans;
    for (const KernelSpec& kernel : unit.kernels) plans.push_back(planKernel(kernel, symbols));
    return plans;
}

}  // namespace foldwise
