// foldwise/executor.hpp: where a kernel runs, and where memory is.
#pragma once

#include <foldwise/resource.hpp>

#include <cstdint>
#include <utility>

struct CUstream_st;  // what a cudaStream_t points to

namespace foldwise {

/// The memory that an array or a view is in: the host's, or one GPU's.
struct place {
    memory kind = memory::host;
    int device = 0;  ///< CUDA's number of the GPU; 0 for the host.

    friend constexpr bool operator==(place, place) = default;
};

enum class backend : std::uint8_t { automatic, cpu, cuda, simulator };

/// Where to run, in the order of which stream, and with which memory. `{}` is automatic: where the operands are;
/// operands on the host go to the GPU if there is one and the kernel was generated for it, else to the CPU.
/// FOLDWISE_EXECUTOR (cpu, cuda or simulator; read once) replaces that default, and nothing replaces an executor that
/// is given.
///
/// A GPU's call runs on the GPU that its operands are on. Where none of them is on a GPU, it runs on the one that the
/// executor names, else on its stream's, else on the current one. The current GPU is left as it is.
class executor {
  public:
    static constexpr int any_device = -1;

    constexpr executor() = default;
    constexpr explicit executor(foldwise::backend backend, CUstream_st* stream = nullptr, int device = any_device,
                                foldwise::resource resource = {})
        : resource_(std::move(resource)), stream_(stream), device_(device), backend_(backend) {}

    constexpr foldwise::backend backend() const { return backend_; }
    /// Null is the default stream: the one for which the kernel's file was compiled, as nvcc's --default-stream has it.
    /// Not owned: it must outlive the arrays that were allocated on it.
    constexpr CUstream_st* stream() const { return stream_; }
    /// CUDA's number of the GPU that is asked for, or any_device.
    constexpr int device() const { return device_; }
    /// For results, arrays and temporary memory of its own kind; empty for the process's default.
    constexpr const foldwise::resource& resource() const { return resource_; }

    friend constexpr bool operator==(const executor&, const executor&) = default;

  private:
    foldwise::resource resource_;
    CUstream_st* stream_ = nullptr;
    int device_ = any_device;
    foldwise::backend backend_ = backend::automatic;
};

/// The calling thread and its OpenMP threads. New arrays come from `resource`.
constexpr executor cpu(resource resource = {}) {
    return executor(backend::cpu, nullptr, executor::any_device, std::move(resource));
}

/// A GPU: the operands', else the stream's, else the current one. What only touches device memory is asynchronous on
/// `stream`. New arrays and temporary memory come from `resource`.
constexpr executor cuda(CUstream_st* stream = nullptr, resource resource = {}) {
    return executor(backend::cuda, stream, executor::any_device, std::move(resource));
}

/// The GPU of this number, as CUDA counts them, whichever is current. `stream` is one of its streams. With operands in
/// another GPU's memory a call is a device_error.
constexpr executor cuda(int device, CUstream_st* stream = nullptr, resource resource = {}) {
    return executor(backend::cuda, stream, device, std::move(resource));
}

/// The same on that GPU's default stream.
constexpr executor cuda(int device, resource resource) {
    return executor(backend::cuda, nullptr, device, std::move(resource));
}

/// The CUDA kernels, run on the host under an execution model that finds races and bad accesses.
constexpr executor simulator() { return executor(backend::simulator); }

}  // namespace foldwise
