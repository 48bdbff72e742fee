// generator/model/ForallSpec.cpp: the parameters of forall kernels, and their JSON.
#include "ForallSpec.hpp"

#include "SpecJson.hpp"

#include <algorithm>

namespace foldwise {

namespace json = llvm::json;

template <> struct spec_json::Names<Access> {
    static constexpr llvm::StringLiteral expected = "expected none, read, write or read_write";
    static constexpr std::pair<Access, llvm::StringLiteral> all[] = {
        {Access::None, "none"}, {Access::Read, "read"}, {Access::Write, "write"}, {Access::ReadWrite, "read_write"}};
};

template <> struct spec_json::Fields<ForallParameter> {
    static bool each(auto& parameter, auto&& visit) {
        return visit("name", parameter.name) && visit("type", parameter.type) && visit("rank", parameter.rank) &&
               visit("is_const", parameter.isConst) && visit("access", parameter.access) &&
               visit("follows", parameter.follows) && visit("moves", parameter.moves) &&
               visit("summed", parameter.isSummed) && visit("own_sums", parameter.hasOwnSums) &&
               visit("own", parameter.own) && visit("shared", parameter.shared) &&
               visit("assigned", parameter.isAssigned) && visit("reach", parameter.reach) &&
               visit("read_sometimes", parameter.isReadSometimes) && visit("own_rows", parameter.ownRows) &&
               visit("handed_on", parameter.isHandedOn) && visit("data_places", parameter.hasDataPlaces) &&
               visit("in_loops", parameter.isInLoops) && visit("looped", parameter.isLooped) &&
               visit("loop_axes", parameter.loopAxes);
    }
};

template <> struct spec_json::Fields<InnerEnd> {
    static bool each(auto& end, auto&& visit) {
        return visit("axis", end.axis) && visit("parameter", end.parameter) && visit("view_axis", end.viewAxis) &&
               visit("less", end.less);
    }
};

template <> struct spec_json::Fields<ForallSignature> {
    static bool each(auto& signature, auto&& visit) {
        return Fields<Signature>::each(signature, visit) && visit("parameters", signature.parameters) &&
               visit("elementwise", signature.isElementwise) && visit("has_loops", signature.hasLoops) &&
               visit("loop_in_step", signature.hasLoopInStep) && visit("inner_begins", signature.innerBegins) &&
               visit("inner_ends", signature.innerEnds);
    }
};

template <> struct spec_json::Fields<ForallSpec> {
    static bool each(auto& spec, auto&& visit) {
        return visit("body", spec.body) && visit("loops_body", spec.loopsBody) && visit("signatures", spec.signatures);
    }
};

llvm::StringRef textOf(Access access) { return spec_json::nameOf(access); }

std::string typeText(const ForallParameter& parameter) {
    const std::string& element = parameter.type.text();
    return parameter.rank == 0 ? element : viewText(element, parameter.rank, parameter.isConst);
}

bool hasOwnSums(const ForallSignature& signature) {
    return std::ranges::any_of(signature.parameters, &ForallParameter::hasOwnSums);
}

std::vector<const ElementType*> elementTypes(const ForallSignature& signature) {
    std::vector<const ElementType*> types;
    for (const ForallParameter& parameter : signature.parameters) types.push_back(&parameter.type);
    return types;
}

bool clash(const ForallSignature& a, const ForallSignature& b) {
    const auto isSame = [](const ForallParameter& x, const ForallParameter& y) {
        return areAlike(x.type, y.type) && x.isConst == y.isConst && (x.rank > 0) == (y.rank > 0);
    };
    return std::ranges::equal(a.parameters, b.parameters, isSame);
}

json::Value toJSON(const ForallSpec& spec) { return spec_json::writeFields(spec); }
bool fromJSON(const json::Value& value, ForallSpec& spec, json::Path path) {
    return spec_json::readFields(value, spec, path);
}

}  // namespace foldwise
