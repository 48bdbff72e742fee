// generator/model/Fold.cpp: writes and reads the JSON of what patterns that combine elements share.
#include "Fold.hpp"

#include "SpecJson.hpp"

#include <algorithm>

namespace foldwise {

namespace json = llvm::json;

template <> struct spec_json::Names<CombineOperator> {
    static constexpr llvm::StringLiteral expected = "expected an operation, such as sum";
    static constexpr std::pair<CombineOperator, llvm::StringLiteral> all[] = {
        {CombineOperator::Other, "other"},
        {CombineOperator::Sum, "sum"},
        {CombineOperator::Product, "product"},
        {CombineOperator::BitAnd, "bit_and"},
        {CombineOperator::BitOr, "bit_or"},
        {CombineOperator::BitXor, "bit_xor"},
        {CombineOperator::Minimum, "minimum"},
        {CombineOperator::Maximum, "maximum"},
        {CombineOperator::LogicalAnd, "logical_and"},
        {CombineOperator::LogicalOr, "logical_or"}};
};

template <> struct spec_json::Names<IdentityKind> {
    static constexpr llvm::StringLiteral expected = "expected the kind of an identity, such as value";
    static constexpr std::pair<IdentityKind, llvm::StringLiteral> all[] = {{IdentityKind::None, "none"},
                                                                           {IdentityKind::Value, "value"},
                                                                           {IdentityKind::Lowest, "lowest"},
                                                                           {IdentityKind::Highest, "highest"}};
};

template <> struct spec_json::Fields<FoldParts> {
    static bool each(auto& parts, auto&& visit) {
        return visit("map", parts.map) && visit("combine", parts.combine) && visit("finish", parts.finish) &&
               visit("identity", parts.identity) && visit("identity_value", parts.identityValue);
    }
};

template <> struct spec_json::Fields<Fold> {
    static bool each(auto& fold, auto&& visit) {
        return visit("accumulator", fold.accumulator) && visit("members", fold.members) &&
               visit("operation", fold.operation) && visit("commutes", fold.commutes) &&
               visit("has_identity", fold.hasIdentity) && visit("wraps_in", fold.wrapsIn) &&
               visit("sums_are_narrow", fold.sumsAreNarrow) && visit("map_converts", fold.mapConverts) &&
               visit("combine_converts", fold.combineConverts) && visit("finish_converts", fold.finishConverts);
    }
};

std::vector<const ElementType*> elementTypes(const FoldSignature& signature) {
    std::vector<const ElementType*> types = elementTypes(signature.inputs);
    types.push_back(&signature.output.type);
    types.push_back(&signature.fold.accumulator);
    return types;
}

bool clash(const FoldSignature& a, const FoldSignature& b) {
    return std::ranges::equal(a.inputs, b.inputs, haveSameType);  // a call without an output is given these alone
}

json::Value toJSON(const FoldParts& parts) { return spec_json::writeFields(parts); }
bool fromJSON(const json::Value& value, FoldParts& parts, json::Path path) {
    return spec_json::readFields(value, parts, path);
}

json::Value toJSON(const Fold& fold) { return spec_json::writeFields(fold); }
bool fromJSON(const json::Value& value, Fold& fold, json::Path path) {
    return spec_json::readFields(value, fold, path);
}

}  // namespace foldwise
