// generator/model/ReducePlan.cpp: plans reduce kernels.
#include "Instances.hpp"
#include "KernelPlan.hpp"

namespace foldwise {

template <> const TemplateWords& templateWords<ReduceSpec>() {
    static const TemplateWords words = withFoldWords(
        {.parameters = {"axes", "option1", "option2", "option3", "partials", "segments"},
         .locals = {"Count",  "Place",  "accumulators", "elements", "enter",  "first",    "load",
                    "loaded", "mapped", "may_be_mixed", "place",    "places", "resident", "row",
                    "rows",   "stage",  "takes_index",  "target",   "tile",   "tiles",    "width"},
         .types = {"Place", "tile"},
         .besideTypes = {},
         .symbols = {"fold_<symbol>", "fold_columns_<symbol>", "fold_columns_of_halves_<symbol>", "join_<symbol>"}});
    return words;
}

SignaturePlan planSignature(const ReduceSignature& signature) {
    SignaturePlan plan = planFold(signature, templateWords<ReduceSpec>());
    // Up to three blocks of this size share a multiprocessor: few partial results, and enough loads in flight.
    plan.cuda = planVectors(withElements(signature.inputs), {}, 512);
    return plan;
}

std::vector<const ElementType*> symbolTypes(const ReduceSignature& signature) { return elementTypes(signature.inputs); }

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
