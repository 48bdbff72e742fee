// generator/emit/EmitScatter.cpp: describes scattered folds to templates and --explain.
#include "FoldKeys.hpp"

#include <llvm/ADT/StringExtras.h>

namespace foldwise {

namespace json = llvm::json;

namespace {

/// The runtime's name of an operation that GPUs may have an atomic one for.
llvm::StringRef atomicOperation(CombineOperator operation) {
    switch (operation) {
    case CombineOperator::Sum:
        return "sum";
    case CombineOperator::Minimum:
        return "minimum";
    case CombineOperator::Maximum:
        return "maximum";
    case CombineOperator::BitAnd:
        return "bit_and";
    case CombineOperator::BitOr:
        return "bit_or";
    case CombineOperator::BitXor:
        return "bit_xor";
    default:
        return "other";
    }
}

}  // namespace

void addIncludes(const ScatterSpec& pattern, std::set<std::string>&, std::set<std::string>& kernels) {
    addFoldIncludes(pattern.parts, kernels);
}

json::Object signatureKeys(const KernelSpec& kernel, const ScatterSignature& signature, const SignaturePlan& plan,
                           const Emission& emission) {
    return with(commonKeys(kernel, signature, plan, instancesOf(signature), emission),
                with(foldKeys(kernel, kernel.as<ScatterSpec>().parts, signature, plan, emission),
                     json::Object{{"bin_axes", text(signature.placeAxes)},
                                  {"entries", text(std::max<std::size_t>(signature.placeCount, 1))},
                                  {"has_several", signature.placeCount > 0},
                                  {"operation", atomicOperation(signature.fold.operation)},
                                  {"may_order", mayOrder(signature)},
                                  {"is_exact", isExact(signature) ? "true" : "false"}}));
}

std::string callSignatures(const ScatterSpec& pattern) {
    std::string all;
    llvm::ListSeparator comma;
    for (const ScatterSignature& signature : pattern.signatures)
        all += (llvm::StringRef(comma) + signature.output.type.text() + "(" + typesOf(signature.inputs) + ")").str();
    return "foldwise::signatures<" + all + ">";
}

bool givesValues(const ScatterSpec&) { return false; }

json::Object operandReport(const ScatterSignature& signature) { return foldReport(signature); }

void explainOperands(const ScatterSignature& signature, const SignaturePlan& plan, Facts& facts) {
    explainIndex(signature, facts);
    facts.facts("reads", operandLines(signature.inputs));
    facts.facts("updates", operandLines({signature.output}));
    const std::size_t entries = std::max<std::size_t>(signature.placeCount, 1);
    facts.fact("places", text(entries) + (entries == 1 ? " for each element, of " : " for each element, each of ") +
                             text(signature.placeAxes) + (signature.placeAxes == 1 ? " axis" : " axes"));
    facts.fact("combines", std::string("elements in ") + (signature.fold.commutes ? "any order" : "their order") +
                               (isAtomic(signature) ? ", atomically" : ""));
    facts.fact("bytes", text(plan.bytesRead) + " read per element, if all operands are arrays");
}

void explainLaunch(const ScatterSignature&, const SignaturePlan& plan, Facts& facts) {
    explainWidth(plan, "loads", facts);
    facts.fact("per block", text(plan.cuda.threads) + " threads");
}

}  // namespace foldwise
