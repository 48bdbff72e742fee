// generator/model/ForallPlan.cpp: plans forall kernels.
#include "ForallTasks.hpp"
#include "Instances.hpp"
#include "KernelPlan.hpp"

#include <algorithm>

namespace foldwise {

template <> const TemplateWords& templateWords<ForallSpec>() {
    static const TemplateWords words = [] {
        TemplateWords all{.parameters = {"tasks"},
                          .locals = {"Layout", "begin", "copy", "end", "given", "inner", "layout", "own", "ranks",
                                     "run", "task", "tasks"},
                          .types = {},
                          .besideTypes = {"Arguments", "call", "executor", "foldwise", "std", "stream", "tasks"},
                          .symbols = {"launch_<symbol>", "launch_<symbol>_is_per_thread", "run_<symbol>",
                                      "<symbol>_parameters", "<symbol>_<parameter>_follows",
                                      "<symbol>_<parameter>_moves"}};
        all.besideTypes.insert(all.locals.begin(), all.locals.end());
        all.parameters.insert(wordsOfLaunchers().begin(), wordsOfLaunchers().end());
        all.locals.insert(wordsOfKernels().begin(), wordsOfKernels().end());
        return all;
    }();
    return words;
}

SignaturePlan planSignature(const ForallSignature& signature) {
    SignaturePlan plan;
    OperandNameChoice names(templateWords<ForallSpec>());
    for (const ForallParameter& parameter : signature.parameters) {
        plan.operands.push_back(names.of(parameter.name));
        if (parameter.rank == 0) continue;
        plan.bytesRead += reads(parameter.access) ? parameter.type.size : 0;
        plan.bytesWritten += writes(parameter.access) ? parameter.type.size : 0;
    }
    plan.cuda = {.threads = 256, .word = 1, .width = 1};  // what a task touches is the user's to say
    return plan;
}

std::vector<const ElementType*> symbolTypes(const ForallSignature& signature) { return elementTypes(signature); }

std::vector<NamedBody> functionsOf(const KernelSpec& kernel, const ForallSpec& pattern, const UnitSpec& unit) {
    const BodyNames names = nameBodies(kernel, unit);
    std::vector<NamedBody> all = {{&pattern.body, kernel.name}};
    if (std::ranges::any_of(pattern.signatures, hasOwnSums))
        all.push_back({.body = &pattern.body, .name = names.inOwnSums, .hasOwnSums = true});
    if (std::ranges::any_of(pattern.signatures, hasEdges))
        all.push_back({.body = &pattern.body, .name = names.insideEdges, .isInside = true});
    if (pattern.loopsBody) all.push_back({&*pattern.loopsBody, names.withLoops, /*isForGpus=*/true});
    return all;
}

std::vector<Instance> instancesOf(const ForallSignature& signature) {
    const bool hasSums = std::ranges::any_of(signature.parameters, &ForallParameter::isSummed);
    std::vector<Instance> all = {
#define FOLDWISE_FORALL_INSTANCE(name, description) {#name, description},
#include <foldwise/detail/forall_instances.def>
#undef FOLDWISE_FORALL_INSTANCE
    };
    const std::optional<ForallTasks> tasks = severalTasks(signature);
    for (Instance& one : all) {
        if (one.name == "summed") one.exists = hasSums;
        if (one.name == "several") one.exists = tasks && tasks->hasSeveral;
        if (one.name == "vectors") one.exists = tasks && tasks->width > 0;
        if (one.name == "warps") one.exists = signature.hasLoops;
    }
    return all;
}

}  // namespace foldwise
