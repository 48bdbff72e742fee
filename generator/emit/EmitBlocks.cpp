// generator/emit/EmitBlocks.cpp: describes `blocks` kernels to templates and --explain.
#include "KernelKeys.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

namespace foldwise {

namespace json = llvm::json;

namespace {

/// "const double" of a view that is read only.
std::string elementOf(const BlocksParameter& parameter) {
    return (parameter.isConst ? "const " : "") + parameter.type.text();
}

/// "32, 32"
std::string extentsText(const std::vector<std::uint64_t>& extents, llvm::StringRef between = ", ") {
    std::string all;
    llvm::ListSeparator separator(between);
    for (const std::uint64_t extent : extents) all += (llvm::StringRef(separator) + text(extent)).str();
    return all;
}

/// "float tile[32][33], 4224 bytes"
std::string arrayText(const SharedArray& array) {
    if (array.extents.empty()) return array.type.text() + " " + array.name + "[], as many as the call says";
    std::uint64_t bytes = array.type.size;
    for (const std::uint64_t extent : array.extents) bytes *= extent;
    return array.type.text() + " " + array.name + "[" + extentsText(array.extents, "][") + "], " + text(bytes) +
           " bytes";
}

}  // namespace

void addIncludes(const BlocksSpec&, std::set<std::string>&, std::set<std::string>&) {}

json::Object signatureKeys(const KernelSpec& kernel, const BlocksSignature& signature, const SignaturePlan& plan,
                           const Emission& emission) {
    json::Array parameters, shared;
    for (std::size_t i = 0; i < signature.parameters.size(); ++i) {
        const BlocksParameter& parameter = signature.parameters[i];
        parameters.push_back(json::Object{{"name", plan.operands[i].local},
                                          {"parameter", plan.operands[i].parameter},
                                          {"said_name", plan.operands[i].said},
                                          {"is_view", parameter.rank > 0},
                                          {"element", elementOf(parameter)},
                                          {"rank", text(parameter.rank)},
                                          {"type", parameter.type.text()},
                                          {"size", text(parameter.type.size)},
                                          {"alignment", text(parameter.type.alignment)},
                                          {"number", text(i)},
                                          {"separator", i == 0 ? "" : ", "},
                                          {"reads", parameter.isRead ? "true" : "false"},
                                          {"writes", parameter.isWritten ? "true" : "false"},
                                          {"of_all_items", parameter.isOfAllItems}});
    }
    bool asksCall = false;
    for (const SharedArray& array : signature.shared) {
        asksCall |= array.extents.empty();
        shared.push_back(json::Object{{"name", array.name},
                                      {"size", text(array.type.size)},
                                      {"alignment", text(array.type.alignment)},
                                      {"count", array.count}});
    }
    const bool hasViews = llvm::any_of(signature.parameters, [](const BlocksParameter& one) { return one.rank > 0; });
    return with(commonKeys(kernel, signature, plan, instancesOf(signature), emission),
                json::Object{{"lambda", called(kernel, kernel.as<BlocksSpec>().body, kernel.name)},
                             {"extents", extentsText(signature.extents)},
                             {"block", extentsText(signature.extents, " by ")},
                             {"scratch", text(scratchBytes(signature))},
                             {"has_scratch", scratchBytes(signature) > 0},
                             {"bounds", leastBlocks(signature) > 1 ? ", " + text(leastBlocks(signature)) : ""},
                             {"shared", std::move(shared)},
                             {"asks_call", asksCall},
                             {"has_parameters", !parameters.empty()},
                             {"has_views", hasViews},
                             {"parameter_count", text(parameters.size())},
                             {"parameters", std::move(parameters)}});
}

std::string callSignatures(const BlocksSpec& pattern) {
    std::string all;
    for (const BlocksSignature& signature : pattern.signatures) {
        all += (all.empty() ? "void(" : ", void(") + ("foldwise::tasks<" + text(signature.indexRank) + ">");
        for (const BlocksParameter& parameter : signature.parameters)
            all += ", " +
                   (parameter.rank > 0 ? "foldwise::elements<" + elementOf(parameter) + ">" : parameter.type.text());
        all += ")";
    }
    return "foldwise::signatures<" + all + ">";
}

bool givesValues(const BlocksSpec&) { return false; }

json::Object operandReport(const BlocksSignature& signature) {
    json::Array parameters;
    for (const BlocksParameter& parameter : signature.parameters) {
        json::Object one{{"name", parameter.name}, {"type", parameter.type.name}, {"size", parameter.type.size}};
        if (parameter.rank > 0) {
            one["rank"] = parameter.rank;
            one["reads"] = parameter.isRead;
            one["writes"] = parameter.isWritten;
            if (parameter.isOfAllItems) one["of_all_items"] = true;
        }
        parameters.push_back(std::move(one));
    }
    json::Object report{{"parameters", std::move(parameters)}};
    if (const std::optional<std::uint64_t> bytes = sharedBytes(signature)) report["shared_bytes"] = *bytes;
    return report;
}

void explainOperands(const BlocksSignature& signature, const SignaturePlan& plan, Facts& facts) {
    facts.fact("block", extentsText(signature.extents, " by ") + " items");
    const auto add = [&](llvm::StringRef label, auto&& has) {
        std::vector<std::vector<std::string>> rows;
        for (const BlocksParameter& parameter : signature.parameters)
            if (has(parameter)) rows.push_back({parameter.name, typeText(parameter)});
        if (!rows.empty()) facts.facts(label, aligned(rows));
    };
    add("reads", [](const BlocksParameter& one) { return one.rank > 0 && one.isRead && !one.isWritten; });
    add("writes", [](const BlocksParameter& one) { return one.rank > 0 && one.isWritten && !one.isRead; });
    add("reads, writes", [](const BlocksParameter& one) { return one.rank > 0 && one.isRead && one.isWritten; });
    add("asks extents", [](const BlocksParameter& one) { return one.rank > 0 && !one.isRead && !one.isWritten; });
    add("each item's own", [](const BlocksParameter& one) { return one.isOfAllItems; });
    add("values", [](const BlocksParameter& one) { return one.rank == 0; });
    facts.fact("bytes", text(plan.bytesRead) + " read and " + text(plan.bytesWritten) +
                            " written per item, if it touches one element of each view");
}

void explainLaunch(const BlocksSignature& signature, const SignaturePlan& plan, Facts& facts) {
    const std::uint32_t own = itemsOfThread(signature);
    facts.fact("per thread", text(own) + (own == 1 ? " item" : " items"));
    facts.fact("per block", text(plan.cuda.threads) + " threads, in " + text(signature.phases) +
                                (signature.phases == 1 ? " phase" : " phases, folds and scans"));
    std::vector<std::string> arrays;
    for (const SharedArray& array : signature.shared) arrays.push_back(arrayText(array));
    if (const std::uint64_t scratch = scratchBytes(signature))
        arrays.push_back(text(scratch) + " bytes in which folds and scans exchange values");
    if (!arrays.empty()) facts.facts("shared", arrays);
}

}  // namespace foldwise
