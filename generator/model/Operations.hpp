// generator/model/Operations.hpp: the numbers of operations of a body, by class.
#pragma once

#include "Place.hpp"

#include <llvm/Support/JSON.h>

#include <cstdint>
#include <string>
#include <vector>

namespace foldwise {

/// Classes that GPUs have different rates for. 16-bit floats are computed with in float: what they cost is conversions.
enum class Operation {
#define FOLDWISE_OPERATION(name, ...) name,
#include "Operations.def"
};

/// "1 float32 addition", "2 float32 additions".
std::string textOf(Operation operation, std::uint64_t count);

struct OperationCount {
    Operation operation = Operation::Call;
    std::uint64_t count = 0;
    bool operator==(const OperationCount&) const = default;
};

enum class RepetitionKind {
    Loop,       ///< Its trips are not known: the operations of one.
    Recursion,  ///< Its depth is not known: the operations of one level are those of the enclosing body, nothing here.
};

struct Repetition;

/// The operations of a body and of all that it calls, as they are written: each branch counts, loops of a known number
/// of trips are multiplied, and each call counts the body that it calls. A compiler may find a shorter way.
struct Operations {
    std::vector<OperationCount> counts;  ///< Ordered, each class at most once and never zero of it.
    std::vector<Repetition> repeated;    ///< What runs a number of times that is not known. Each place once.

    bool operator==(const Operations&) const;
    bool empty() const { return counts.empty() && repeated.empty(); }
    std::uint64_t count(Operation operation) const;
    void add(Operation operation, std::uint64_t count = 1);
    void add(const Operations& other, std::uint64_t times = 1);
    void add(const Repetition& repetition, std::uint64_t times = 1);

    /// The counts with one trip of each loop.
    Operations withLoopsOnce() const;
};

struct Repetition {
    RepetitionKind kind = RepetitionKind::Loop;
    Place place;              ///< The place of the loop, or of the recursive function.
    std::uint64_t times = 1;  ///< How often it is entered.
    Operations each;          ///< The operations of one trip.
    bool operator==(const Repetition&) const = default;
};

llvm::json::Value toJSON(const Operations& operations);
bool fromJSON(const llvm::json::Value& value, Operations& operations, llvm::json::Path path);

}  // namespace foldwise
