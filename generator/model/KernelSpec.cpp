// generator/model/KernelSpec.cpp: writes and reads the JSON of the model.
#include "KernelSpec.hpp"

#include "SpecJson.hpp"

namespace foldwise {

namespace json = llvm::json;

template <> struct spec_json::Names<CarriedKind> {
    static constexpr llvm::StringLiteral expected = "expected function, type or constant";
    static constexpr std::pair<CarriedKind, llvm::StringLiteral> all[] = {
        {CarriedKind::Function, "function"}, {CarriedKind::Type, "type"}, {CarriedKind::Constant, "constant"}};
};

template <> struct spec_json::Names<LibrarySource> {
    static constexpr llvm::StringLiteral expected = "expected cuda, foldwise or standard";
    static constexpr std::pair<LibrarySource, llvm::StringLiteral> all[] = {
        {LibrarySource::Cuda, "cuda"}, {LibrarySource::Foldwise, "foldwise"}, {LibrarySource::Standard, "standard"}};
};

template <> struct spec_json::Names<Pattern> {
    static constexpr llvm::StringLiteral expected = "expected a pattern, such as vectorize";
    static constexpr std::pair<Pattern, llvm::StringLiteral> all[] = {
#define FOLDWISE_PATTERN(name, keyword, ...) {Pattern::name, #keyword},
#include "Patterns.def"
    };
};

template <> struct spec_json::Fields<Carried> {
    static bool each(auto& carried, auto&& visit) {
        return visit("kind", carried.kind) && visit("name", carried.name) && visit("place", carried.place);
    }
};

template <> struct spec_json::Fields<LibraryUse> {
    static bool each(auto& use, auto&& visit) { return visit("name", use.name) && visit("source", use.source); }
};

/// What kernels of all patterns have. A pattern's own fields stand beside these.
struct CommonFields {
    static bool each(auto& kernel, auto&& visit) {
        return visit("namespaces", kernel.namespaces) && visit("name", kernel.name) &&
               visit("comment", kernel.comment) && visit("place", kernel.place) &&
               visit("is_exported", kernel.isExported) && visit("carried", kernel.carried) &&
               visit("library", kernel.library);
    }
};

template <> struct spec_json::Fields<Declaration> {
    static bool each(auto& declaration, auto&& visit) {
        return visit("namespaces", declaration.namespaces) && visit("name", declaration.name) &&
               visit("place", declaration.place) && visit("text", declaration.text) &&
               visit("marks", declaration.marks) && visit("pragmas", declaration.pragmas) &&
               visit("in_system_header", declaration.inSystemHeader);
    }
};

template <> struct spec_json::Fields<UnitSpec> {
    static bool each(auto& unit, auto&& visit) {
        return visit("source", unit.source) && visit("includes", unit.includes) &&
               visit("declarations", unit.declarations) && visit("header_includes", unit.headerIncludes) &&
               visit("header_declarations", unit.headerDeclarations) && visit("kernels", unit.kernels);
    }
};

std::string KernelSpec::qualifiedName() const {
    std::string qualified;
    for (llvm::StringRef space : namespaces) {
        space.consume_front("inline ");
        qualified += (space + "::").str();
    }
    return qualified + name;
}

llvm::StringRef keywordOf(Pattern pattern) { return spec_json::nameOf(pattern); }

json::Value toJSON(const KernelSpec& kernel) {
    json::Object object{{"pattern", keywordOf(patternOf(kernel))}};
    CommonFields::each(kernel, [&](llvm::StringRef key, const auto& member) {
        object[key] = spec_json::write(member);
        return true;
    });
    json::Value own = std::visit([](const auto& pattern) { return toJSON(pattern); }, kernel.pattern);
    for (auto& [key, value] : *own.getAsObject()) object[key] = std::move(value);
    return object;
}

bool fromJSON(const json::Value& value, KernelSpec& kernel, json::Path path) {
    const json::Object* object = value.getAsObject();
    if (!object) {
        path.report("expected object");
        return false;
    }
    const auto readField = [&](llvm::StringRef key, auto& member) {
        if (const json::Value* found = object->get(key)) return spec_json::read(*found, member, path.field(key));
        path.field(key).report("missing value");
        return false;
    };
    Pattern pattern{};
    if (!readField("pattern", pattern) || !CommonFields::each(kernel, readField)) return false;
    switch (pattern) {
#define FOLDWISE_PATTERN(name, ...)                                                                                    \
    case Pattern::name:                                                                                                \
        return fromJSON(value, kernel.pattern.emplace<name##Spec>(), path);
#include "Patterns.def"
    }
    llvm_unreachable("every pattern is in the table");
}

json::Value toJSON(const std::vector<UnitSpec>& units) { return spec_json::write(units); }

llvm::Expected<std::vector<UnitSpec>> parseUnitSpecs(llvm::StringRef text) {
    llvm::Expected<json::Value> value = json::parse(text);
    if (!value) return value.takeError();
    std::vector<UnitSpec> units;
    json::Path::Root root("units");
    if (!spec_json::read(*value, units, root)) return root.getError();
    return units;
}

}  // namespace foldwise
