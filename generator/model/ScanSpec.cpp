// generator/model/ScanSpec.cpp: writes and reads the JSON of scan kernels.
#include "ScanSpec.hpp"

#include "SpecJson.hpp"

namespace foldwise {

namespace json = llvm::json;

template <> struct spec_json::Fields<ScanSignature> : Fields<FoldSignature> {};

template <> struct spec_json::Fields<ScanSpec> {
    static bool each(auto& spec, auto&& visit) {
        return visit("parts", spec.parts) && visit("signatures", spec.signatures);
    }
};

json::Value toJSON(const ScanSpec& spec) { return spec_json::writeFields(spec); }
bool fromJSON(const json::Value& value, ScanSpec& spec, json::Path path) {
    return spec_json::readFields(value, spec, path);
}

}  // namespace foldwise
