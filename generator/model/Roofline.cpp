// generator/model/Roofline.cpp: adds up the cost of the operations of an element for each pipe, by Operations.def.
#include "Roofline.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

namespace foldwise {

/// By Operation: the results that one operation takes from each pipe.
static constexpr PerPipe costs[] = {
#define FOLDWISE_OPERATION(name, key, one, many, ...) {__VA_ARGS__},
#include "Operations.def"
};

/// The results that a multiprocessor can issue per clock, whatever their pipes: it has four schedulers, each of which
/// issues one instruction per clock for the 32 lanes of a warp.
static constexpr double issuedPerCycle = 128;

PerPipe pipeResults(const Operations& operations) {
    const Operations flat = operations.withLoopsOnce();
    PerPipe results{};
    for (const OperationCount& c : flat.counts)
        for (std::size_t pipe = 0; pipe < pipeCount; ++pipe)
            results[pipe] += costs[static_cast<std::size_t>(c.operation)][pipe] * static_cast<double>(c.count);
    // Pairs of an addition and a multiplication are counted as one instruction each, of the pipe that both take.
    const auto fuse = [&](Operation add, Operation multiply, Pipe pipe) {
        results[static_cast<std::size_t>(pipe)] -= static_cast<double>(std::min(flat.count(add), flat.count(multiply)));
    };
    fuse(Operation::Float32Add, Operation::Float32Multiply, Pipe::Float32);
    fuse(Operation::Float64Add, Operation::Float64Multiply, Pipe::Float64);
    return results;
}

bool takesLong(const Operations& operations) {
    // About two functions: docs/performance/notes/vectorize-contiguous.md, *Few elements*.
    constexpr double fewResults = 16;
    const PerPipe results = pipeResults(operations);
    return !operations.repeated.empty() || std::accumulate(results.begin(), results.end(), 0.0) >= fewResults;
}

bool mayBranch(const Operations& operations) {
    using enum Operation;
    constexpr Operation branching[] = {Float32Divide,   Float32Root, Float32Function, Float64Divide, Float64Root,
                                       Float64Function, Call};
    return !operations.repeated.empty() ||
           std::ranges::any_of(branching, [&](Operation one) { return operations.count(one) > 0; });
}

Roofline roofline(const Gpu& gpu, double bytes, const Operations& operations) {
    const PerPipe results = pipeResults(operations);
    Roofline found;
    found.memorySeconds = bytes / gpu.bytesPerSecond;
    for (std::size_t pipe = 0; pipe < pipeCount; ++pipe) {
        const double seconds = results[pipe] / gpu.resultsPerSecond(static_cast<Pipe>(pipe));
        if (seconds <= found.arithmeticSeconds) continue;
        found.arithmeticSeconds = seconds;
        found.pipe = static_cast<Pipe>(pipe);
    }
    const double issued = std::accumulate(results.begin(), results.end(), 0.0);
    const double issueSeconds = issued / (issuedPerCycle * gpu.multiprocessors * gpu.cyclesPerSecond);
    if (issueSeconds > found.arithmeticSeconds) {
        found.arithmeticSeconds = issueSeconds;
        found.issueBound = true;
    }
    return found;
}

std::vector<Limit> limitsOf(const Roofline& bound, std::uint64_t elements) {
    const auto all = static_cast<double>(elements);
    std::vector<Limit> limits = {{LimitKind::Memory, bound.memorySeconds * all},
                                 {LimitKind::Arithmetic, bound.arithmeticSeconds * all},
                                 {LimitKind::Latency, launchSeconds}};
    std::erase_if(limits, [](const Limit& limit) { return limit.seconds == 0; });
    std::ranges::stable_sort(limits, std::ranges::greater(), &Limit::seconds);
    return limits;
}

double atomicSeconds(const Gpu& gpu, std::uint64_t tasks) { return static_cast<double>(tasks) / gpu.cyclesPerSecond; }

}  // namespace foldwise
