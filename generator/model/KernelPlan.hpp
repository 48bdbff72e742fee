// generator/model/KernelPlan.hpp: what was decided for a kernel: names, sizes, shapes of launch. The one place for it.
#pragma once

#include "KernelSpec.hpp"

#include <string>
#include <vector>

namespace foldwise {

/// How a CUDA block works through contiguous elements.
struct ElementwisePlan {
    unsigned threads = 0;  ///< Per block.
    unsigned width = 0;    ///< Elements per thread, together: the fewest of the widest operand that fill 16-byte words.
    bool operator==(const ElementwisePlan&) const = default;
};

struct SignaturePlan {
    std::string symbol;               ///< Of the kernel: "rel_diff_float"; unique among the unit's.
    std::vector<std::string> inputs;  ///< Names that clash with nothing that the templates write.
    std::vector<std::string> outputs;
    unsigned bytesRead = 0;  ///< Per element, if every input is an array.
    unsigned bytesWritten = 0;
    ElementwisePlan cuda;
    bool operator==(const SignaturePlan&) const = default;
};

/// One plan for each signature, in their order.
std::vector<SignaturePlan> planKernel(const KernelSpec& kernel);

}  // namespace foldwise
