// generator/model/Operations.cpp: adds operations. Sums saturate, since nested loops soon pass 2^64.
#include "Operations.hpp"

#include "SpecJson.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/MathExtras.h>

namespace foldwise {

namespace json = llvm::json;

template <> struct spec_json::Names<Operation> {
    static constexpr llvm::StringLiteral expected = "expected a class of operations, such as float32_add";
    static constexpr std::pair<Operation, llvm::StringLiteral> all[] = {
#define FOLDWISE_OPERATION(name, key, ...) {Operation::name, key},
#include "Operations.def"
    };
};

template <> struct spec_json::Names<RepetitionKind> {
    static constexpr llvm::StringLiteral expected = "expected loop or recursion";
    static constexpr std::pair<RepetitionKind, llvm::StringLiteral> all[] = {{RepetitionKind::Loop, "loop"},
                                                                             {RepetitionKind::Recursion, "recursion"}};
};

template <> struct spec_json::Fields<OperationCount> {
    static bool each(auto& counted, auto&& visit) {
        return visit("operation", counted.operation) && visit("count", counted.count);
    }
};

template <> struct spec_json::Fields<Operations> {
    static bool each(auto& operations, auto&& visit) {
        return visit("counts", operations.counts) && visit("repeated", operations.repeated);
    }
};

template <> struct spec_json::Fields<Repetition> {
    static bool each(auto& repetition, auto&& visit) {
        return visit("kind", repetition.kind) && visit("place", repetition.place) && visit("times", repetition.times) &&
               visit("each", repetition.each);
    }
};

std::string textOf(Operation operation, std::uint64_t count) {
    struct Row {
        llvm::StringLiteral one, many;
    };
    static constexpr Row rows[] = {
#define FOLDWISE_OPERATION(name, key, one, many, ...) {one, many},
#include "Operations.def"
    };
    const Row& row = rows[static_cast<std::size_t>(operation)];
    return std::to_string(count) + " " + (count == 1 ? row.one : row.many).str();
}

bool Operations::operator==(const Operations& other) const {
    return counts == other.counts && repeated == other.repeated;
}

std::uint64_t Operations::count(Operation operation) const {
    for (const OperationCount& found : counts)
        if (found.operation == operation) return found.count;
    return 0;
}

void Operations::add(Operation operation, std::uint64_t count) {
    if (count == 0) return;
    auto at = llvm::find_if(counts, [&](const OperationCount& c) { return c.operation >= operation; });
    if (at == counts.end() || at->operation != operation) at = counts.insert(at, {operation, 0});
    at->count = llvm::SaturatingAdd(at->count, count);
}

void Operations::add(const Repetition& repetition, std::uint64_t times) {
    const std::uint64_t entered = llvm::SaturatingMultiply(repetition.times, times);
    for (Repetition& known : repeated) {
        if (known.kind != repetition.kind || known.place != repetition.place || known.each != repetition.each) continue;
        known.times = llvm::SaturatingAdd(known.times, entered);
        return;
    }
    repeated.push_back(repetition);
    repeated.back().times = entered;
}

void Operations::add(const Operations& other, std::uint64_t times) {
    if (times == 0) return;
    for (const OperationCount& c : other.counts) add(c.operation, llvm::SaturatingMultiply(c.count, times));
    for (const Repetition& repetition : other.repeated) add(repetition, times);
}

Operations Operations::withLoopsOnce() const {
    Operations flat;
    for (const OperationCount& c : counts) flat.add(c.operation, c.count);
    for (const Repetition& repetition : repeated) flat.add(repetition.each.withLoopsOnce(), repetition.times);
    return flat;
}

json::Value toJSON(const Operations& operations) { return spec_json::writeFields(operations); }
bool fromJSON(const json::Value& value, Operations& operations, json::Path path) {
    return spec_json::readFields(value, operations, path);
}

}  // namespace foldwise
