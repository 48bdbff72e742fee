// foldwise/executor.hpp: where a kernel runs, and where memory is.
#pragma once

#include <foldwise/detail/cxx20.hpp>
#if __cplusplus >= 202002L

#include <foldwise/resource.hpp>

#include <cstdint>
#include <utility>

struct CUstream_st;  // cudaStream_t is CUstream_st*

namespace foldwise {

/// The memory of an array or a view: the host's or that of one GPU.
struct place {
    memory kind = memory::host;
    int device = 0;  ///< CUDA's number of the GPU; 0 for the host.

    friend constexpr bool operator==(place, place) = default;
};

/// The implementation that runs a call; `automatic` stands for the default that executor describes.
enum class backend : std::uint8_t { automatic, cpu, cuda, simulator };

/// Selects where a call runs, the stream it is queued on, and the resource that its memory comes from. `{}` is
/// automatic: the call runs where its operands are, and if they are on the host, on the GPU if there is one and the
/// kernel was generated for it, otherwise on the CPU. The environment variable FOLDWISE_EXECUTOR (cpu, cuda or
/// simulator; read once) replaces this default; an explicit executor always takes precedence.
///
/// A call on a GPU runs on the one whose memory its operands are in. If no operand is in GPU memory, it runs on the GPU
/// that the executor names, otherwise on that of the stream, otherwise on the current one. The current GPU is left
/// unchanged.
class executor {
  public:
    static constexpr int any_device = -1;

    constexpr executor() = default;
    constexpr explicit executor(foldwise::backend backend, CUstream_st* stream = nullptr, int device = any_device,
                                foldwise::resource resource = {})
        : resource_(std::move(resource)), stream_(stream), device_(device), backend_(backend) {}

    constexpr foldwise::backend backend() const { return backend_; }
    /// Returns the stream, which is not owned and must outlive the arrays that were allocated on it. Null is the
    /// default stream of the kernel's file, legacy or per-thread according to nvcc's --default-stream.
    constexpr CUstream_st* stream() const { return stream_; }
    /// Returns CUDA's number of the requested GPU, or any_device.
    constexpr int device() const { return device_; }
    /// Returns the resource for results, arrays and temporary memory of its own kind; it is empty if the process's
    /// default applies.
    constexpr const foldwise::resource& resource() const { return resource_; }

    /// For the library: for a call that computes part of a larger one, whose indices along axis 0 begin at `row`.
    constexpr executor from_row(std::int64_t row) const {
        executor part = *this;
        part.first_row_ = row;
        return part;
    }
    constexpr std::int64_t first_row() const { return first_row_; }

    /// For the library: for a call that computes nothing and says which kernel it would run: `*kernel` becomes the
    /// address of its description.
    constexpr executor asking(const void** kernel) const {
        executor question = *this;
        question.asked_ = kernel;
        return question;
    }
    constexpr const void** asked() const { return asked_; }

    friend constexpr bool operator==(const executor&, const executor&) = default;

  private:
    foldwise::resource resource_;
    CUstream_st* stream_ = nullptr;
    std::int64_t first_row_ = 0;
    const void** asked_ = nullptr;
    int device_ = any_device;
    foldwise::backend backend_ = backend::automatic;
};

/// Runs calls where `{}` would, and if that is a GPU, on `stream`, which must belong to it. Library code that is given
/// a stream passes this on and leaves the choice of backend to its caller and to FOLDWISE_EXECUTOR. New arrays and
/// temporary memory are allocated from `resource`.
constexpr executor automatic(CUstream_st* stream, resource resource = {}) {
    return executor(backend::automatic, stream, executor::any_device, std::move(resource));
}

/// Runs calls on the calling thread and its OpenMP threads; they are complete on return. New arrays are allocated from
/// `resource`.
constexpr executor cpu(resource resource = {}) {
    return executor(backend::cpu, nullptr, executor::any_device, std::move(resource));
}

/// Runs calls on a GPU: the operands', otherwise the stream's, otherwise the current one. A call that only touches
/// device memory is asynchronous on `stream`. New arrays and temporary memory are allocated from `resource`.
constexpr executor cuda(CUstream_st* stream = nullptr, resource resource = {}) {
    return executor(backend::cuda, stream, executor::any_device, std::move(resource));
}

/// Runs calls on the GPU that CUDA numbers `device`, whichever GPU is current. `stream` must belong to that GPU. A call
/// with operands in another GPU's memory throws device_error.
constexpr executor cuda(int device, CUstream_st* stream = nullptr, resource resource = {}) {
    return executor(backend::cuda, stream, device, std::move(resource));
}

/// Runs calls on the GPU that CUDA numbers `device`, on its default stream. New arrays and temporary memory are
/// allocated from `resource`.
constexpr executor cuda(int device, resource resource) {
    return executor(backend::cuda, nullptr, device, std::move(resource));
}

/// Runs the CUDA kernels on the host under CUDA's execution model, which finds races and invalid accesses. Calls are
/// complete on return.
constexpr executor simulator() { return executor(backend::simulator); }

/// Returns the place where arrays are allocated that are created with this executor: by default GPU memory if the
/// program was built with CUDA and a GPU is present, otherwise host memory. Throws device_error if the executor names a
/// GPU that does not exist.
place place_of(const executor& executor = {});

/// Returns the number of GPUs that calls can run on: 0 if nothing in the program was built with the backend `cuda`, or
/// if CUDA finds no usable GPU. It creates no CUDA context.
int gpu_count() noexcept;

}  // namespace foldwise

#endif  // C++20
