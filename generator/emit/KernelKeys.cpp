// generator/emit/KernelKeys.cpp: makes the keys that kernels of all patterns have. The elements of arrays repeat keys
// of what contains them, because a template sees only the element that it is in.
#include "KernelKeys.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

namespace foldwise {

namespace json = llvm::json;

namespace {

/// The namespaces of a kernel, as they qualify a name: "a::b::".
std::string prefixOf(const KernelSpec& kernel) {
    return llvm::StringRef(kernel.qualifiedName()).drop_back(kernel.name.size()).str();
}

/// The lines of the user's comment. Each that is not empty begins with the blank that follows the comment's marker.
json::Array commentKeys(llvm::StringRef comment) {
    json::Array lines;
    if (comment.trim().empty()) return lines;
    for (llvm::StringRef line : llvm::split(comment.trim(), '\n')) {
        line = line.trim("\\ \t\r");  // a backslash at the end would draw the next line into the comment
        lines.push_back(json::Object{{"line", line.empty() ? std::string() : (" " + line).str()}});
    }
    return lines;
}

/// The instances of a kernel, in the order of the runtime's table.
json::Array instanceKeys(const std::vector<Instance>& instances, const SignaturePlan& plan) {
    json::Array keys;
    for (const Instance& one : instances)
        keys.push_back(json::Object{{"instance", one.name}, {"exists", one.exists}, {"symbol", plan.symbol}});
    return keys;
}

}  // namespace

json::Object commonKeys(const KernelSpec& kernel, const Signature& signature, const SignaturePlan& plan,
                        const std::vector<Instance>& instances, const Emission& emission) {
    return json::Object{{"kernel", kernel.name},
                        {"qualified_kernel", kernel.qualifiedName()},
                        {"prefix", prefixOf(kernel)},
                        {"comment", commentKeys(kernel.comment)},
                        {"text", signature.text},
                        {"symbol", plan.symbol},
                        {"instances", instanceKeys(instances, plan)},
                        {"index_rank", text(signature.indexRank)},
                        {"threads", text(plan.cuda.threads)},
                        {"without_fma", signature.mayFuse ? "_WITHOUT_FMA" : ""},
                        {"cuda", emission.backends.cuda},
                        {"cpu", emission.backends.cpu},
                        {"simulator", emission.backends.simulator}};
}

/// Whether kernels for the CPU take results of a type out of tuples by their parts: halves, bfloat16, complex numbers.
static bool isTakenByParts(const ElementType& type) {
    return type.kind == TypeKind::Complex || (type.kind == TypeKind::Floating && type.size == 2);
}

json::Object operandKeys(const Operand& operand, std::size_t index, std::size_t number, const SignaturePlan& plan) {
    return json::Object{{"name", plan.operands[number].local},
                        {"parameter", plan.operands[number].parameter},
                        {"said_name", plan.operands[number].said},
                        {"type", operand.text()},
                        {"kept_type", operand.keptText()},
                        {"is_half", operand.asFloat},
                        {"getter", isTakenByParts(operand.type) ? "foldwise::cpu::get_by_parts" : "std::get"},
                        {"is_whole", operand.isWhole()},
                        {"element", operand.type.text()},
                        {"rank", text(operand.rank)},
                        {"size", text(operand.type.size)},
                        {"alignment", text(operand.type.alignment)},
                        {"index", text(index)},
                        {"number", text(number)},
                        {"separator", index == 0 ? "" : ", "},
                        {"width", text(plan.cuda.width)}};
}

json::Array inputKeys(const std::vector<Operand>& inputs, const SignaturePlan& plan) {
    json::Array keys;
    for (std::size_t i = 0; i < inputs.size(); ++i) keys.push_back(operandKeys(inputs[i], i, i, plan));
    return keys;
}

std::string typesOf(const std::vector<Operand>& operands) {
    std::string types;
    for (const Operand& operand : operands) types += (types.empty() ? "" : ", ") + operand.text();
    return types;
}

json::Array operandReport(const std::vector<Operand>& operands) {
    json::Array report;
    for (const Operand& operand : operands) {
        json::Object one{{"name", operand.name}, {"type", operand.type.name}, {"size", operand.type.size}};
        if (operand.isWhole()) one["rank"] = operand.rank;
        report.push_back(std::move(one));
    }
    return report;
}

json::Object with(json::Object keys, json::Object more) {
    for (auto& [key, value] : more) keys[key] = std::move(value);
    return keys;
}

std::string text(std::size_t number) { return std::to_string(number); }

std::string converted(bool converts, const std::string& type, const std::string& value) {
    return converts ? "static_cast<" + type + ">(" + value + ")" : value;
}

std::string globalName(const KernelSpec& kernel, const std::string& function) {
    return "::FOLDWISE_BACKEND::" + prefixOf(kernel) + function;
}

std::string called(const KernelSpec& kernel, const Body& body, const std::string& function) {
    if (!body.callee.empty()) return body.callee;
    return globalName(kernel, function) + (body.makesObject ? "()" : "");
}

}  // namespace foldwise
