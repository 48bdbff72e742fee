// generator/model/Gpu.hpp: the peak rates of GPUs.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>

#include <array>
#include <cstddef>

namespace foldwise {

/// The units of a multiprocessor that have rates of their own, and work side by side.
enum class Pipe {
#define FOLDWISE_PIPE(name, ...) name,
#include "Operations.def"
};

inline constexpr std::size_t pipeCount = 0
#define FOLDWISE_PIPE(...) +1
#include "Operations.def"
    ;

/// What an operation takes from each pipe, or what a multiprocessor's pipes deliver per clock.
using PerPipe = std::array<double, pipeCount>;

struct Gpu {
    llvm::StringRef name;     ///< As --gpu has it: "h200".
    llvm::StringRef title;    ///< "NVIDIA H200".
    double bytesPerSecond;    ///< The bandwidth of its memory in the datasheet; a copy reaches nine tenths.
    double multiprocessors;   ///< The number of multiprocessors.
    double cyclesPerSecond;   ///< The boost clock.
    PerPipe resultsPerCycle;  ///< The throughput of one multiprocessor.

    /// The throughput of all multiprocessors.
    double resultsPerSecond(Pipe pipe) const;
};

/// "float32 units".
llvm::StringRef textOf(Pipe pipe);

/// The GPU of this name, in any case; null if the table has none.
const Gpu* findGpu(llvm::StringRef name);

/// All, in the order of the table.
llvm::ArrayRef<Gpu> allGpus();

}  // namespace foldwise
