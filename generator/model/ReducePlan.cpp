// generator/model/ReducePlan.cpp: what is decided for reduce kernels.
#include "Instances.hpp"
#include "KernelPlan.hpp"

namespace foldwise {

template <> const TemplateWords& templateWords<ReduceSpec>() {
    static const TemplateWords words = [] {
        TemplateWords all{.parameters = {"axes", "option1", "option2", "option3"},
                          .locals = {"Count",  "Place",  "accumulator", "accumulators", "combine", "elements", "enter",
                                     "finish", "first",  "folded",      "identity",     "load",    "loaded",   "map",
                                     "mapped", "place",  "places",      "resident",     "result",  "row",      "rows",
                                     "steps",  "target", "takes_index", "tile",         "tiles",   "width"},
                          .types = {"Place", "accumulator", "instance", "result", "steps", "tile"},
                          .besideTypes = {},
                          .symbols = {"launch_<symbol>", "launch_<symbol>_is_per_thread", "fold_<symbol>",
                                      "fold_columns_<symbol>", "join_<symbol>", "<symbol>_elements",
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

SignaturePlan planSignature(const ReduceSignature& signature) {
    SignaturePlan plan;
    OperandNameChoice names(templateWords<ReduceSpec>());
    std::vector<const Operand*> inputs;
    for (const Operand& input : signature.inputs) {
        plan.operands.push_back(names.of(input.name));
        if (input.isWhole()) continue;
        plan.bytesRead += input.type.size;
        inputs.push_back(&input);
    }
    plan.operands.push_back(names.of(signature.output.name));
    // Up to three blocks of this size share a multiprocessor: few partial results, and enough loads in flight.
    plan.cuda = planVectors(inputs, 512);
    return plan;
}

std::vector<const ElementType*> symbolTypes(const ReduceSignature& signature) {
    std::vector<const ElementType*> types;
    for (const Operand& input : signature.inputs) types.push_back(&input.type);
    return types;
}

std::vector<NamedBody> functionsOf(const KernelSpec& kernel, const ReduceSpec& pattern, const UnitSpec& unit) {
    return functionsOf(pattern.parts, nameParts(kernel, unit));
}

std::vector<Instance> instancesOf(const ReduceSignature&) {
    return {
#define FOLDWISE_REDUCE_INSTANCE(name, folder, reading, description) {#name, description},
#include <foldwise/detail/reduce_instances.def>
#undef FOLDWISE_REDUCE_INSTANCE
    };
}

}  // namespace foldwise
