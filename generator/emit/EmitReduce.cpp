// generator/emit/EmitReduce.cpp: describes reduce kernels to templates and --explain.
#include "../model/Roofline.hpp"
#include "FoldKeys.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

namespace foldwise {

namespace json = llvm::json;

namespace {

/// Whether calls with unfinished accumulators are calls of this signature: the first with accumulators of its type.
bool takesPartials(const ReduceSpec& pattern, const ReduceSignature& signature) {
    const auto isAlike = [&](const ReduceSignature& one) {
        return one.fold.accumulator.name == signature.fold.accumulator.name;
    };
    return *llvm::find_if(pattern.signatures, isAlike) == signature;
}

}  // namespace

void addIncludes(const ReduceSpec& pattern, std::set<std::string>&, std::set<std::string>& kernels) {
    addFoldIncludes(pattern.parts, kernels);
}

json::Object signatureKeys(const KernelSpec& kernel, const ReduceSignature& signature, const SignaturePlan& plan,
                           const Emission& emission) {
    const std::vector<std::string>& members = signature.fold.members;
    const bool splits = emission.attributes.empty() && !members.empty();  // on the CPU, which has no vectors of structs
    const auto& pattern = kernel.as<ReduceSpec>();
    return with(commonKeys(kernel, signature, plan, instancesOf(signature), emission),
                with(foldKeys(kernel, pattern.parts, signature, plan, emission),
                     json::Object{{"reorders", true},
                                  {"is_long", takesLong(signature.operations)},
                                  {"splits", splits},
                                  {"members", "a." + llvm::join(members, ", a.")},
                                  {"takes_partials", takesPartials(pattern, signature)}}));
}

std::string callSignatures(const ReduceSpec& pattern) {
    return foldSignatures(pattern.signatures, "foldwise::reduction");
}

bool givesValues(const ReduceSpec&) { return false; }

json::Object operandReport(const ReduceSignature& signature) { return foldReport(signature); }

void explainOperands(const ReduceSignature& signature, const SignaturePlan& plan, Facts& facts) {
    explainIndex(signature, facts);
    facts.facts("reads", operandLines(signature.inputs));
    facts.facts("makes", operandLines({signature.output}));
    facts.fact("accumulates", "in " + signature.fold.accumulator.name + ", elements in " +
                                  (signature.fold.commutes ? "any order" : "their order"));
    facts.fact("bytes", text(plan.bytesRead) + " read per element, if all operands are arrays");
}

void explainLaunch(const ReduceSignature&, const SignaturePlan& plan, Facts& facts) {
    explainWidth(plan, "loads", facts);
    facts.fact("per block",
               text(plan.cuda.threads) + " threads, fewer for some rows: up to three blocks share a multiprocessor");
}

}  // namespace foldwise
