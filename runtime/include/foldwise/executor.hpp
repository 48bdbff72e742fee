// foldwise/executor.hpp: where a kernel runs, and where memory is.
#pragma once

#include <cstdint>

struct CUstream_st;  // what a cudaStream_t points to

namespace foldwise {

enum class memory : std::uint8_t { host, cuda };

/// The memory that an array or a view is in: the host's, or one GPU's.
struct place {
    memory kind = memory::host;
    int device = 0;  ///< CUDA's number of the GPU; 0 for the host.

    friend constexpr bool operator==(place, place) = default;
};

enum class backend : std::uint8_t { automatic, cpu, cuda, simulator };

/// Where to run. `{}` is automatic: where the operands are; operands on the host go to the GPU if there is one and the
/// kernel was generated for it, else to the CPU. FOLDWISE_EXECUTOR (cpu, cuda or simulator; read once) replaces that
/// default, and nothing replaces an executor that is given.
class executor {
  public:
    constexpr executor() = default;
    constexpr explicit executor(foldwise::backend backend, CUstream_st* stream = nullptr)
        : backend_(backend), stream_(stream) {}

    constexpr foldwise::backend backend() const { return backend_; }
    /// Null is CUDA's default stream. Not owned: it must outlive the arrays that were allocated on it.
    constexpr CUstream_st* stream() const { return stream_; }

    friend constexpr bool operator==(executor, executor) = default;

  private:
    foldwise::backend backend_ = backend::automatic;
    CUstream_st* stream_ = nullptr;
};

/// The calling thread and its OpenMP threads.
constexpr executor cpu() { return executor(backend::cpu); }

/// The current GPU; what only touches device memory is asynchronous on `stream`.
constexpr executor cuda(CUstream_st* stream = nullptr) { return executor(backend::cuda, stream); }

/// The CUDA kernels, run on the host under an execution model that finds races and bad accesses.
constexpr executor simulator() { return executor(backend::simulator); }

}  // namespace foldwise
