// generator/emit/EmitVectorize.cpp: describes vectorize kernels to templates and --explain.
#include "../model/Roofline.hpp"
#include "KernelKeys.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

namespace foldwise {

namespace json = llvm::json;

namespace {

/// Whether a call may begin with the shape of its result.
bool takesShape(const VectorizeSignature& signature) {
    return !hasElements(signature.inputs) || signature.indexRank > 0;
}

/// What a call that allocates its results returns.
std::string resultsType(const VectorizeSignature& signature) {
    std::string types;
    for (const Operand& output : signature.outputs) {
        if (!types.empty()) types += ", ";
        types += "foldwise::array<" + output.type.text() + ">";
    }
    return signature.isTuple ? "std::tuple<" + types + ">" : types;
}

/// The keys of the operands of a signature, of which `before` others come first.
json::Array operandKeys(const std::vector<Operand>& operands, std::size_t before, const VectorizeSignature& signature,
                        const SignaturePlan& plan) {
    json::Array keys;
    for (std::size_t i = 0; i < operands.size(); ++i)
        keys.push_back(
            with(operandKeys(operands[i], i, before + i, plan), json::Object{{"converts", signature.converts}}));
    return keys;
}

}  // namespace

void addIncludes(const VectorizeSpec& pattern, std::set<std::string>& header, std::set<std::string>&) {
    if (llvm::any_of(pattern.signatures, [](const VectorizeSignature& one) { return one.isTuple; }))
        header.insert("<tuple>");
}

json::Object signatureKeys(const KernelSpec& kernel, const VectorizeSignature& signature, const SignaturePlan& plan,
                           const Emission& emission) {
    const bool hasInputs = !signature.inputs.empty();
    const std::size_t inputs = signature.inputs.size();
    return with(commonKeys(kernel, signature, plan, instancesOf(signature), emission),
                json::Object{{"call", "::" + kernel.qualifiedName()},
                             {"lambda", called(kernel, kernel.as<VectorizeSpec>().body, kernel.name)},
                             {"has_inputs", hasInputs},
                             {"has_elements", hasElements(signature.inputs)},
                             {"takes_index", signature.indexRank > 0},
                             {"takes_shape", takesShape(signature)},
                             {"input_count", text(inputs)},
                             {"inputs", operandKeys(signature.inputs, 0, signature, plan)},
                             {"output_count", text(signature.outputs.size())},
                             {"outputs", operandKeys(signature.outputs, inputs, signature, plan)},
                             {"results", resultsType(signature)},
                             {"has_floats", hasFloats(signature.inputs) || hasFloats(signature.outputs)},
                             {"result", signature.outputs.front().type.text()},
                             {"kept_result", signature.outputs.front().keptText()},
                             {"is_long", takesLong(signature.operations)},
                             {"output", plan.operands[inputs].local},
                             {"is_tuple", signature.isTuple},
                             {"converts", signature.converts},
                             {"bytes_read", text(plan.bytesRead)},
                             {"bytes_written", text(plan.bytesWritten)},
                             {"width", text(plan.cuda.width)}});
}

std::string callSignatures(const VectorizeSpec& pattern) {
    std::string all;
    for (const VectorizeSignature& signature : pattern.signatures) {
        const std::string outputs = typesOf(signature.outputs);
        all += (all.empty() ? "" : ", ") + (signature.isTuple ? "std::tuple<" + outputs + ">" : outputs) + "(" +
               typesOf(signature.inputs) + ")";
    }
    const bool anyTakesShape =
        llvm::any_of(pattern.signatures, [](const VectorizeSignature& one) { return takesShape(one); });
    return (anyTakesShape ? "foldwise::shaped_signatures<" : "foldwise::signatures<") + all + ">";
}

bool givesValues(const VectorizeSpec&) { return true; }

json::Object operandReport(const VectorizeSignature& signature) {
    return json::Object{{"inputs", operandReport(signature.inputs)}, {"outputs", operandReport(signature.outputs)}};
}

void explainOperands(const VectorizeSignature& signature, const SignaturePlan& plan, Facts& facts) {
    explainIndex(signature, facts);
    facts.facts("reads", operandLines(signature.inputs));
    facts.facts("writes", operandLines(signature.outputs));
    facts.fact("bytes", text(plan.bytesRead) + " read and " + text(plan.bytesWritten) +
                            " written per element, if all operands are arrays");
}

void explainLaunch(const VectorizeSignature&, const SignaturePlan& plan, Facts& facts) {
    explainWidth(plan, "loads and stores", facts);
    facts.fact("per block", text(plan.cuda.threads) + " threads, " + text(plan.cuda.threads * plan.cuda.width) +
                                " elements: 128 to 512 threads were measured to be alike");
}

}  // namespace foldwise
