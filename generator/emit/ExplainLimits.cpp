// generator/emit/ExplainLimits.cpp: writes the limits of calls side by side, with measured times below them.
#include "ExplainLimits.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/Format.h>
#include <llvm/Support/raw_ostream.h>

namespace foldwise {

namespace json = llvm::json;

namespace {

struct Unit {
    double size;
    llvm::StringLiteral name;
};

/// Three significant digits, in the largest of the units that is not too large, or in the last.
std::string textIn(llvm::ArrayRef<Unit> units, double value) {
    const Unit* unit = units.begin();
    while (unit + 1 != units.end() && value < unit->size * 0.9995) ++unit;
    std::string out;
    llvm::raw_string_ostream(out) << llvm::format("%.3g ", value / unit->size) << unit->name;
    return out;
}

}  // namespace

std::string timeText(double seconds) {
    static constexpr Unit units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}, {1e-9, "ns"}, {1e-12, "ps"}};
    return textIn(units, seconds);
}

std::string arithmeticText(const Roofline& bound) {
    return bound.issueBound ? "issue of instructions" : textOf(bound.pipe).str();
}

namespace {

constexpr Unit byteUnits[] = {{1e12, "TB"}, {1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}, {1, "bytes"}};

std::string text(LimitKind kind, const LimitedSignature& signature, std::uint64_t elements) {
    switch (kind) {
    case LimitKind::Memory:
        return "memory: " + textIn(byteUnits, signature.bytesPerElement * static_cast<double>(elements));
    case LimitKind::Arithmetic:
        return "arithmetic: " + arithmeticText(signature.bound);
    case LimitKind::Latency:
        return "latency: a launch";
    }
    llvm_unreachable("every limit has a text");
}

llvm::StringRef keyOf(LimitKind kind) {
    switch (kind) {
    case LimitKind::Memory:
        return "memory";
    case LimitKind::Arithmetic:
        return "arithmetic";
    case LimitKind::Latency:
        return "latency";
    }
    llvm_unreachable("every limit has a key");
}

bool hasAtomics(const KernelSpec& kernel) {
    return llvm::any_of(kernel.library, [](const LibraryUse& use) { return use.name == "std::atomic_ref"; });
}

std::vector<MeasuredCall> measuredCalls(const LimitedSignature& signature, const ExplainFor& what,
                                        std::uint64_t elements) {
    if (!what.measured) return {};
    return what.measured->find(signature.kernel.name, elements, signature.bytesPerElement);
}

std::string fractionText(double fraction) {
    std::string out;
    llvm::raw_string_ostream(out) << llvm::format("%.3g", fraction);
    return out;
}

}  // namespace

void explainLimits(const LimitedSignature& signature, const ExplainFor& what, Facts& facts) {
    std::vector<std::vector<std::string>> rows, measured;
    for (const ExplainedShape& shape : what.shapes) {
        const std::vector<Limit> limits = limitsOf(signature.bound, shape.elements);
        for (const Limit& limit : limits)
            rows.push_back({shape.text, timeText(limit.seconds), text(limit.kind, signature, shape.elements)});
        if (hasAtomics(signature.kernel))
            rows.push_back({shape.text, timeText(atomicSeconds(what.gpu, shape.elements)),
                            "atomics, if each task updates the same element once"});
        if (!what.measured) continue;
        const std::vector<MeasuredCall> calls = measuredCalls(signature, what, shape.elements);
        if (calls.empty()) measured.push_back({shape.text, "–", "no call of this kernel and size"});
        for (const MeasuredCall& call : calls)
            measured.push_back({shape.text, timeText(call.seconds),
                                fractionText(limits.front().seconds / call.seconds) + " of the limit, " + call.type});
    }
    facts.facts("limits", aligned(rows));
    facts.facts("measured", aligned(measured));
}

json::Array limitsJSON(const LimitedSignature& signature, const ExplainFor& what) {
    json::Array all;
    for (const ExplainedShape& shape : what.shapes) {
        const std::vector<Limit> limits = limitsOf(signature.bound, shape.elements);
        json::Object one{{"shape", shape.text}, {"elements", shape.elements}, {"limit", keyOf(limits.front().kind)}};
        for (const Limit& limit : limits) one[(keyOf(limit.kind) + "_seconds").str()] = limit.seconds;
        if (hasAtomics(signature.kernel)) one["atomics_seconds_at_most"] = atomicSeconds(what.gpu, shape.elements);
        json::Array measured;
        for (const MeasuredCall& call : measuredCalls(signature, what, shape.elements))
            measured.push_back(json::Object{
                {"type", call.type}, {"seconds", call.seconds}, {"fraction", limits.front().seconds / call.seconds}});
        if (what.measured) one["measured"] = std::move(measured);
        all.push_back(std::move(one));
    }
    return all;
}

}  // namespace foldwise
