// generator/model/Roofline.hpp: the least time that a GPU needs per element, by its memory and by its arithmetic.
//
// After S. Williams, A. Waterman and D. Patterson, "Roofline: an insightful visual performance model for multicore
// architectures", Communications of the ACM 52(4), 2009; with a ceiling for each pipe of a multiprocessor.
#pragma once

#include "Gpu.hpp"
#include "Operations.hpp"

#include <cstdint>
#include <vector>

namespace foldwise {

/// The instructions' results that operations take from each pipe, at least: an addition and a multiplication of one
/// type count as one fused instruction, as many as there are of both. Loops of unknown trips count once.
PerPipe pipeResults(const Operations& operations);

/// Whether an element takes so many results that a thread with several elements takes longer than their loads.
bool takesLong(const Operations& operations);

/// Whether compilers make branches of an operation, as of a division for numbers of which it takes longer; or whether
/// there are loops or calls.
bool mayBranch(const Operations& operations);

struct Roofline {
    double memorySeconds = 0;      ///< Per element: its bytes at the memory's bandwidth.
    double arithmeticSeconds = 0;  ///< Per element: of the pipe that takes longest, or of issuing the instructions.
    bool issueBound = false;       ///< Whether it is the issue of instructions that takes longest, not one pipe.
    Pipe pipe = Pipe::Float32;     ///< The pipe that takes longest.

    bool memoryBound() const { return memorySeconds >= arithmeticSeconds; }
    double seconds() const { return memoryBound() ? memorySeconds : arithmeticSeconds; }
};

/// For one element of `bytes`, read and written.
Roofline roofline(const Gpu& gpu, double bytes, const Operations& operations);

/// What a launch costs by itself, in seconds: calls back to back on an H200
/// (docs/performance/notes/vectorize-contiguous.md).
inline constexpr double launchSeconds = 2.5e-6;

/// What bounds a call from below.
enum class LimitKind {
    Memory,      ///< The bytes that it moves.
    Arithmetic,  ///< The instructions of the pipe that takes longest, or the issue of all instructions.
    Latency,     ///< A launch, however little there is to do.
};

struct Limit {
    LimitKind kind = LimitKind::Memory;
    double seconds = 0;
};

/// The limits of a call of so many elements, longest first: the first one binds. One that takes no time is left out.
std::vector<Limit> limitsOf(const Roofline& bound, std::uint64_t elements);

/// What atomic updates take if each of so many tasks updates the same element once: one a clock, as NVIDIA's whitepaper
/// on Kepler GK110 says of "a common global memory address". Tasks that update different elements take less.
double atomicSeconds(const Gpu& gpu, std::uint64_t tasks);

}  // namespace foldwise
