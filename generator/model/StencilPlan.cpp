// generator/model/StencilPlan.cpp: plans stencil kernels.
#include "Instances.hpp"
#include "KernelPlan.hpp"

#include <algorithm>

namespace foldwise {

/// The bytes of a thread's registers that what its elements look at may take: half of what a thread has when eight
/// blocks of 256 share a multiprocessor.
static constexpr unsigned windowBytes = 256;

/// The most elements of a thread: with more, little more is loaded once.
static constexpr unsigned mostPerThread = 8;

template <> const TemplateWords& templateWords<StencilSpec>() {
    static const TemplateWords words =
        withCommonWords({.parameters = {"count", "place"},
                         .locals = {"Layout", "at", "begin", "compute", "edge", "end", "grid", "k", "lane",
                                    "per_thread", "results", "role", "roles"},
                         .types = {"role"},
                         .besideTypes = {},
                         .symbols = {"launch_<symbol>", "launch_<symbol>_is_per_thread", "run_<symbol>",
                                     "<symbol>_operands", "<symbol>_roles"}});
    return words;
}

SignaturePlan planSignature(const StencilSignature& signature) {
    SignaturePlan plan;
    OperandNameChoice names(templateWords<StencilSpec>());
    unsigned widest = 1;
    for (const Operand& input : signature.inputs) plan.operands.push_back(names.of(input.name));
    for (std::size_t i = 0; i < signature.inputs.size(); ++i) {
        const Operand& input = signature.inputs[i];
        const bool isAround = aroundOf(signature, i) != nullptr;
        if (isAround) widest = std::max(widest, input.type.size);
        if (isAround || !input.isWhole()) plan.bytesRead += input.type.size;
    }
    for (const Operand& output : signature.outputs) {
        plan.operands.push_back(names.of(output.name));
        plan.bytesWritten += output.type.size;
    }
    unsigned perThread = 1;
    const unsigned window = signature.reads * std::max(widest, 4u);
    while (signature.reads > 0 && perThread < mostPerThread && 2 * perThread * window <= windowBytes) perThread *= 2;
    plan.cuda = {.threads = 256, .word = widest, .width = perThread};
    return plan;
}

std::vector<const ElementType*> symbolTypes(const StencilSignature& signature) {
    return elementTypes(signature.inputs);
}

std::vector<NamedBody> functionsOf(const KernelSpec& kernel, const StencilSpec& pattern, const UnitSpec&) {
    return {{&pattern.body, kernel.name}};
}

std::vector<Instance> instancesOf(const StencilSignature&) {
    return {
#define FOLDWISE_STENCIL_INSTANCE(name, description) {#name, description},
#include <foldwise/detail/stencil_instances.def>
#undef FOLDWISE_STENCIL_INSTANCE
    };
}

}  // namespace foldwise
