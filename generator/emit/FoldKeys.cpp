// generator/emit/FoldKeys.cpp: writes the steps of a fold as text.
#include "FoldKeys.hpp"

#include "KernelKeys.hpp"

#include <algorithm>

namespace foldwise {

namespace json = llvm::json;

namespace {

/// The identity as an expression; `function` returns one that the spec has.
std::string identityText(const Fold& fold, IdentityKind kind, const std::string& function) {
    const ElementType& type = fold.accumulator;
    const bool isLowest = kind == IdentityKind::Lowest;
    if (kind == IdentityKind::Value) return "foldwise::detail::converted<" + type.text() + ">(" + function + "())";
    if (type.kind != TypeKind::Floating)
        return "std::numeric_limits<" + type.text() + ">::" + (isLowest ? "lowest()" : "max()");
    const bool is16Bit = type.size == 2;  // foldwise::half and bfloat16, which are made from float
    const std::string infinity =
        std::string(isLowest ? "-" : "") + "std::numeric_limits<" + (is16Bit ? "float" : type.text()) + ">::infinity()";
    return converted(is16Bit, type.text(), infinity);
}

/// The type in which kernels keep a value: trivially copyable, which tuples are not.
std::string keptType(const ElementType& type) {
    return type.kind == TypeKind::Tuple ? "foldwise::detail::stored<" + type.text() + ">" : type.text();
}

/// The value of an accumulator that a kernel keeps under this name.
std::string valueOf(const ElementType& type, const std::string& name) {
    return type.kind == TypeKind::Tuple ? name + ".value()" : name;
}

/// What combines accumulators a and b.
std::string combinedText(const Fold& fold, const std::string& combine) {
    const std::string& accumulator = fold.accumulator.text();
    if (fold.wrapsIn.empty())
        return converted(fold.combineConverts, accumulator,
                         combine + "(" + valueOf(fold.accumulator, "a") + ", " + valueOf(fold.accumulator, "b") + ")");
    const bool isOwn = fold.wrapsIn == fold.accumulator.name;
    const std::string function = fold.operation == CombineOperator::Sum ? "wrapping_sum" : "wrapping_product";
    const auto argument = [&](const char* name) { return converted(!isOwn, fold.wrapsIn, name); };
    const std::string call = "foldwise::detail::" + function + "(" + argument("a") + ", " + argument("b") + ")";
    return converted(!isOwn, accumulator, call);
}

}  // namespace

void addFoldIncludes(const FoldParts& parts, std::set<std::string>& kernels) {
    if (parts.identity == IdentityKind::Lowest || parts.identity == IdentityKind::Highest) kernels.insert("<limits>");
}

json::Object foldKeys(const KernelSpec& kernel, const FoldParts& parts, const FoldSignature& signature,
                      const SignaturePlan& plan, const Emission& emission) {
    const PartNames names = nameParts(kernel, emission.unit);
    const bool takesIndex = signature.indexRank > 0;
    const std::size_t inputs = signature.inputs.size();
    std::string arguments = takesIndex ? "at" : "";
    for (std::size_t i = 0; i < inputs; ++i) arguments += (arguments.empty() ? "" : ", ") + plan.operands[i].local;
    const Fold& fold = signature.fold;
    const std::string& accumulator = fold.accumulator.text();
    const ElementType& result = signature.output.type;
    const std::string mapped = parts.map ? called(kernel, *parts.map, names.map) + "(" + arguments + ")" : arguments;
    const std::string finished =
        parts.finish ? called(kernel, *parts.finish, names.finish) + "(" + valueOf(fold.accumulator, "folded") + ")"
                     : "folded";
    const std::string identity =
        fold.hasIdentity ? identityText(fold, parts.identity, globalName(kernel, names.identity)) : "";
    const bool onCpu = emission.attributes.empty();
    json::Array inputKeysOf = inputKeys(signature.inputs, plan);
    for (json::Value& keys : inputKeysOf)
        if (!onCpu) (*keys.getAsObject())["kept_type"] = keys.getAsObject()->getString("type")->str();
    std::uint32_t narrowest = UINT32_MAX;
    for (const Operand& input : signature.inputs)
        if (!input.isWhole()) narrowest = std::min(narrowest, input.type.size);
    return json::Object{{"bytes_read", text(plan.bytesRead)},
                        {"width", text(plan.cuda.width)},
                        {"takes_index", takesIndex},
                        {"takes_shape", takesShape(signature)},
                        {"has_inputs", inputs > 0},
                        {"has_elements", hasElements(signature.inputs)},
                        {"input_count", text(inputs)},
                        {"operand_count", text(inputs + (takesIndex ? 1 : 0))},
                        {"inputs", std::move(inputKeysOf)},
                        {"output", plan.operands[inputs].parameter},
                        {"result", result.text()},
                        {"result_size", text(result.size)},
                        {"result_alignment", text(result.alignment)},
                        {"kept_result", keptType(result)},
                        {"accumulator", accumulator},
                        {"kept_accumulator", keptType(fold.accumulator)},
                        {"accumulator_size", text(fold.accumulator.size)},
                        {"accumulator_alignment", text(fold.accumulator.alignment)},
                        {"finishes", parts.finish ? "true" : "false"},
                        {"commutes", fold.commutes ? "true" : "false"},
                        {"sums_are_narrow", onCpu && fold.sumsAreNarrow},
                        {"has_identity", fold.hasIdentity ? "true" : "false"},
                        {"identifies", fold.hasIdentity},
                        {"identity", identity},
                        {"map_called", mapped},
                        {"mapped", converted(fold.mapConverts, accumulator, mapped)},
                        {"combined", combinedText(fold, called(kernel, parts.combine, names.combine))},
                        {"finished", converted(fold.finishConverts, result.text(), finished)},
                        {"has_floats", onCpu && hasFloats(signature.inputs)},
                        {"narrowest", text(narrowest)},
                        {"attributes", emission.attributes}};
}

}  // namespace foldwise
