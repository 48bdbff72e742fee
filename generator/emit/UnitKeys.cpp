// generator/emit/UnitKeys.cpp: makes the keys of a unit. Each element of an array repeats the keys that its templates
// need, because they see only the innermost one.
#include "UnitKeys.hpp"

#include "EmitPattern.hpp"
#include "LineDirectives.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/FormatVariadic.h>
#include <llvm/Support/Path.h>

#include <set>

namespace foldwise {

namespace json = llvm::json;

namespace {

std::string text(unsigned number) { return std::to_string(number); }

std::string joined(const std::vector<std::string>& namespaces) { return llvm::join(namespaces, "::"); }

/// How the user's text is written: CUDA's attributes, and whether what can go wrong is looked at.
struct Writing {
    llvm::StringRef attributes;
    bool checked;
    bool hasOwnSums = false;  ///< Whether sums are formed in memory of the thread's own.
    bool isInside = false;    ///< Whether it is for tasks away from edges.

    bool isForGpu() const { return !attributes.empty(); }
    /// Whether compilers are to make vector code of it, as they do for the CPU where nothing is looked at.
    bool isForVectors() const { return attributes.empty() && !checked; }
};

/// What belongs at a mark.
std::string insertion(const Mark& mark, const Writing& writing) {
    switch (mark.kind) {
    case MarkKind::Declaration:
        return writing.attributes.str();
    case MarkKind::CallbackTemplate:
        return writing.attributes.empty() ? "" : "FOLDWISE_CALLBACK_TEMPLATE ";
    case MarkKind::Callback:
        return writing.attributes.empty() ? "" : "FOLDWISE_CALLBACK ";
    case MarkKind::Checked:
        return writing.checked ? "::foldwise::checked(" : "";
    case MarkKind::Assigned:
        return writing.checked ? "::foldwise::checked_target(" : "";
    case MarkKind::Operator:
        return writing.checked ? ")" : "";
    case MarkKind::BlockCall:
        return writing.attributes.empty() || mark.number < 2 ? "" : "per_thread<" + text(mark.number) + ">().";
    case MarkKind::UnrolledLoop:
        return writing.isForGpu() ? "FOLDWISE_UNROLLED " : "";
    case MarkKind::Conversion:
        return writing.isForVectors() ? "::foldwise::cpu::as_integer(" : "";
    case MarkKind::ConversionEnd:
        return writing.isForVectors() ? ")" : "";
    case MarkKind::Sum:
        if (!writing.hasOwnSums) return "";
        return writing.attributes.empty() ? "::foldwise::cpu::own_sum" : "::foldwise::device_code::shared_sum";
    case MarkKind::SumEnd:
        return "";
    case MarkKind::TrueInside:
        return writing.isInside ? "::foldwise::cpu::known<true>(" : "";
    case MarkKind::FalseInside:
        return writing.isInside ? "::foldwise::cpu::known<false>(" : "";
    case MarkKind::InsideEnd:
        return writing.isInside ? ")" : "";
    case MarkKind::HalfType:
        return writing.isForVectors() ? "::foldwise::cpu::as_float<" : "";
    case MarkKind::ShortCircuit:
        return "";  // of ||, the second one is left out
    case MarkKind::ShortCircuits:
        return writing.isForGpu() ? "bool(" : "";
    case MarkKind::ShortCircuitsEnd:
        return writing.isForGpu() ? ")" : "";
    case MarkKind::HalfTypeEnd:
        return writing.isForVectors() ? ">" : "";
    case MarkKind::BitField:
        return writing.checked ? "+" : "";
    }
    llvm_unreachable("every kind has its text");
}

/// The text with what belongs at each mark.
std::string marked(std::string text, const std::vector<Mark>& marks, const Writing& writing) {
    std::size_t behindSum = 0;  // how many bytes are behind the name that ends next
    for (const Mark& mark : llvm::reverse(marks)) {
        std::size_t offset = mark.offset;
        if (mark.kind == MarkKind::ShortCircuit && writing.isForGpu()) text.erase(offset, 1);
        if (mark.kind == MarkKind::SumEnd) behindSum = text.size() - offset;
        if (mark.kind == MarkKind::Sum && writing.hasOwnSums) text.erase(offset, text.size() - behindSum - offset);
        if (mark.kind == MarkKind::Operator || mark.kind == MarkKind::ConversionEnd ||
            mark.kind == MarkKind::HalfTypeEnd || mark.kind == MarkKind::ShortCircuitsEnd ||
            mark.kind == MarkKind::InsideEnd)
            while (offset > 0 && text[offset - 1] == ' ') --offset;  // the parenthesis closes what stands before
        text.insert(offset, insertion(mark, writing));
    }
    return text;
}

/// As lines.
std::string directivesOf(const std::vector<std::string>& pragmas) {
    std::string lines;
    llvm::ListSeparator lineBreak("\n");
    for (const std::string& pragma : pragmas) lines += (llvm::StringRef(lineBreak) + "#pragma " + pragma).str();
    return lines;
}

json::Object bodyItem(const Body& body, const std::string& name, const Writing& writing) {
    return json::Object{{"is_body", true},
                        {"has_pragmas", !body.pragmas.before.empty()},
                        {"pragmas_before", directivesOf(body.pragmas.before)},
                        {"pragmas_behind", directivesOf(body.pragmas.behind)},
                        {"is_systems", false},
                        {"file", quotable(body.place.file)},
                        {"line", text(body.place.line)},
                        {"name", name},
                        {"attributes", writing.attributes},
                        {"template_parameters", body.templateParameters.empty()
                                                    ? ""
                                                    : llvm::formatv("template {0} ", body.templateParameters).str()},
                        {"parameters", marked(body.parameters, body.parameterMarks, writing)},
                        {"has_result_type", !body.resultType.empty()},
                        {"result_type", marked(body.resultType, body.resultMarks, writing)},
                        {"block", marked(body.block, body.marks, writing)}};
}

json::Object declarationItem(const Declaration& declaration, const Writing& writing) {
    return json::Object{{"is_body", false},
                        {"has_pragmas", !declaration.pragmas.before.empty()},
                        {"pragmas_before", directivesOf(declaration.pragmas.before)},
                        {"pragmas_behind", directivesOf(declaration.pragmas.behind)},
                        {"is_systems", declaration.inSystemHeader},
                        {"file", quotable(declaration.place.file)},
                        {"line", text(declaration.place.line)},
                        {"text", marked(declaration.text, declaration.marks, writing)}};
}

/// Groups what stands in a row in the same namespace.
class Blocks {
  public:
    explicit Blocks(llvm::StringRef itemsKey) : itemsKey_(itemsKey) {}

    json::Object& in(const std::vector<std::string>& namespaces) {
        const std::string name = joined(namespaces);
        if (blocks_.empty() || blocks_.back().getAsObject()->getString("name") != llvm::StringRef(name))
            blocks_.push_back(json::Object{{"named", !name.empty()}, {"name", name}, {itemsKey_, json::Array()}});
        return *blocks_.back().getAsObject();
    }
    void add(const std::vector<std::string>& namespaces, json::Object item) {
        in(namespaces).getArray(itemsKey_)->push_back(std::move(item));
    }
    json::Array take() { return std::move(blocks_); }

  private:
    llvm::StringRef itemsKey_;
    json::Array blocks_;
};

}  // namespace

/// The inline namespaces that hold code of the unit, with those around them: "a::inline v1".
static std::set<std::string> inlineNamespaces(const UnitSpec& unit) {
    std::set<std::string> found;
    const auto add = [&](const std::vector<std::string>& namespaces) {
        if (!namespaces.empty() && llvm::StringRef(namespaces.back()).starts_with("inline "))
            found.insert(joined(namespaces));
    };
    for (const Declaration& declaration : unit.declarations) add(declaration.namespaces);
    for (const KernelSpec& kernel : unit.kernels) add(kernel.namespaces);
    return found;
}

/// Where the user's code of a namespace goes: into its inline namespace, if that holds code as well. Names are found
/// there as before; unnamed namespaces in both of them are one to nvcc 13.0, and ambiguous.
static std::vector<std::string> moved(std::vector<std::string> namespaces, const std::set<std::string>& inlineSpaces) {
    const std::string inner = namespaces.empty() ? "inline " : joined(namespaces) + "::inline ";
    const auto found = inlineSpaces.lower_bound(inner);
    if (found == inlineSpaces.end() || !llvm::StringRef(*found).starts_with(inner)) return namespaces;
    const llvm::StringRef name = llvm::StringRef(*found).drop_front(inner.size());
    if (name.contains("::")) return namespaces;
    namespaces.push_back(("inline " + name).str());
    return moved(std::move(namespaces), inlineSpaces);
}

static json::Array includeKeys(const std::set<std::string>& directives) {
    json::Array includes;
    for (const std::string& directive : directives) includes.push_back(json::Object{{"directive", directive}});
    return includes;
}

/// Device code includes <foldwise/device/cmath.hpp> where host code includes <cmath>; and before all other headers,
/// because it has to be seen before the one whose place it takes.
static json::Array includesFor(bool device, const std::set<std::string>& found) {
    json::Array first, others;
    for (const std::string& directive : found) {
        const llvm::StringRef name = llvm::StringRef(directive).trim("<>");
        const bool isReplaced = found.contains(("<foldwise/device/" + name + ".hpp>").str());
        const bool isReplacement = name.starts_with("foldwise/device/");
        if (device ? isReplaced : isReplacement) continue;
        (isReplacement ? first : others).push_back(json::Object{{"directive", directive}});
    }
    for (json::Value& directive : others) first.push_back(std::move(directive));
    return first;
}

/// The classes and enumerations among the unit's elements, scalars and accumulators, each once. What compiles an
/// emitted file may see another layout than the generator did: by other options, or by pragmas around an #include.
static json::Array layoutKeys(const UnitSpec& unit) {
    json::Array layouts;
    std::set<std::string> seen;
    const auto add = [&](const ElementType& type) {
        const bool isBuiltIn =
            type.kind == TypeKind::Boolean || type.kind == TypeKind::Integer || type.kind == TypeKind::Floating;
        if (isBuiltIn || !seen.insert(type.name).second) return;
        layouts.push_back(
            json::Object{{"type", type.name},
                         {"size", text(type.size)},
                         {"alignment", text(type.alignment)},
                         {"message", quotable(llvm::formatv("{0}: in {1} it has {2} byte{3}, aligned to {4}", type.name,
                                                            llvm::sys::path::filename(unit.source), type.size,
                                                            type.size == 1 ? "" : "s", type.alignment)
                                                  .str())}});
    };
    for (const KernelSpec& kernel : unit.kernels)
        forEachSignature(kernel, [&](const auto& signature) {
            for (const ElementType* type : elementTypes(signature)) add(*type);
        });
    return layouts;
}

/// The structures among them whose members can be named, each once, with those members.
static json::Array recordKeys(const UnitSpec& unit) {
    json::Array records;
    std::set<std::string> seen;
    const auto add = [&](const ElementType& type) {
        if (type.fields.empty() || !seen.insert(type.name).second) return;
        json::Array fields;
        for (const std::string& field : type.fields)
            fields.push_back(json::Object{{"type", type.name}, {"field", field}});
        records.push_back(json::Object{{"type", type.name}, {"fields", std::move(fields)}});
    };
    for (const KernelSpec& kernel : unit.kernels)
        forEachSignature(kernel, [&](const auto& signature) {
            for (const ElementType* type : elementTypes(signature)) add(*type);
        });
    return records;
}

/// What computes a kernel's value of single values: the body of an elementwise function, or the combine of a fold that
/// has nothing before and behind it. Null for all others.
template <class Spec> static const Body* computationOf(const Spec& pattern) {
    if constexpr (requires { pattern.parts; })
        return pattern.parts.map || pattern.parts.finish ? nullptr : &pattern.parts.combine;
    else if constexpr (requires { pattern.body; })
        return givesValues(pattern) ? &pattern.body : nullptr;
    else
        return nullptr;
}

/// The text of that, the same for kernels that compute the same, or nothing. Names mean the same within a file's
/// namespace; those of the standard library's function objects do everywhere.
static std::string operationOf(const KernelSpec& kernel, const UnitSpec& unit) {
    const Body* body =
        std::visit([](const auto& pattern) -> const Body* { return computationOf(pattern); }, kernel.pattern);
    if (!body) return "";
    const std::string text =
        body->callee + body->templateParameters + body->parameters + body->resultType + body->block;
    const bool isStandard = body->makesObject && llvm::StringRef(body->block).starts_with("{ return std::") &&
                            llvm::StringRef(body->block).ends_with("<>{}; }");
    return isStandard ? text : unit.source + " " + joined(kernel.namespaces) + " " + text;
}

/// The parameters of the function that takes up to so many arguments of whatever types.
static std::string anything(std::size_t most) {
    std::string parameters = "foldwise::anything";
    for (std::size_t i = 1; i < most; ++i) parameters += ", foldwise::anything = {}";
    return parameters;
}

/// How many results a call gives that is not given its outputs.
static std::size_t resultsOf(const auto& signature) {
    if constexpr (requires { signature.isTuple; })
        return signature.outputs.size();
    else if constexpr (requires { signature.operands.front().isOutput; })
        return static_cast<std::size_t>(
            llvm::count_if(signature.operands, [](const auto& one) { return one.isOutput; }));
    else
        return 1;
}

/// The type of what a call gives that no function takes: something for each output, so that it can be taken apart.
static std::string unfitResult(std::size_t outputs) {
    if (outputs < 2) return "foldwise::no_result";
    std::string parts = "foldwise::no_result";
    for (std::size_t i = 1; i < outputs; ++i) parts += ", foldwise::no_result";
    return "std::tuple<" + parts + ">";
}

/// An array for each pattern, by its keyword, of which one is not empty: that of the kernel's own. `signatures` has as
/// many elements, with what templates see of all patterns' signatures alike.
static json::Object kernelKeys(const KernelSpec& kernel, const std::vector<SignaturePlan>& plans,
                               const Emission& emission) {
    const std::string call = (keywordOf(patternOf(kernel)) + "_call").str();
    json::Array signatures, own;
    const SignaturePlan* next = plans.data();
    std::size_t operands = 0, results = 0;
    forEachSignature(kernel, [&](const auto& signature) {
        operands = std::max(operands, next->operands.size());
        results = std::max(results, resultsOf(signature));
        signatures.push_back(json::Object{{"symbol", next->symbol}, {"launch_argument", call}});
        own.push_back(signatureKeys(kernel, signature, *next++, emission));
    });
    json::Object keys{
        {"signatures", std::move(signatures)},
        {"is_exported", kernel.isExported},
        {"documentation", quotable(kernel.comment)},
        {"operation", quotable(operationOf(kernel, emission.unit))},
        {"source", quotable(llvm::sys::path::filename(emission.unit.source))},
        {"kernel", kernel.name},
        {"qualified_kernel", kernel.qualifiedName()},
        {"call", "::" + kernel.qualifiedName()},
        {"resolver", call},
        {"anything", anything(operands + 3)},  // with a shape or tasks, axes and an executor
        {"unfit_result", unfitResult(results)},
        {"takes_values", std::visit([](const auto& pattern) { return givesValues(pattern); }, kernel.pattern)},
        {"call_signatures", std::visit([](const auto& pattern) { return callSignatures(pattern); }, kernel.pattern)}};
    for (const Pattern pattern : allPatterns) keys[keywordOf(pattern)] = json::Array();
    keys[keywordOf(patternOf(kernel))] = std::move(own);
    return keys;
}

json::Value unitKeys(const UnitSpec& unit, const Backends& backends, llvm::StringRef attributes) {
    const Writing writing{attributes, backends.checked};
    const Emission emission{unit, backends, attributes};
    Blocks headerBlocks("items"), blocks("items"), spaces("kernels");
    const std::set<std::string> inlineSpaces = inlineNamespaces(unit);
    const std::vector<std::vector<SignaturePlan>> unitPlans = planUnit(unit);
    std::set<std::string> headerIncludes(unit.headerIncludes.begin(), unit.headerIncludes.end());
    std::set<std::string> includes(unit.includes.begin(), unit.includes.end());
    headerIncludes.insert("<cstdint>");  // what templates themselves use
    includes.insert("<cstdint>");
    std::set<Pattern> patterns;
    bool mayFuse = false, hasShortCircuits = false;
    const auto look = [&](const std::vector<Mark>& marks) {
        hasShortCircuits |= llvm::any_of(marks, [](const Mark& mark) { return mark.kind == MarkKind::ShortCircuit; });
    };
    for (const Declaration& declaration : unit.headerDeclarations)
        headerBlocks.add(declaration.namespaces, declarationItem(declaration, {"", false}));
    for (const Declaration& declaration : unit.declarations) {
        blocks.add(moved(declaration.namespaces, inlineSpaces), declarationItem(declaration, writing));
        look(declaration.marks);
    }
    for (const auto& [kernel, plans] : llvm::zip(unit.kernels, unitPlans)) {
        patterns.insert(patternOf(kernel));
        forEachSignature(kernel, [&](const Signature& signature) { mayFuse |= signature.mayFuse; });
        std::vector<NamedBody> functions;
        std::visit(
            [&, &kernel = kernel](const auto& pattern) {
                functions = functionsOf(kernel, pattern, unit);
                addIncludes(pattern, headerIncludes, includes);
            },
            kernel.pattern);
        for (const NamedBody& function : functions) {
            if (!function.body->callee.empty() || (function.isForGpus && attributes.empty())) continue;
            if (function.isInside && !writing.isForVectors()) continue;
            const Writing ofFunction{writing.attributes, writing.checked, function.hasOwnSums, function.isInside};
            blocks.add(moved(kernel.namespaces, inlineSpaces), bodyItem(*function.body, function.name, ofFunction));
            look(function.body->marks);
        }
        json::Object& space = spaces.in(kernel.namespaces);
        const std::string name = joined(kernel.namespaces);
        space["suffix"] = name.empty() ? "" : "::" + name;
        space["cuda"] = backends.cuda;
        space["cpu"] = backends.cpu;
        space["simulator"] = backends.simulator;
        spaces.add(kernel.namespaces, kernelKeys(kernel, plans, emission));
    }
    const std::string stem = llvm::sys::path::stem(unit.source).str();
    json::Array layouts = layoutKeys(unit), records = recordKeys(unit);
    json::Object keys{{"source", quotable(llvm::sys::path::filename(unit.source))},
                      {"has_layouts", !layouts.empty()},
                      {"layouts", std::move(layouts)},
                      {"has_records", !records.empty()},
                      {"records", std::move(records)},
                      {"header", stem + ".hpp"},
                      {"launch_source", stem + ".launch.cpp"},
                      {"cuda_source", stem + ".cu"},
                      {"header_includes", includeKeys(headerIncludes)},
                      {"header_blocks", headerBlocks.take()},
                      {"includes", includesFor(!attributes.empty(), includes)},
                      {"blocks", blocks.take()},
                      {"spaces", spaces.take()},
                      {"may_fuse", mayFuse},
                      {"has_short_circuits", hasShortCircuits},
                      {"checked", backends.checked},
                      {"cuda", backends.cuda},
                      {"cpu", backends.cpu},
                      {"simulator", backends.simulator}};
    json::Array present;
    for (const Pattern pattern : allPatterns) {
        keys[("has_" + keywordOf(pattern)).str()] = patterns.contains(pattern);
        if (patterns.contains(pattern)) present.push_back(json::Object{{"pattern", keywordOf(pattern)}});
    }
    keys["patterns"] = std::move(present);
    return keys;
}

}  // namespace foldwise
