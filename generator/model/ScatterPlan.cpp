// generator/model/ScatterPlan.cpp: what is decided for scattered folds.
#include "Instances.hpp"
#include "KernelPlan.hpp"

namespace foldwise {

template <> const TemplateWords& templateWords<ScatterSpec>() {
    static const TemplateWords words = [] {
        TemplateWords all{.parameters = {"shape"},
                          .locals = {"Put", "bins", "combine", "element", "first", "identity", "one", "part", "placed",
                                     "put", "resident", "steps", "target", "vector"},
                          .types = {"Put", "accumulator", "instance", "steps", "value"},
                          .besideTypes = {},
                          .symbols = {"launch_<symbol>", "launch_<symbol>_is_per_thread", "scatter_<symbol>",
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

SignaturePlan planSignature(const ScatterSignature& signature) {
    SignaturePlan plan;
    OperandNameChoice names(templateWords<ScatterSpec>());
    std::vector<const Operand*> inputs;
    for (const Operand& input : signature.inputs) {
        plan.operands.push_back(names.of(input.name));
        if (input.isWhole()) continue;
        plan.bytesRead += input.type.size;
        inputs.push_back(&input);
    }
    plan.operands.push_back(names.of(signature.output.name));
    plan.cuda = planVectors(inputs, 256);
    return plan;
}

std::vector<const ElementType*> symbolTypes(const ScatterSignature& signature) {
    std::vector<const ElementType*> types;
    for (const Operand& input : signature.inputs) types.push_back(&input.type);
    return types;
}

std::vector<NamedBody> functionsOf(const KernelSpec& kernel, const ScatterSpec& pattern, const UnitSpec& unit) {
    return functionsOf(pattern.parts, nameParts(kernel, unit));
}

std::vector<Instance> instancesOf(const ScatterSignature& signature) {
    const bool is_atomic = isAtomic(signature);
    return {
#define FOLDWISE_SCATTER_INSTANCE(name, description, condition) {#name, description, condition},
#include <foldwise/detail/scatter_instances.def>
#undef FOLDWISE_SCATTER_INSTANCE
    };
}

}  // namespace foldwise
