// generator/model/ScatterPlan.cpp: plans scattered folds.
#include "Instances.hpp"
#include "KernelPlan.hpp"

namespace foldwise {

template <> const TemplateWords& templateWords<ScatterSpec>() {
    static const TemplateWords words =
        withCommonWords({.parameters = {"shape"},
                         .locals = {"Put",      "accumulator", "bin_axes", "bins",    "combine", "element",   "entries",
                                    "identity", "least_rows",  "map",      "numbers", "one",     "operation", "placed",
                                    "put",      "resident",    "steps",    "target",  "value",   "vectors"},
                         .types = {"Put", "accumulator", "instance", "steps", "value"},
                         .besideTypes = {},
                         .symbols = {"launch_<symbol>", "launch_<symbol>_is_per_thread", "scatter_<symbol>",
                                     "<symbol>_operands", "<symbol>_steps"}});
    return words;
}

SignaturePlan planSignature(const ScatterSignature& signature) {
    SignaturePlan plan = planFold(signature, templateWords<ScatterSpec>());
    plan.cuda = planVectors(withElements(signature.inputs), {}, 256);
    return plan;
}

std::vector<const ElementType*> symbolTypes(const ScatterSignature& signature) {
    return elementTypes(signature.inputs);
}

std::vector<NamedBody> functionsOf(const KernelSpec& kernel, const ScatterSpec& pattern, const UnitSpec& unit) {
    return functionsOf(pattern.parts, nameParts(kernel, unit));
}

std::vector<Instance> instancesOf(const ScatterSignature& signature) {
    const bool is_atomic = isAtomic(signature), may_order = mayOrder(signature);
    return {
#define FOLDWISE_SCATTER_INSTANCE(name, description, condition) {#name, description, condition},
#include <foldwise/detail/scatter_instances.def>
#undef FOLDWISE_SCATTER_INSTANCE
    };
}

}  // namespace foldwise
