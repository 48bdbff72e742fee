// generator/emit/Explain.hpp: what was understood of a kernel and what was decided, for people (--explain).
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

/// What times are given for.
struct ExplainFor {
    const Gpu& gpu;
    std::vector<std::uint64_t> elements;
    std::vector<ExplainedShape> shapes;  ///< Those whose limits are listed.
    std::optional<Measured> measured;    ///< What is compared with the limits, if anything is.
};

/// Lines of at most 100 columns, unless one name is longer: the kernel, what it carries along, and each signature with
/// its operands, operations, plan and least time. The same input gives the same text.
std::string explain(const KernelOfUnit& kernel, const ExplainFor& what);

/// The same as JSON: the kernel as --emit=spec has it, and the plan and bound of each signature.
llvm::json::Value explainJSON(const KernelOfUnit& kernel, const ExplainFor& what);

}  // namespace foldwise
