// foldwise/detail/buffer.hpp: owned memory without a type, on the host or on a GPU.
#pragma once

#include <foldwise/executor.hpp>

#include <cstddef>
#include <utility>

namespace foldwise::detail {

/// Where memory is to come from: whose it is, the stream that orders its allocation and release, and the resource.
struct memory_source {
    foldwise::place place;
    CUstream_st* stream = nullptr;  ///< Of a GPU's memory; null is CUDA's legacy default stream.
    foldwise::resource resource;    ///< Empty, or of another kind of memory: the process's default.
};

/// The memory of arrays that are made under this executor. Resolves the automatic one; throws device_error if it is a
/// GPU that is not there.
memory_source source_of(const executor& requested);

/// Uninitialised bytes, 64-byte aligned on the host and 256-byte aligned on a GPU, where they are allocated and freed
/// in the order of a stream, so that what is queued there before the destructor may still use them. Zero bytes have no
/// address. The current GPU is left as it is.
class buffer {
  public:
    /// None at all.
    buffer() = default;
    /// Throws out_of_memory, naming what was asked and what there is, or device_error.
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
    /// From now on it is freed in the order of this stream.
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
