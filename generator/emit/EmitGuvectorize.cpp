// generator/emit/EmitGuvectorize.cpp: describes guvectorize kernels to templates and --explain.
#include "KernelKeys.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

namespace foldwise {

namespace json = llvm::json;

namespace {

std::size_t inputsOf(const GuvectorizeSignature& signature) {
    return static_cast<std::size_t>(
        llvm::count_if(signature.operands, [](const CoreOperand& one) { return !one.isOutput; }));
}

/// "{0, 1}"
std::string dimensionsText(const CoreOperand& operand) {
    std::string all;
    llvm::ListSeparator comma;
    for (const std::uint32_t number : operand.dimensions) all += (llvm::StringRef(comma) + text(number)).str();
    return "{" + all + "}";
}

/// ", 2, 0": the extents that the layout says, and 0 for those that a call says.
std::string sizesText(const CoreOperand& operand, const GuvectorizeSignature& signature) {
    std::string all;
    for (const std::uint32_t number : operand.dimensions) all += ", " + text(signature.dimensions[number].size);
    return all;
}

/// The numbers of the dimensions along which items may be cut: how many come before a dimension, for each axis of each
/// operand, and -1 for a dimension along which they may not.
std::string cutsText(const GuvectorizeSignature& signature) {
    std::vector<std::string> numbers;
    unsigned count = 0;
    for (const CoreDimension& one : signature.dimensions)
        numbers.push_back(one.isParallel ? text(count++) : std::string("-1"));
    std::string all;
    llvm::ListSeparator comma;
    for (const CoreOperand& operand : signature.operands)
        for (const std::uint32_t dimension : operand.dimensions)
            all += (llvm::StringRef(comma) + numbers[dimension]).str();
    return all;
}

/// Whether a call may leave its outputs out: there are inputs, and they or the layout say the extent of each of the
/// outputs' dimensions.
bool knowsOutputs(const GuvectorizeSignature& signature) {
    if (inputsOf(signature) == 0) return false;
    std::vector<bool> known;
    for (const CoreDimension& dimension : signature.dimensions) known.push_back(dimension.size > 0);
    for (const CoreOperand& operand : signature.operands)
        for (const std::uint32_t number : operand.dimensions)
            if (!operand.isOutput) known[number] = true;
    return !llvm::is_contained(known, false);
}

json::Object operandKeys(const GuvectorizeSignature& signature, const SignaturePlan& plan, std::size_t number,
                         std::size_t first) {
    const CoreOperand& operand = signature.operands[number];
    return json::Object{{"name", plan.operands[number].local},
                        {"parameter", plan.operands[number].parameter},
                        {"said_name", plan.operands[number].said},
                        {"symbol", plan.symbol},
                        {"element", operand.type.text()},
                        {"access", (operand.isOutput ? "" : "const ") + operand.type.text()},
                        {"is_view", !operand.dimensions.empty()},
                        {"is_assigned_value", operand.isOutput && operand.dimensions.empty()},
                        {"overwritten", operand.isOverwritten ? "true" : "false"},
                        {"rank", text(operand.dimensions.size())},
                        {"core", dimensionsText(operand)},
                        {"sizes", sizesText(operand, signature)},
                        {"core_text", layoutText(operand, signature.dimensions)},
                        {"size", text(operand.type.size)},
                        {"alignment", text(operand.type.alignment)},
                        {"index", text(number - first)},
                        {"number", text(number)},
                        {"separator", number == first ? "" : ", "},
                        {"conjunction", number == first ? "" : " && "}};
}

/// "(m,n) x", a line for each.
std::vector<std::string> operandLines(const GuvectorizeSignature& signature, bool areOutputs) {
    std::vector<std::vector<std::string>> rows;
    for (const CoreOperand& operand : signature.operands)
        if (operand.isOutput == areOutputs)
            rows.push_back({operand.name, typeText(operand), layoutText(operand, signature.dimensions)});
    return aligned(rows);
}

json::Array operandReport(const GuvectorizeSignature& signature, bool areOutputs) {
    json::Array all;
    for (const CoreOperand& operand : signature.operands)
        if (operand.isOutput == areOutputs)
            all.push_back(json::Object{{"name", operand.name},
                                       {"type", operand.type.name},
                                       {"size", operand.type.size},
                                       {"core", layoutText(operand, signature.dimensions)}});
    return all;
}

}  // namespace

void addIncludes(const GuvectorizeSpec& pattern, std::set<std::string>& header, std::set<std::string>&) {
    const auto hasSeveral = [](const GuvectorizeSignature& one) { return one.operands.size() - inputsOf(one) > 1; };
    if (llvm::any_of(pattern.signatures, hasSeveral)) header.insert("<tuple>");
}

json::Object signatureKeys(const KernelSpec& kernel, const GuvectorizeSignature& signature, const SignaturePlan& plan,
                           const Emission& emission) {
    const std::size_t inputs = inputsOf(signature), count = signature.operands.size();
    json::Array in, out, all, dimensions;
    std::string results;
    llvm::ListSeparator comma;
    for (std::size_t i = 0; i < count; ++i) {
        all.push_back(operandKeys(signature, plan, i, 0));
        (i < inputs ? in : out).push_back(operandKeys(signature, plan, i, i < inputs ? 0 : inputs));
        if (i >= inputs)
            results += (llvm::StringRef(comma) + "foldwise::array<" + signature.operands[i].type.text() + ">").str();
    }
    for (const CoreDimension& dimension : signature.dimensions)
        dimensions.push_back(json::Object{{"name", dimension.name.empty() ? text(dimension.size) : dimension.name},
                                          {"size", text(dimension.size)}});
    const auto cuts = llvm::count_if(signature.dimensions, [](const CoreDimension& one) { return one.isParallel; });
    const bool isTuple = count - inputs > 1;
    return with(commonKeys(kernel, signature, plan, instancesOf(signature), emission),
                json::Object{{"call", "::" + kernel.qualifiedName()},
                             {"lambda", called(kernel, kernel.as<GuvectorizeSpec>().body, kernel.name)},
                             {"has_inputs", inputs > 0},
                             {"input_count", text(inputs)},
                             {"inputs", std::move(in)},
                             {"output_count", text(count - inputs)},
                             {"outputs", std::move(out)},
                             {"operand_count", text(count)},
                             {"operands", std::move(all)},
                             {"has_dimensions", !signature.dimensions.empty()},
                             {"dimension_count", text(signature.dimensions.size())},
                             {"dimensions", std::move(dimensions)},
                             {"is_cut", cuts > 0 && !emission.backends.checked},
                             {"cut_count", text(cuts)},
                             {"cuts", cutsText(signature)},
                             {"allocates", knowsOutputs(signature)},
                             {"is_tuple", isTuple},
                             {"results", isTuple ? "std::tuple<" + results + ">" : results}});
}

std::string callSignatures(const GuvectorizeSpec& pattern) {
    std::string all;
    llvm::ListSeparator between;
    for (const GuvectorizeSignature& signature : pattern.signatures) {
        std::string inputs, outputs;
        llvm::ListSeparator inputComma, outputComma;
        for (const CoreOperand& operand : signature.operands)
            (operand.isOutput ? outputs : inputs) +=
                (llvm::StringRef(operand.isOutput ? outputComma : inputComma) + operand.type.text()).str();
        const bool isTuple = signature.operands.size() - inputsOf(signature) > 1;
        const std::string made = isTuple ? "std::tuple<" + outputs + ">" : outputs;
        all += (llvm::StringRef(between) + "foldwise::items<" + (knowsOutputs(signature) ? "true, " : "false, ") +
                made + "(" + inputs + ")>")
                   .str();
    }
    return "foldwise::signatures<" + all + ">";
}

bool givesValues(const GuvectorizeSpec&) { return false; }

json::Object operandReport(const GuvectorizeSignature& signature) {
    return json::Object{{"inputs", operandReport(signature, false)}, {"outputs", operandReport(signature, true)}};
}

void explainOperands(const GuvectorizeSignature& signature, const SignaturePlan& plan, Facts& facts) {
    facts.facts("reads", operandLines(signature, false));
    facts.facts("writes", operandLines(signature, true));
    std::string kept;
    llvm::ListSeparator comma;
    for (const CoreOperand& operand : signature.operands)
        if (operand.isOutput && !operand.isOverwritten) kept += (llvm::StringRef(comma) + operand.name).str();
    if (!kept.empty())
        facts.fact("reads first", kept + ", because the lambda may leave elements as they are or read them");
    facts.fact("bytes", text(plan.bytesRead) + " read and " + text(plan.bytesWritten) +
                            " written per item, if it touches one element of each operand");
}

void explainLaunch(const GuvectorizeSignature& signature, const SignaturePlan& plan, Facts& facts) {
    std::string cuts;
    llvm::ListSeparator comma(" and ");
    for (const CoreDimension& one : signature.dimensions)
        if (one.isParallel) cuts += (llvm::StringRef(comma) + one.name).str();
    facts.fact("per thread",
               cuts.empty() ? "1 item" : "1 item, or its part at one " + cuts + " where items are few or large");
    facts.fact("per block", text(plan.cuda.threads) +
                                " threads, for items that are neighbours; small items that follow "
                                "one another in memory are copied to shared memory");
}

}  // namespace foldwise
