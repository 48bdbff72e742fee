// generator/model/VectorizePlan.cpp: plans vectorize kernels.
#include "Instances.hpp"
#include "KernelPlan.hpp"

namespace foldwise {

template <> const TemplateWords& templateWords<VectorizeSpec>() {
    static const TemplateWords words =
        withCommonWords({.parameters = {},
                         .locals = {},
                         .types = {"instance"},
                         .besideTypes = {},
                         .symbols = {"launch_<symbol>", "launch_<symbol>_is_per_thread", "run_<symbol>",
                                     "<symbol>_formula", "<symbol>_operands"}});
    return words;
}

SignaturePlan planSignature(const VectorizeSignature& signature) {
    SignaturePlan plan;
    OperandNameChoice names(templateWords<VectorizeSpec>());
    addInputs(plan, signature.inputs, names);
    std::vector<const Operand*> inputs, outputs;
    // Seeds are single values, and leave the elements of a block of random words together.
    if (!signature.drawsByNumber) inputs = withElements(signature.inputs);
    for (const Operand& output : signature.outputs) {
        plan.operands.push_back(names.of(output.name));
        plan.bytesWritten += output.type.size;
        outputs.push_back(&output);
    }
    plan.cuda = planVectors(inputs, outputs, 256);
    return plan;
}

std::vector<const ElementType*> symbolTypes(const VectorizeSignature& signature) {
    return elementTypes(signature.inputs);
}

std::vector<NamedBody> functionsOf(const KernelSpec& kernel, const VectorizeSpec& pattern, const UnitSpec&) {
    return {{&pattern.body, kernel.name}};
}

std::vector<Instance> instancesOf(const VectorizeSignature& signature) {
    const bool has_elements = hasElements(signature.inputs), takes_index = signature.indexRank > 0,
               draws_by_number = signature.drawsByNumber;
    return {
#define FOLDWISE_VECTORIZE_INSTANCE(name, description, condition) {#name, description, condition},
#include <foldwise/detail/vectorize_instances.def>
#undef FOLDWISE_VECTORIZE_INSTANCE
    };
}

}  // namespace foldwise
