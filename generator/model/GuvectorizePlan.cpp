// generator/model/GuvectorizePlan.cpp: plans guvectorize kernels.
#include "Instances.hpp"
#include "KernelPlan.hpp"

namespace foldwise {

template <> const TemplateWords& templateWords<GuvectorizeSpec>() {
    static const TemplateWords words = withCommonWords(
        {.parameters = {"inputs", "kernel"},
         .locals = {"Layout", "are_packed", "begin", "core_axes", "cuts", "end", "item", "items", "overwritten"},
         .types = {},
         .besideTypes = {},
         .symbols = {"launch_<symbol>", "launch_<symbol>_is_per_thread", "run_<symbol>", "<symbol>_operands",
                     "<symbol>_dimensions", "<symbol>_cores", "<symbol>_<parameter>_core"}});
    return words;
}

SignaturePlan planSignature(const GuvectorizeSignature& signature) {
    SignaturePlan plan;
    OperandNameChoice names(templateWords<GuvectorizeSpec>());
    for (const CoreOperand& operand : signature.operands) {
        plan.operands.push_back(names.of(operand.name));
        (operand.isOutput ? plan.bytesWritten : plan.bytesRead) += operand.type.size;
    }
    plan.cuda = {.threads = 128, .word = 1, .width = 1};  // a thread has an item, which may need many registers
    return plan;
}

std::vector<const ElementType*> symbolTypes(const GuvectorizeSignature& signature) { return elementTypes(signature); }

std::vector<NamedBody> functionsOf(const KernelSpec& kernel, const GuvectorizeSpec& pattern, const UnitSpec&) {
    return {{&pattern.body, kernel.name}};
}

std::vector<Instance> instancesOf(const GuvectorizeSignature&) {
    return {
#define FOLDWISE_GUVECTORIZE_INSTANCE(name, description) {#name, description},
#include <foldwise/detail/guvectorize_instances.def>
#undef FOLDWISE_GUVECTORIZE_INSTANCE
    };
}

}  // namespace foldwise
