// generator/emit/EmitScan.cpp: describes scan kernels to templates and --explain.
#include "FoldKeys.hpp"

#include <foldwise/detail/scan_columns.hpp>

namespace foldwise {

namespace json = llvm::json;

void addIncludes(const ScanSpec& pattern, std::set<std::string>&, std::set<std::string>& kernels) {
    addFoldIncludes(pattern.parts, kernels);
}

json::Object signatureKeys(const KernelSpec& kernel, const ScanSignature& signature, const SignaturePlan& plan,
                           const Emission& emission) {
    const std::size_t results = signature.inputs.size();
    return with(commonKeys(kernel, signature, plan, instancesOf(signature), emission),
                with(foldKeys(kernel, kernel.as<ScanSpec>().parts, signature, plan, emission),
                     json::Object{{"bytes_written", text(plan.bytesWritten)},
                                  {"stride_count", text(results + (signature.indexRank > 0 ? 2 : 1))},
                                  {"last_stride", text(results + 1)},
                                  {"reorders", false},
                                  {"splits", false}}));
}

std::string callSignatures(const ScanSpec& pattern) { return foldSignatures(pattern.signatures, "foldwise::scanning"); }

bool givesValues(const ScanSpec&) { return false; }

json::Object operandReport(const ScanSignature& signature) { return foldReport(signature); }

void explainOperands(const ScanSignature& signature, const SignaturePlan& plan, Facts& facts) {
    explainIndex(signature, facts);
    facts.facts("reads", operandLines(signature.inputs));
    facts.facts("makes", operandLines({signature.output}));
    facts.fact("accumulates", "in " + signature.fold.accumulator.name + ", elements in their order");
    facts.fact("bytes", text(plan.bytesRead) + " read and " + text(plan.bytesWritten) +
                            " written per element, if all operands are arrays");
}

void explainLaunch(const ScanSignature& signature, const SignaturePlan& plan, Facts& facts) {
    const std::size_t accumulator = signature.fold.accumulator.size;
    explainWidth(plan, "loads and stores", facts);
    facts.fact("per block", text(plan.cuda.threads) + " threads, one tile after the other");
    facts.fact("along columns", text(detail::scan_column_threads(accumulator)) + " threads per block, or " +
                                    text(detail::scan_strip_threads(accumulator)) +
                                    " where a block has its columns to itself; " +
                                    text(detail::scan_column_rows(accumulator)) + " elements of a tile for each");
}

}  // namespace foldwise
