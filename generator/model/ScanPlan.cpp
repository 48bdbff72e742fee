// generator/model/ScanPlan.cpp: what is decided for scan kernels.
#include "Instances.hpp"
#include "KernelPlan.hpp"

namespace foldwise {

template <> const TemplateWords& templateWords<ScanSpec>() {
    static const TemplateWords words = [] {
        TemplateWords all{.parameters = {"option1", "option2", "option3", "option4", "option5", "option6"},
                          .locals = {"accumulator", "across",        "columns",  "Count",       "count",  "range",
                                     "results",     "stored",        "combine",  "elements",    "finish", "first",
                                     "folded",      "have_prefixes", "identity", "load",        "loaded", "map",
                                     "mapped",      "place",         "prefix",   "prefixes",    "range",  "resident",
                                     "result",      "results",       "row",      "run",         "space",  "start",
                                     "steps",       "store",         "strides",  "takes_index", "tile",   "width"},
                          .types = {"accumulator", "instance", "result", "steps", "tile"},
                          .besideTypes = {},
                          .symbols = {"launch_<symbol>", "launch_<symbol>_is_per_thread", "scan_<symbol>",
                                      "fold_<symbol>", "scan_columns_<symbol>", "<symbol>_elements",
                                      "<symbol>_operands", "<symbol>_steps"}};
        all.parameters.insert(wordsOfLaunchers().begin(), wordsOfLaunchers().end());
        all.locals.insert(wordsOfKernels().begin(), wordsOfKernels().end());
        all.besideTypes = all.parameters;
        all.besideTypes.insert(all.locals.begin(), all.locals.end());
        all.besideTypes.insert("Arguments");
        return all;
    }();
    return words;
}

SignaturePlan planSignature(const ScanSignature& signature) {
    SignaturePlan plan;
    OperandNameChoice names(templateWords<ScanSpec>());
    std::vector<const Operand*> operands;
    for (const Operand& input : signature.inputs) {
        plan.operands.push_back(names.of(input.name));
        if (input.isWhole()) continue;
        plan.bytesRead += input.type.size;
        operands.push_back(&input);
    }
    plan.operands.push_back(names.of(signature.output.name));
    plan.bytesWritten = signature.output.type.size;
    operands.push_back(&signature.output);
    plan.cuda = planVectors(operands, 256);
    // A vector of each thread's accumulators is in shared memory.
    constexpr unsigned fewest = 64, mostBytes = 16384;
    while (plan.cuda.threads > fewest &&
           plan.cuda.threads * plan.cuda.width * signature.fold.accumulator.size > mostBytes)
        plan.cuda.threads /= 2;
    return plan;
}

std::vector<const ElementType*> symbolTypes(const ScanSignature& signature) {
    std::vector<const ElementType*> types;
    for (const Operand& input : signature.inputs) types.push_back(&input.type);
    return types;
}

std::vector<NamedBody> functionsOf(const KernelSpec& kernel, const ScanSpec& pattern, const UnitSpec& unit) {
    return functionsOf(pattern.parts, nameParts(kernel, unit));
}

std::vector<Instance> instancesOf(const ScanSignature&) {
    return {
#define FOLDWISE_SCAN_INSTANCE(name, description) {#name, description},
#include <foldwise/detail/scan_instances.def>
#undef FOLDWISE_SCAN_INSTANCE
    };
}

}  // namespace foldwise
