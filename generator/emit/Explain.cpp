// generator/emit/Explain.cpp: a table of facts. Each fact is a label and lines; a pattern adds its own.
#include "Explain.hpp"

#include "../model/Instances.hpp"
#include "../model/KernelPlan.hpp"
#include "../model/Roofline.hpp"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/Format.h>
#include <llvm/Support/Unicode.h>
#include <llvm/Support/raw_ostream.h>

namespace foldwise {

namespace json = llvm::json;

namespace {

constexpr std::size_t columns = 100, indent = 2, labelWidth = 14;

/// Text in two columns: labels, and what they label.
class Facts {
  public:
    void heading(llvm::StringRef text) { text_ += std::string(indent, ' ') + text.str() + "\n"; }
    void gap() { text_ += "\n"; }

    /// Wraps at blanks; further lines stand below the first, `hanging` columns further in.
    void fact(llvm::StringRef label, llvm::StringRef value, std::size_t hanging = 0) {
        const std::size_t begin = 2 * indent + labelWidth;
        std::string line = std::string(2 * indent, ' ') + label.str();
        line.resize(std::max(begin, line.size() + 1), ' ');
        bool isEmpty = true;
        const auto flush = [&] {
            text_ += llvm::StringRef(line).rtrim().str() + "\n";
            line.assign(begin + hanging, ' ');
            isEmpty = true;
        };
        // Blanks in a row align a value's own columns: they stay.
        for (std::size_t at = 0; at < value.size();) {
            const std::size_t end = value.find(' ', value.find_first_not_of(' ', at));
            const llvm::StringRef word = value.slice(at, end);
            if (!isEmpty && line.size() + word.size() > columns) flush();
            line += isEmpty ? word.ltrim() : word;
            isEmpty = false;
            at = std::min(end, value.size());
        }
        flush();
    }
    /// The label stands before the first value alone.
    void facts(llvm::StringRef label, const std::vector<std::string>& values) {
        for (std::size_t i = 0; i < values.size(); ++i) fact(i == 0 ? label : "", values[i]);
    }
    std::string take() { return std::move(text_); }

  private:
    std::string text_;
};

std::size_t widthOf(llvm::StringRef cell) {
    return static_cast<std::size_t>(llvm::sys::unicode::columnWidthUTF8(cell));
}

/// Rows with their cells below each other.
std::vector<std::string> aligned(const std::vector<std::vector<std::string>>& rows) {
    std::vector<std::size_t> widths;
    for (const auto& row : rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], widthOf(row[i]));
    }
    std::vector<std::string> lines;
    for (const auto& row : rows) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i)
            line += row[i] + std::string(i + 1 < row.size() ? widths[i] - widthOf(row[i]) + 2 : 0, ' ');
        lines.push_back(std::move(line));
    }
    return lines;
}

std::string text(const Place& place) { return place.file + ":" + std::to_string(place.line); }

/// Three significant digits and the unit that suits: "2.5 µs", "312 ps".
std::string timeText(double seconds) {
    struct Unit {
        double size;
        llvm::StringLiteral name;
    };
    static constexpr Unit units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}, {1e-9, "ns"}, {1e-12, "ps"}};
    const Unit* unit = std::begin(units);
    while (unit + 1 != std::end(units) && seconds < unit->size * 0.9995) ++unit;
    std::string out;
    llvm::raw_string_ostream(out) << llvm::format("%.3g ", seconds / unit->size) << unit->name;
    return out;
}

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

std::vector<std::string> operandLines(const std::vector<Operand>& operands) {
    std::vector<std::vector<std::string>> rows;
    for (const Operand& operand : operands) {
        const std::uint32_t size = operand.type.size;
        rows.push_back({operand.name, operand.type.name, std::to_string(size) + (size == 1 ? " byte" : " bytes")});
    }
    return aligned(rows);
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
std::vector<std::string> instanceLines(const KernelSpec& kernel, const Signature& signature) {
    std::vector<std::vector<std::string>> rows;
    for (const Instance& instance : instancesOf(kernel.pattern, signature))
        if (instance.exists) rows.push_back({instance.name.str(), instance.description.str()});
    return aligned(rows);
}

void addPlan(Facts& facts, const KernelSpec& kernel, const Signature& signature, const SignaturePlan& plan) {
    const ElementwisePlan& cuda = plan.cuda;
    if (kernel.pattern == Pattern::Forall) {
        facts.fact("CUDA kernel", plan.symbol);
        facts.fact("per thread", "1 task");
        facts.fact("per block", std::to_string(cuda.threads) + " threads, for tasks that are neighbours" +
                                    (signature.indexRank > 1 ? ": up to 32 along the last axis" : ""));
        return facts.facts("instances", instanceLines(kernel, signature));
    }
    const std::string accesses =
        std::to_string(cuda.word) + (signature.fold ? "-byte loads" : "-byte loads and stores");
    const std::string tile = std::to_string(cuda.threads * cuda.width);
    facts.fact("CUDA kernel", plan.symbol);
    facts.fact("per thread", std::to_string(cuda.width) + (cuda.width == 1 ? " element" : " elements") +
                                 ": so many of the widest operand fill " + accesses);
    facts.fact("per block",
               std::to_string(cuda.threads) + " threads" +
                   (signature.fold ? ", fewer for some rows: up to three blocks share a multiprocessor"
                                   : ", " + tile + " elements: 128 to 512 threads were measured to be alike"));
    facts.facts("instances", instanceLines(kernel, signature));
}

/// Whether a host's view has to be copied to the GPU before the tasks run.
std::string coverText(const TaskParameter& parameter) {
    if (parameter.follows.empty()) return "";
    std::string axes;
    llvm::ListSeparator comma;
    for (const std::uint32_t axis : parameter.follows) axes += llvm::StringRef(comma).str() + std::to_string(axis);
    return "every element, if its extents are the tasks' along axes (" + axes + ")";
}

void addParameters(Facts& facts, const Signature& signature, const SignaturePlan& plan) {
    facts.fact("index", "foldwise::index<" + std::to_string(signature.indexRank) + ">, the task's");
    const auto add = [&](llvm::StringRef label, bool isView, Access access) {
        std::vector<std::vector<std::string>> rows;
        for (const TaskParameter& parameter : signature.parameters)
            if (isView == (parameter.rank > 0) && (!isView || parameter.access == access))
                rows.push_back({parameter.name, typeText(parameter), coverText(parameter)});
        if (!rows.empty()) facts.facts(label, aligned(rows));
    };
    add("reads", true, Access::Read);
    add("writes", true, Access::Write);
    add("reads, writes", true, Access::ReadWrite);
    add("asks extents", true, Access::None);
    add("values", false, Access::Read);
    facts.fact("bytes", std::to_string(plan.bytesRead) + " read and " + std::to_string(plan.bytesWritten) +
                            " written per task, if it touches one element of each view");
}

void addOperands(Facts& facts, const Signature& signature, const SignaturePlan& plan) {
    if (signature.indexRank > 0)
        facts.fact("index", "foldwise::index<" + std::to_string(signature.indexRank) + ">, the element's place");
    facts.facts("reads", operandLines(signature.inputs));
    if (signature.fold) {
        const ElementType& accumulator = signature.fold->accumulator;
        facts.facts("makes", operandLines(signature.outputs));
        facts.fact("accumulates", "in " + accumulator.name + ", elements in " +
                                      (signature.fold->commutes ? "any order" : "their order"));
    } else {
        facts.facts("writes", operandLines(signature.outputs));
    }
    const std::string written = signature.fold ? "" : " and " + std::to_string(plan.bytesWritten) + " written";
    facts.fact("bytes",
               std::to_string(plan.bytesRead) + " read" + written + " per element, if all operands are arrays");
}

std::string limitText(const Roofline& bound) {
    return bound.issueBound ? "issue of instructions" : textOf(bound.pipe).str();
}

void addBound(Facts& facts, const Roofline& bound, const Operations& operations, const ExplainFor& what) {
    const std::string memory = timeText(bound.memorySeconds), units = " (" + limitText(bound) + ")";
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

}  // namespace

static llvm::StringRef patternText(Pattern pattern) {
    switch (pattern) {
    case Pattern::Vectorize:
        return "vectorize: the lambda for each element, operands broadcast";
    case Pattern::Reduce:
        return "reduce: all elements folded into one value";
    case Pattern::Forall:
        return "forall: the lambda for each index, as a task of its own";
    }
    llvm_unreachable("every pattern has a text");
}

/// The plans of one kernel, made with those of its unit, whose names they share.
static std::vector<SignaturePlan> plansOf(const KernelOfUnit& named) {
    return planUnit(*named.first)[static_cast<std::size_t>(named.second - named.first->kernels.data())];
}

std::string explain(const KernelOfUnit& named, const ExplainFor& what) {
    const KernelSpec& kernel = *named.second;
    const std::vector<SignaturePlan> plans = plansOf(named);
    Facts facts;
    facts.fact("pattern", patternText(kernel.pattern));
    addReached(facts, kernel);
    for (std::size_t i = 0; i < plans.size(); ++i) {
        const Signature& signature = kernel.signatures[i];
        const SignaturePlan& plan = plans[i];
        facts.gap();
        facts.heading(signature.text);
        if (kernel.pattern == Pattern::Forall)
            addParameters(facts, signature, plan);
        else
            addOperands(facts, signature, plan);
        addOperations(facts, signature.operations);
        addPlan(facts, kernel, signature, plan);
        addBound(facts, boundOf(signature, plan, what.gpu), signature.operations, what);
    }
    return kernel.qualifiedName() + "  (" + text(kernel.place) + ")\n" + facts.take();
}

json::Value explainJSON(const KernelOfUnit& named, const ExplainFor& what) {
    const KernelSpec& kernel = *named.second;
    const std::vector<SignaturePlan> plans = plansOf(named);
    json::Array decided;
    for (std::size_t i = 0; i < plans.size(); ++i) {
        const SignaturePlan& plan = plans[i];
        const Roofline bound = boundOf(kernel.signatures[i], plan, what.gpu);
        json::Array times;
        for (const std::uint64_t elements : what.elements)
            times.push_back(
                json::Object{{"elements", elements}, {"seconds", bound.seconds() * static_cast<double>(elements)}});
        decided.push_back(json::Object{{"signature", kernel.signatures[i].text},
                                       {"kernel", plan.symbol},
                                       {"bytes_read_per_element", plan.bytesRead},
                                       {"bytes_written_per_element", plan.bytesWritten},
                                       {"elements_per_thread", plan.cuda.width},
                                       {"threads_per_block", plan.cuda.threads},
                                       {"gpu", what.gpu.name},
                                       {"bound", bound.memoryBound() ? "memory" : "arithmetic"},
                                       {"arithmetic_limit", limitText(bound)},
                                       {"memory_seconds_per_element", bound.memorySeconds},
                                       {"arithmetic_seconds_per_element", bound.arithmeticSeconds},
                                       {"least_time", std::move(times)}});
    }
    return json::Object{{"source", named.first->source}, {"spec", toJSON(kernel)}, {"decided", std::move(decided)}};
}

}  // namespace foldwise
