// generator/model/ReduceSpec.cpp: its operands, and its way to JSON and back.
#include "ReduceSpec.hpp"

#include "SpecJson.hpp"

#include <algorithm>

namespace foldwise {

namespace json = llvm::json;

template <> struct spec_json::Fields<ReduceSignature> {
    static bool each(auto& signature, auto&& visit) {
        return Fields<Signature>::each(signature, visit) && visit("inputs", signature.inputs) &&
               visit("output", signature.output) && visit("fold", signature.fold);
    }
};

template <> struct spec_json::Fields<ReduceSpec> {
    static bool each(auto& spec, auto&& visit) {
        return visit("parts", spec.parts) && visit("signatures", spec.signatures);
    }
};

std::vector<const ElementType*> elementTypes(const ReduceSignature& signature) {
    std::vector<const ElementType*> types;
    for (const Operand& input : signature.inputs) types.push_back(&input.type);
    types.push_back(&signature.output.type);
    types.push_back(&signature.fold.accumulator);
    return types;
}

bool clash(const ReduceSignature& a, const ReduceSignature& b) {
    // The accumulator is that of the option foldwise::initial.
    return a.fold.accumulator.name == b.fold.accumulator.name &&
           std::ranges::equal(a.inputs, b.inputs,
                              [](const Operand& x, const Operand& y) { return x.type.name == y.type.name; });
}

json::Value toJSON(const ReduceSpec& spec) { return spec_json::writeFields(spec); }
bool fromJSON(const json::Value& value, ReduceSpec& spec, json::Path path) {
    return spec_json::readFields(value, spec, path);
}

}  // namespace foldwise
