// foldwise/detail/buffer.hpp: owned, untyped memory on the host or on a GPU.
#pragma once

#include <foldwise/executor.hpp>

#include <cstddef>
#include <utility>

namespace foldwise::detail {

/// Where memory is allocated: the place, the stream that orders allocation and release, and the resource.
struct memory_source {
    foldwise::place place;
    CUstream_st* stream = nullptr;  ///< The stream of GPU memory; null is CUDA's legacy default stream.
    foldwise::resource resource;    ///< The process's default applies if this is empty or of another kind of memory.
};

/// Returns the source of memory for arrays that are created with this executor, resolving the automatic one. Throws
/// device_error if it names a GPU that does not exist.
memory_source source_of(const executor& requested);

/// Uninitialised memory, 64-byte aligned on the host and 256-byte aligned on a GPU. GPU memory is allocated and freed
/// in stream order, so work that was queued before the destructor may still use it. Zero bytes have a null address. The
/// current GPU is left unchanged.
class buffer {
  public:
    /// Creates an empty buffer.
    buffer() = default;
    /// Allocates `bytes`. Throws out_of_memory, whose message says how much was requested and how much there is, or
    /// device_error.
    buffer(std::size_t bytes, const memory_source& source);
    buffer(buffer&& other) noexcept { swap(other); }
    buffer& operator=(buffer&& other) noexcept {
        swap(other);
        return *this;
    }
    ~buffer() {
        if (data_) release();
    }

    void* data() const { return data_; }
    std::size_t bytes() const { return bytes_; }
    foldwise::place place() const { return place_; }
    CUstream_st* stream() const { return stream_; }
    /// Makes the memory be freed in the order of this stream.
    void follow(CUstream_st* stream) { stream_ = stream; }

  private:
    void swap(buffer& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(bytes_, other.bytes_);
        std::swap(place_, other.place_);
        std::swap(stream_, other.stream_);
        std::swap(resource_, other.resource_);
    }
    void release() noexcept;

    void* data_ = nullptr;
    std::size_t bytes_ = 0;
    foldwise::place place_;
    CUstream_st* stream_ = nullptr;
    foldwise::resource resource_;
};

}  // namespace foldwise::detail
