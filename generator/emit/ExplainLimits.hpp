// generator/emit/ExplainLimits.hpp: the lower bounds of the times of calls with given shapes, compared with measured
// times.
#pragma once

#include "../model/Roofline.hpp"
#include "Explain.hpp"
#include "Facts.hpp"

namespace foldwise {

/// Three significant digits and the unit that suits: "2.5 µs", "312 ps".
std::string timeText(double seconds);

/// What it is in arithmetic that takes longest: "float32 units", or "issue of instructions".
std::string arithmeticText(const Roofline& bound);

/// A signature whose limits are looked at.
struct LimitedSignature {
    const KernelSpec& kernel;
    Roofline bound;
    double bytesPerElement;
};

/// For each shape, the times that a call takes at least by each limit, longest first: the first one binds. Below it,
/// what calls of the kernel with as many elements took when they were measured, and the fraction of the limit.
void explainLimits(const LimitedSignature& signature, const ExplainFor& what, Facts& facts);

/// The limits of each shape, as explainLimits() lists them, as JSON: one object for each shape.
llvm::json::Array limitsJSON(const LimitedSignature& signature, const ExplainFor& what);

}  // namespace foldwise
