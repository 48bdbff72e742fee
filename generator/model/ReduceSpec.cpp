// generator/model/ReduceSpec.cpp: writes and reads the JSON of reduce kernels.
#include "ReduceSpec.hpp"

#include "SpecJson.hpp"

namespace foldwise {

namespace json = llvm::json;

template <> struct spec_json::Fields<ReduceSignature> : Fields<FoldSignature> {};

template <> struct spec_json::Fields<ReduceSpec> {
    static bool each(auto& spec, auto&& visit) {
        return visit("parts", spec.parts) && visit("signatures", spec.signatures);
    }
};

json::Value toJSON(const ReduceSpec& spec) { return spec_json::writeFields(spec); }
bool fromJSON(const json::Value& value, ReduceSpec& spec, json::Path path) {
    return spec_json::readFields(value, spec, path);
}

}  // namespace foldwise
