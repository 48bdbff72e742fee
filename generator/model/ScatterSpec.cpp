// generator/model/ScatterSpec.cpp: the JSON of scattered folds, and what follows from their operations.
#include "ScatterSpec.hpp"

#include "SpecJson.hpp"

#include <bit>

namespace foldwise {

namespace json = llvm::json;

template <> struct spec_json::Fields<ScatterSignature> : Fields<FoldSignature> {};

template <> struct spec_json::Fields<ScatterSpec> {
    static bool each(auto& spec, auto&& visit) {
        return visit("parts", spec.parts) && visit("signatures", spec.signatures);
    }
};

bool isAtomic(const ScatterSignature& signature) {
    const ElementType& accumulator = signature.fold.accumulator;
    const bool hasWord =
        accumulator.size <= 8 && std::has_single_bit(accumulator.size) && accumulator.alignment == accumulator.size;
    return signature.fold.commutes && hasWord;
}

bool isExact(const ScatterSignature& signature) {
    const Fold& fold = signature.fold;
    const bool isNumber = fold.accumulator.kind == TypeKind::Boolean || fold.accumulator.kind == TypeKind::Integer;
    const bool selects = fold.operation == CombineOperator::Minimum || fold.operation == CombineOperator::Maximum;
    return fold.operation != CombineOperator::Other && (isNumber || selects);
}

bool mayOrder(const ScatterSignature& signature) { return !isAtomic(signature) || !isExact(signature); }

json::Value toJSON(const ScatterSpec& spec) { return spec_json::writeFields(spec); }
bool fromJSON(const json::Value& value, ScatterSpec& spec, json::Path path) {
    return spec_json::readFields(value, spec, path);
}

}  // namespace foldwise
