// generator/model/Measured.hpp: results of benchmarks, which --explain compares with limits.
#pragma once

#include "Gpu.hpp"

#include <llvm/Support/Error.h>

#include <cstdint>
#include <string>
#include <vector>

namespace foldwise {

/// The time that a kernel of Foldwise's took for one workload.
struct MeasuredCall {
    std::string kernel;          ///< The kernel's name without its namespaces.
    std::string type;            ///< What the benchmark calls the elements' type: "float".
    std::uint64_t elements = 0;  ///< The number of elements or tasks.
    double bytes = 0;            ///< The bytes that the call reads and writes, at least.
    double seconds = 0;          ///< The time on the GPU.
};

/// What a result file of the benchmarks (bench/README.md) says of Foldwise's kernels.
struct Measured {
    std::string gpu;  ///< As nvidia-smi names it: "NVIDIA H200".
    std::vector<MeasuredCall> calls;

    /// Whether it was measured on such a GPU, going by the model in the name, such as H200.
    bool isOf(const Gpu& model) const;

    /// The calls of a kernel of this name with so many elements, and with so many bytes for each within one percent,
    /// which tells a kernel's signatures apart.
    std::vector<MeasuredCall> find(llvm::StringRef kernel, std::uint64_t elements, double bytesPerElement) const;
};

/// Reads a result file of a GPU's benchmarks. The error says what is missing in it.
llvm::Expected<Measured> parseMeasured(llvm::StringRef json);

}  // namespace foldwise
