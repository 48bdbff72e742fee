// generator/emit/Explain.hpp: the report of --explain: what the generator has understood of a kernel and decided for
// it.
#pragma once

#include "../model/Gpu.hpp"
#include "../model/KernelNames.hpp"
#include "../model/Measured.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace foldwise {

/// A shape as --shape names it, "8192x8192", and its number of elements.
struct ExplainedShape {
    std::string text;
    std::uint64_t elements = 0;
};

/// What --explain is asked for: a GPU, and calls whose times it estimates.
struct ExplainFor {
    const Gpu& gpu;
    std::vector<std::uint64_t> elements;  ///< The numbers of elements of these calls.
    std::vector<ExplainedShape> shapes;   ///< The shapes whose limits are listed.
    std::optional<Measured> measured;     ///< Measured times to compare with the limits.
};

/// Explains a kernel in lines of at most 100 columns, unless one name is longer: the kernel, what it carries along, and
/// each signature with its operands, operations, plan and least time. The same input gives the same text.
std::string explain(const KernelOfUnit& kernel, const ExplainFor& what);

/// Explains a kernel as JSON: the kernel as --emit=spec has it, and the plan and bound of each signature.
llvm::json::Value explainJSON(const KernelOfUnit& kernel, const ExplainFor& what);

}  // namespace foldwise
