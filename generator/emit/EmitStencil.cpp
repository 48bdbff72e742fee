// generator/emit/EmitStencil.cpp: describes stencil kernels to templates and --explain.
#include "../model/StencilThread.hpp"
#include "KernelKeys.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

#include <algorithm>

namespace foldwise {

namespace json = llvm::json;

namespace {

std::string arrayOf(const Operand& output) { return "foldwise::array<" + output.type.text() + ">"; }

/// The edges' name in emitted kernels: they leave out what edge::skip skips.
std::string edgeKind(const StencilSignature& signature) { return signature.edge == "skip" ? "none" : signature.edge; }

/// "1, 1, 0, 2": before and behind an element, along each axis.
std::string reachText(const StencilSignature& signature) {
    std::string all;
    llvm::ListSeparator comma;
    for (const Reach& one : signature.reach)
        all += (llvm::StringRef(comma) + text(one.before) + ", " + text(one.behind)).str();
    return all;
}

json::Object keysOf(const StencilSignature& signature, const SignaturePlan& plan, std::size_t number) {
    const std::size_t inputs = signature.inputs.size();
    const bool isInput = number < inputs;
    const Operand& operand = isInput ? signature.inputs[number] : signature.outputs[number - inputs];
    const AroundInput* around = isInput ? aroundOf(signature, number) : nullptr;
    const bool isWhole = operand.isWhole() && !around;
    const bool hasBeyond = around && !around->beyond.empty();
    return with(operandKeys(operand, isInput ? number : number - inputs, number, plan),
                json::Object{{"is_around", around != nullptr},
                             {"is_whole", isWhole},
                             {"is_value", isInput && !operand.isWhole()},
                             {"rank", text(isWhole ? operand.rank : signature.rank)},
                             {"beyond", hasBeyond ? ", " + around->beyond : ""},
                             {"first", number == 0 ? "" : ", "},
                             {"role", !isInput  ? "result"
                                      : around  ? "around"
                                      : isWhole ? "whole"
                                                : "value"}});
}

/// Whether a call may leave its outputs out: each of their elements is written.
bool allocates(const StencilSignature& signature) { return signature.edge != "skip"; }

}  // namespace

void addIncludes(const StencilSpec& pattern, std::set<std::string>& header, std::set<std::string>&) {
    if (llvm::any_of(pattern.signatures, [](const StencilSignature& one) { return one.isTuple; }))
        header.insert("<tuple>");
}

json::Object signatureKeys(const KernelSpec& kernel, const StencilSignature& signature, const SignaturePlan& plan,
                           const Emission& emission) {
    const std::size_t inputs = signature.inputs.size(), count = inputs + signature.outputs.size();
    const StencilThread thread = threadOf(signature);
    json::Array in, out, dense;
    std::string results;
    llvm::ListSeparator comma, both(" && ");
    for (std::size_t i = 0; i < count; ++i) {
        (i < inputs ? in : out).push_back(keysOf(signature, plan, i));
        if (i >= inputs) results += (llvm::StringRef(comma) + arrayOf(signature.outputs[i - inputs])).str();
        if (i < inputs && !aroundOf(signature, i)) continue;
        dense.push_back(json::Object{{"name", plan.operands[i].local}, {"separator", llvm::StringRef(both).str()}});
    }
    return with(commonKeys(kernel, signature, plan, instancesOf(signature), emission),
                json::Object{{"call", "::" + kernel.qualifiedName()},
                             {"lambda", called(kernel, kernel.as<StencilSpec>().body, kernel.name)},
                             {"input_count", text(inputs)},
                             {"inputs", std::move(in)},
                             {"output_count", text(signature.outputs.size())},
                             {"outputs", std::move(out)},
                             {"operand_count", text(count)},
                             {"dense", std::move(dense)},
                             {"output", plan.operands[inputs].local},
                             {"rank", text(signature.rank)},
                             {"edge", edgeKind(signature)},
                             {"reach", reachText(signature)},
                             {"rows_before", text(signature.reach[0].before)},
                             {"rows_behind", text(signature.reach[0].behind)},
                             {"wraps", signature.edge == "wrap" ? "true" : "false"},
                             {"is_whole", allocates(signature) ? "true" : "false"},
                             {"allocates", allocates(signature)},
                             {"has_steps", hasSteps(signature)},
                             {"is_tuple", signature.isTuple},
                             {"has_branches", mayBranch(signature.operations)},
                             {"results", signature.isTuple ? "std::tuple<" + results + ">" : results},
                             {"has_windows", thread.hasWindows},
                             {"vector_width", text(thread.width)},
                             {"vectors", text(std::max(thread.planes, 1u))},
                             {"per_thread", text(thread.elements)},
                             {"reads", text(signature.reads)}});
}

std::string callSignatures(const StencilSpec& pattern) {
    std::string all;
    llvm::ListSeparator between;
    for (const StencilSignature& signature : pattern.signatures) {
        const std::string outputs = typesOf(signature.outputs);
        const std::string made = signature.isTuple ? "std::tuple<" + outputs + ">" : outputs;
        all += (llvm::StringRef(between) + "foldwise::items<" + (allocates(signature) ? "true, " : "false, ") + made +
                "(" + typesOf(signature.inputs) + ")>")
                   .str();
    }
    return "foldwise::signatures<" + all + ">";
}

bool givesValues(const StencilSpec&) { return false; }

json::Object operandReport(const StencilSignature& signature) {
    json::Array reach;
    for (const Reach& one : signature.reach) reach.push_back(json::Array{one.before, one.behind});
    return json::Object{{"inputs", operandReport(signature.inputs)},
                        {"outputs", operandReport(signature.outputs)},
                        {"edge", signature.edge},
                        {"reach", std::move(reach)}};
}

void explainOperands(const StencilSignature& signature, const SignaturePlan& plan, Facts& facts) {
    std::vector<std::vector<std::string>> inputs, outputs;
    for (std::size_t i = 0; i < signature.inputs.size(); ++i)
        inputs.push_back({signature.inputs[i].name, typeText(signature, i)});
    for (const Operand& output : signature.outputs) outputs.push_back({output.name, output.type.text()});
    facts.facts("reads", aligned(inputs));
    facts.facts("writes", aligned(outputs));
    std::string reach;
    for (std::size_t axis = 0; axis < signature.reach.size(); ++axis)
        reach += (axis > 0 ? "; " : "") + ("axis " + text(axis) + ": ") + text(signature.reach[axis].before) +
                 " before and " + text(signature.reach[axis].behind) + " behind";
    facts.fact("reach", reach + (signature.isReachSaid ? ", as the radius says" : ", as its offsets do"));
    facts.fact("edges", signature.edge == "skip" ? "elements whose window leaves the array are not written"
                                                 : signature.edge + ": windows may be wider than the array");
    facts.fact("bytes", text(plan.bytesRead) + " read and " + text(plan.bytesWritten) +
                            " written per element, if each is loaded once");
}

void explainLaunch(const StencilSignature& signature, const SignaturePlan& plan, Facts& facts) {
    const StencilThread thread = threadOf(signature);
    if (thread.hasWindows)
        facts.fact(
            "per thread",
            (thread.planes > 0 ? text(thread.planes) + " vectors of " + text(thread.width) + " elements, else " : "") +
                text(thread.elements) + (thread.elements == 1 ? " element" : " elements") +
                ": what is around them is loaded once, into registers");
    else
        facts.fact("per thread", "1 element, which looks around in memory");
    facts.fact("per block", text(plan.cuda.threads) + " threads, for a tile of up to 64 columns or 32 vectors");
}

}  // namespace foldwise
