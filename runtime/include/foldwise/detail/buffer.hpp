// foldwise/detail/buffer.hpp: owned memory without a type, on the host or on a GPU.
#pragma once

#include <foldwise/executor.hpp>

#include <cstddef>
#include <utility>

namespace foldwise::detail {

/// Uninitialised bytes, 64-byte aligned on the host. On a GPU they are allocated and freed in the order of `stream`, so
/// that what is queued there before the destructor may still use them. Zero bytes have no address.
class buffer {
  public:
    /// Throws out_of_memory, naming what was asked and what there is. `stream` is for memory of a GPU.
    buffer(std::size_t bytes, memory kind, CUstream_st* stream);
    buffer(buffer&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)), place_(other.place_),
          stream_(other.stream_) {}
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
    }
    void release() noexcept;

    void* data_ = nullptr;
    std::size_t bytes_;
    foldwise::place place_;
    CUstream_st* stream_;
};

/// Where arrays made under this executor live: resolves the automatic one, and throws device_error if it is a GPU and
/// there is none.
memory memory_of(executor requested);

}  // namespace foldwise::detail
