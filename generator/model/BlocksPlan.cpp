// generator/model/BlocksPlan.cpp: plans `blocks` kernels.
#include "Instances.hpp"
#include "KernelPlan.hpp"

namespace foldwise {

template <> const TemplateWords& templateWords<BlocksSpec>() {
    static const TemplateWords words = withCommonWords(
        {.parameters = {"items"},
         .locals = {"Layout", "begin", "block", "bytes", "end", "frame", "grid", "layout", "ranks", "run", "slot"},
         .types = {},
         .besideTypes = {},
         .symbols = {"launch_<symbol>", "launch_<symbol>_is_per_thread", "run_<symbol>", "<symbol>_parameters"}});
    return words;
}

SignaturePlan planSignature(const BlocksSignature& signature) {
    SignaturePlan plan;
    OperandNameChoice names(templateWords<BlocksSpec>());
    for (const BlocksParameter& parameter : signature.parameters) {
        plan.operands.push_back(names.of(parameter.name));
        if (parameter.rank == 0) continue;
        plan.bytesRead += parameter.isRead ? parameter.type.size : 0;
        plan.bytesWritten += parameter.isWritten ? parameter.type.size : 0;
    }
    plan.cuda = {.threads = signature.threads, .word = 1, .width = 1};  // what an item touches is the user's to say
    return plan;
}

std::vector<const ElementType*> symbolTypes(const BlocksSignature& signature) { return elementTypes(signature); }

std::vector<NamedBody> functionsOf(const KernelSpec& kernel, const BlocksSpec& pattern, const UnitSpec&) {
    return {{&pattern.body, kernel.name}};
}

std::vector<Instance> instancesOf(const BlocksSignature&) {
    return {
#define FOLDWISE_BLOCKS_INSTANCE(name, description) {#name, description},
#include <foldwise/detail/blocks_instances.def>
#undef FOLDWISE_BLOCKS_INSTANCE
    };
}

}  // namespace foldwise
