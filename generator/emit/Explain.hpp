// generator/emit/Explain.hpp: what was understood of a kernel and what was decided, for people (--explain).
#pragma once

#include "../model/Gpu.hpp"
#include "../model/KernelNames.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace foldwise {

/// What times are given for.
struct ExplainFor {
    const Gpu& gpu;
    std::vector<std::uint64_t> elements;
};

/// Lines of at most 100 columns, unless one name is longer: the kernel, what it carries along, and each signature with
/// its operands, operations, plan and least time. The same input gives the same text.
std::string explain(const KernelOfUnit& kernel, const ExplainFor& what);

/// The same as JSON: the kernel as --emit=spec has it, and the plan and bound of each signature.
llvm::json::Value explainJSON(const KernelOfUnit& kernel, const ExplainFor& what);

}  // namespace foldwise
