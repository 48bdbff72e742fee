// generator/model/ScanPlan.cpp: plans scan kernels.
#include "Instances.hpp"
#include "KernelPlan.hpp"

namespace foldwise {

template <> const TemplateWords& templateWords<ScanSpec>() {
    static const TemplateWords words =
        withFoldWords({.parameters = {"option1", "option2", "option3", "option4", "option5", "option6"},
                       .locals = {"Access",     "Count",         "across", "columns", "elements", "first",  "from",
                                  "has_prefix", "have_prefixes", "load",   "loaded",  "mapped",   "prefix", "prefixes",
                                  "resident",   "row",           "run",    "store",   "stored",   "task",   "width"},
                       .types = {},
                       .besideTypes = {},
                       .symbols = {"scan_<symbol>", "fold_<symbol>", "scan_columns_<symbol>"}});
    return words;
}

SignaturePlan planSignature(const ScanSignature& signature) {
    SignaturePlan plan = planFold(signature, templateWords<ScanSpec>());
    plan.bytesWritten = signature.output.type.size;
    plan.cuda = planVectors(withElements(signature.inputs), {&signature.output}, 256);
    // A vector of each thread's accumulators is in shared memory.
    constexpr unsigned fewest = 64, mostBytes = 16384;
    while (plan.cuda.threads > fewest &&
           plan.cuda.threads * plan.cuda.width * signature.fold.accumulator.size > mostBytes)
        plan.cuda.threads /= 2;
    return plan;
}

std::vector<const ElementType*> symbolTypes(const ScanSignature& signature) { return elementTypes(signature.inputs); }

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
