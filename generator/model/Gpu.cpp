// generator/model/Gpu.cpp: looks up GPUs in Gpus.def.
#include "Gpu.hpp"

#include <llvm/ADT/STLExtras.h>

namespace foldwise {

static constexpr Gpu gpus[] = {
#define FOLDWISE_GPU(name, title, gigabytes, multiprocessors, megahertz, ...)                                          \
    {name, title, gigabytes * 1e9, multiprocessors, megahertz * 1e6, {__VA_ARGS__}},
#include "Gpus.def"
#undef FOLDWISE_GPU
};

static constexpr llvm::StringLiteral pipeTexts[] = {
#define FOLDWISE_PIPE(name, text) text,
#include "Operations.def"
};

double Gpu::resultsPerSecond(Pipe pipe) const {
    return resultsPerCycle[static_cast<std::size_t>(pipe)] * multiprocessors * cyclesPerSecond;
}

llvm::StringRef textOf(Pipe pipe) { return pipeTexts[static_cast<std::size_t>(pipe)]; }

const Gpu* findGpu(llvm::StringRef name) {
    const auto* found = llvm::find_if(gpus, [&](const Gpu& gpu) { return gpu.name.equals_insensitive(name); });
    return found == std::end(gpus) ? nullptr : found;
}

llvm::ArrayRef<Gpu> allGpus() { return gpus; }

}  // namespace foldwise
