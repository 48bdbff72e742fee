// generator/model/VectorizeSpec.cpp: the operands of vectorize kernels, and their JSON.
#include "VectorizeSpec.hpp"

#include "SpecJson.hpp"

namespace foldwise {

namespace json = llvm::json;

template <> struct spec_json::Fields<VectorizeSignature> {
    static bool each(auto& signature, auto&& visit) {
        return Fields<Signature>::each(signature, visit) && visit("inputs", signature.inputs) &&
               visit("outputs", signature.outputs) && visit("is_tuple", signature.isTuple) &&
               visit("converts", signature.converts) && visit("draws_by_number", signature.drawsByNumber);
    }
};

template <> struct spec_json::Fields<VectorizeSpec> {
    static bool each(auto& spec, auto&& visit) {
        return visit("body", spec.body) && visit("signatures", spec.signatures);
    }
};

std::vector<const ElementType*> elementTypes(const VectorizeSignature& signature) {
    std::vector<const ElementType*> types = elementTypes(signature.inputs);
    for (const Operand& output : signature.outputs) types.push_back(&output.type);
    return types;
}

bool clash(const VectorizeSignature& a, const VectorizeSignature& b) { return haveSameOperands(a, b); }

json::Value toJSON(const VectorizeSpec& spec) { return spec_json::writeFields(spec); }
bool fromJSON(const json::Value& value, VectorizeSpec& spec, json::Path path) {
    return spec_json::readFields(value, spec, path);
}

}  // namespace foldwise
