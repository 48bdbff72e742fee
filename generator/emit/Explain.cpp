// generator/emit/Explain.cpp: writes the report of --explain as a table of facts, to which patterns add their own.
#include "Explain.hpp"

#include "../model/Instances.hpp"
#include "../model/Roofline.hpp"
#include "EmitPattern.hpp"
#include "ExplainLimits.hpp"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/Format.h>
#include <llvm/Support/raw_ostream.h>

namespace foldwise {

namespace json = llvm::json;

namespace {

std::string text(const Place& place) { return place.file + ":" + std::to_string(place.line); }

std::string text(const std::vector<OperationCount>& counts) {
    std::string out;
    llvm::ListSeparator comma;
    for (const OperationCount& c : counts) out += llvm::StringRef(comma).str() + textOf(c.operation, c.count);
    return out.empty() ? "none" : out;
}

llvm::StringRef text(CarriedKind kind) {
    switch (kind) {
    case CarriedKind::Function:
        return "function";
    case CarriedKind::Type:
        return "type";
    case CarriedKind::Constant:
        return "constant";
    }
    llvm_unreachable("every kind has a name");
}

llvm::StringRef text(LibrarySource source) {
    switch (source) {
    case LibrarySource::Cuda:
        return "CUDA's own";
    case LibrarySource::Foldwise:
        return "from foldwise/device/";
    case LibrarySource::Standard:
        return "the standard library's own constexpr code";
    }
    llvm_unreachable("every source has a name");
}

void addReached(Facts& facts, const KernelSpec& kernel) {
    std::vector<std::vector<std::string>> carried, library;
    for (const Carried& c : kernel.carried) carried.push_back({text(c.kind).str(), c.name, text(c.place)});
    for (const LibraryUse& use : kernel.library) library.push_back({use.name, text(use.source).str()});
    if (carried.empty()) carried.push_back({"nothing"});
    facts.facts("carries", aligned(carried));
    facts.facts("library", aligned(library));
}

/// Loops in loops are listed below those that they are in.
void addRepetitions(Facts& facts, const std::vector<Repetition>& repeated, std::size_t depth) {
    for (const Repetition& repetition : repeated) {
        std::string line(2 * depth, ' ');
        if (repetition.kind == RepetitionKind::Recursion) {
            line += "the function at " + text(repetition.place) + " calls itself, how deep is not known";
        } else {
            line += "each trip of the loop at " + text(repetition.place);
            if (repetition.times > 1) line += " (entered " + std::to_string(repetition.times) + " times)";
            line += ", how many is not known: " + text(repetition.each.counts);
        }
        facts.fact("", line, 2 * depth + 2);
        addRepetitions(facts, repetition.each.repeated, depth + 1);
    }
}

void addOperations(Facts& facts, const Operations& operations) {
    facts.fact("operations", "as written: " + text(operations.counts), 2);
    addRepetitions(facts, operations.repeated, 0);
}

/// The runtime chooses among these by how the operands lie.
std::vector<std::string> instanceLines(const std::vector<Instance>& instances) {
    std::vector<std::vector<std::string>> rows;
    for (const Instance& instance : instances)
        if (instance.exists) rows.push_back({instance.name.str(), instance.description.str()});
    return aligned(rows);
}

void addBound(Facts& facts, const Roofline& bound, const Operations& operations, const ExplainFor& what) {
    const std::string memory = timeText(bound.memorySeconds), units = " (" + arithmeticText(bound) + ")";
    const std::string arithmetic = bound.arithmeticSeconds > 0 ? "about " + timeText(bound.arithmeticSeconds) : "none";
    const std::string line = bound.memoryBound() ? "memory, " + memory + " per element; arithmetic: " + arithmetic
                                                 : "arithmetic, " + arithmetic + " per element";
    const std::string rest = bound.memoryBound() ? "" : "; memory: " + memory;
    facts.fact("GPU", what.gpu.title);
    facts.fact("bound", line + (bound.arithmeticSeconds > 0 ? units : "") + rest);
    if (!operations.repeated.empty()) facts.fact("", "with what repeats an unknown number of times counted once");
    if (operations.withLoopsOnce().count(Operation::Call) > 0)
        facts.fact("", "with calls of unknown cost counted as nothing");
    std::vector<std::vector<std::string>> rows;
    for (const std::uint64_t elements : what.elements) {
        const double seconds = bound.seconds() * static_cast<double>(elements);
        rows.push_back({std::to_string(elements) + (elements == 1 ? " element" : " elements"), timeText(seconds)});
        if (seconds <= launchSeconds)
            rows.back().push_back("no more than a launch takes, about " + timeText(launchSeconds));
    }
    facts.facts("least time", aligned(rows));
}

Roofline boundOf(const Signature& signature, const SignaturePlan& plan, const Gpu& gpu) {
    return roofline(gpu, plan.bytesRead + plan.bytesWritten, signature.operations);
}

LimitedSignature limited(const KernelSpec& kernel, const SignaturePlan& plan, const Roofline& bound) {
    return {kernel, bound, static_cast<double>(plan.bytesRead + plan.bytesWritten)};
}

}  // namespace

static llvm::StringRef descriptionOf(Pattern pattern) {
    switch (pattern) {
#define FOLDWISE_PATTERN(name, keyword, type, description)                                                             \
    case Pattern::name:                                                                                                \
        return #keyword ": " description;
#include "../model/Patterns.def"
    }
    llvm_unreachable("every pattern is in the table");
}

/// The plans of one kernel, made with those of its unit, whose names they share.
static std::vector<SignaturePlan> plansOf(const KernelOfUnit& named) {
    return planUnit(*named.first)[static_cast<std::size_t>(named.second - named.first->kernels.data())];
}

std::string explain(const KernelOfUnit& named, const ExplainFor& what) {
    const KernelSpec& kernel = *named.second;
    const std::vector<SignaturePlan> plans = plansOf(named);
    Facts facts;
    facts.fact("pattern", descriptionOf(patternOf(kernel)));
    addReached(facts, kernel);
    const SignaturePlan* next = plans.data();
    forEachSignature(kernel, [&](const auto& signature) {
        const SignaturePlan& plan = *next++;
        facts.gap();
        facts.heading(signature.text);
        explainOperands(signature, plan, facts);
        addOperations(facts, signature.operations);
        facts.fact("CUDA kernel", plan.symbol);
        explainLaunch(signature, plan, facts);
        facts.facts("instances", instanceLines(instancesOf(signature)));
        const Roofline bound = boundOf(signature, plan, what.gpu);
        addBound(facts, bound, signature.operations, what);
        explainLimits(limited(kernel, plan, bound), what, facts);
    });
    return kernel.qualifiedName() + "  (" + text(kernel.place) + ")\n" + facts.take();
}

json::Value explainJSON(const KernelOfUnit& named, const ExplainFor& what) {
    const KernelSpec& kernel = *named.second;
    const std::vector<SignaturePlan> plans = plansOf(named);
    json::Array decided;
    const SignaturePlan* next = plans.data();
    forEachSignature(kernel, [&](const Signature& signature) {
        const SignaturePlan& plan = *next++;
        const Roofline bound = boundOf(signature, plan, what.gpu);
        json::Array times;
        for (const std::uint64_t elements : what.elements)
            times.push_back(
                json::Object{{"elements", elements}, {"seconds", bound.seconds() * static_cast<double>(elements)}});
        json::Object one{{"signature", signature.text},
                         {"kernel", plan.symbol},
                         {"bytes_read_per_element", plan.bytesRead},
                         {"bytes_written_per_element", plan.bytesWritten},
                         {"elements_per_thread", plan.cuda.width},
                         {"threads_per_block", plan.cuda.threads},
                         {"gpu", what.gpu.name},
                         {"bound", bound.memoryBound() ? "memory" : "arithmetic"},
                         {"arithmetic_limit", arithmeticText(bound)},
                         {"memory_seconds_per_element", bound.memorySeconds},
                         {"arithmetic_seconds_per_element", bound.arithmeticSeconds},
                         {"least_time", std::move(times)}};
        if (!what.shapes.empty()) one["limits"] = limitsJSON(limited(kernel, plan, bound), what);
        decided.push_back(std::move(one));
    });
    return json::Object{{"source", named.first->source}, {"spec", toJSON(kernel)}, {"decided", std::move(decided)}};
}

}  // namespace foldwise
