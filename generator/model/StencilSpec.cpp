// generator/model/StencilSpec.cpp: the operands of stencil kernels, and their JSON.
#include "StencilSpec.hpp"

#include "SpecJson.hpp"

#include <llvm/ADT/STLExtras.h>

namespace foldwise {

namespace json = llvm::json;

template <> struct spec_json::Fields<AroundInput> {
    static bool each(auto& around, auto&& visit) {
        return visit("number", around.number) && visit("beyond", around.beyond);
    }
};

template <> struct spec_json::Fields<Reach> {
    static bool each(auto& reach, auto&& visit) {
        return visit("before", reach.before) && visit("behind", reach.behind);
    }
};

template <> struct spec_json::Fields<Cells> {
    static bool each(auto& cells, auto&& visit) { return visit("first", cells.first) && visit("count", cells.count); }
};

template <> struct spec_json::Fields<Look> {
    static bool each(auto& look, auto&& visit) { return visit("number", look.number) && visit("along", look.along); }
};

template <> struct spec_json::Fields<StencilSignature> {
    static bool each(auto& signature, auto&& visit) {
        return Fields<Signature>::each(signature, visit) && visit("inputs", signature.inputs) &&
               visit("outputs", signature.outputs) && visit("around", signature.around) &&
               visit("rank", signature.rank) && visit("edge", signature.edge) && visit("reach", signature.reach) &&
               visit("is_reach_said", signature.isReachSaid) && visit("reads", signature.reads) &&
               visit("looks", signature.looks) && visit("is_tuple", signature.isTuple);
    }
};

template <> struct spec_json::Fields<StencilSpec> {
    static bool each(auto& spec, auto&& visit) {
        return visit("body", spec.body) && visit("signatures", spec.signatures);
    }
};

const AroundInput* aroundOf(const StencilSignature& signature, std::size_t input) {
    const auto found = llvm::find_if(signature.around, [&](const AroundInput& one) { return one.number == input; });
    return found != signature.around.end() ? &*found : nullptr;
}

std::string typeText(const StencilSignature& signature, std::size_t input) {
    const Operand& operand = signature.inputs[input];
    if (aroundOf(signature, input))
        return "around<const " + operand.type.text() + ", " + std::to_string(operand.rank) + ">";
    return operand.isWhole() ? viewText(operand.type.text(), operand.rank) : operand.type.text();
}

bool hasSteps(const StencilSignature& signature) {
    if (signature.outputs.size() > signature.around.size()) return false;
    for (std::size_t i = 0; i < signature.outputs.size(); ++i)
        if (signature.outputs[i].type.name != signature.inputs[signature.around[i].number].type.name) return false;
    return true;
}

std::vector<const ElementType*> elementTypes(const StencilSignature& signature) {
    std::vector<const ElementType*> types = elementTypes(signature.inputs);
    for (const Operand& output : signature.outputs) types.push_back(&output.type);
    return types;
}

bool clash(const StencilSignature& a, const StencilSignature& b) { return haveSameOperands(a, b); }

json::Value toJSON(const StencilSpec& spec) { return spec_json::writeFields(spec); }
bool fromJSON(const json::Value& value, StencilSpec& spec, json::Path path) {
    return spec_json::readFields(value, spec, path);
}

}  // namespace foldwise
