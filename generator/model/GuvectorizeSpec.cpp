// generator/model/GuvectorizeSpec.cpp: the operands of guvectorize kernels, and their JSON.
#include "GuvectorizeSpec.hpp"

#include "SpecJson.hpp"

#include <algorithm>

namespace foldwise {

namespace json = llvm::json;

template <> struct spec_json::Fields<CoreDimension> {
    static bool each(auto& dimension, auto&& visit) {
        return visit("name", dimension.name) && visit("size", dimension.size) &&
               visit("is_parallel", dimension.isParallel);
    }
};

template <> struct spec_json::Fields<CoreOperand> {
    static bool each(auto& operand, auto&& visit) {
        return visit("name", operand.name) && visit("type", operand.type) && visit("dimensions", operand.dimensions) &&
               visit("is_output", operand.isOutput) && visit("is_overwritten", operand.isOverwritten);
    }
};

template <> struct spec_json::Fields<GuvectorizeSignature> {
    static bool each(auto& signature, auto&& visit) {
        return Fields<Signature>::each(signature, visit) && visit("dimensions", signature.dimensions) &&
               visit("operands", signature.operands);
    }
};

template <> struct spec_json::Fields<GuvectorizeSpec> {
    static bool each(auto& spec, auto&& visit) {
        return visit("body", spec.body) && visit("signatures", spec.signatures);
    }
};

std::string layoutText(const CoreOperand& operand, const std::vector<CoreDimension>& dimensions) {
    std::string text = "(";
    for (const std::uint32_t number : operand.dimensions) {
        const CoreDimension& one = dimensions[number];
        text += (text.size() > 1 ? "," : "") + (one.name.empty() ? std::to_string(one.size) : one.name);
    }
    return text + ")";
}

std::string typeText(const CoreOperand& operand) {
    const auto rank = static_cast<std::uint32_t>(operand.dimensions.size());
    if (rank > 0) return viewText(operand.type.text(), rank, !operand.isOutput);
    return operand.type.text() + (operand.isOutput ? "&" : "");
}

std::vector<const ElementType*> elementTypes(const GuvectorizeSignature& signature) {
    std::vector<const ElementType*> types;
    for (const CoreOperand& operand : signature.operands) types.push_back(&operand.type);
    return types;
}

bool clash(const GuvectorizeSignature& a, const GuvectorizeSignature& b) {
    return std::ranges::equal(a.operands, b.operands, [](const CoreOperand& x, const CoreOperand& y) {
        return x.isOutput || areAlike(x.type, y.type);
    });
}

json::Value toJSON(const GuvectorizeSpec& spec) { return spec_json::writeFields(spec); }
bool fromJSON(const json::Value& value, GuvectorizeSpec& spec, json::Path path) {
    return spec_json::readFields(value, spec, path);
}

}  // namespace foldwise
