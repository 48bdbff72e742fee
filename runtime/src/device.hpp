// runtime/src/device.hpp: the GPU that the program was linked with, if any.
#pragma once

#include <foldwise/detail/buffer.hpp>
#include <foldwise/detail/device_api.hpp>

#include <string>

namespace foldwise::detail {

/// What was given to use(); null in a program without CUDA.
const device_api* registered_device() noexcept;

/// Replaces it, null included, and returns what was there.
const device_api* exchange_device(const device_api* device) noexcept;

bool gpu_present() noexcept;

/// The registered GPU, or a device_error that begins with `context` and says why there is none.
const device_api& require_gpu(const char* context);

/// Throws out_of_memory or device_error with CUDA's own text.
[[noreturn]] void throw_status(const device_api& gpu, int status, const std::string& during);

/// Makes a GPU current for this thread while it lives, and then the one that was current before. Costs nothing where
/// there is one GPU. `context` begins the messages of errors. Throws device_error.
class current_gpu {
  public:
    current_gpu(const device_api& gpu, int device, const char* context);
    /// For what is given back: throws nothing. Should CUDA not say which GPU is current, the other one stays so.
    current_gpu(const device_api& gpu, int device) noexcept;
    current_gpu(const current_gpu&) = delete;
    current_gpu& operator=(const current_gpu&) = delete;
    ~current_gpu() {
        if (before_ != unchanged) gpu_.set_device(before_);
    }

  private:
    static constexpr int unchanged = -1;

    const device_api& gpu_;
    int before_ = unchanged;
};

/// Where nothing that is queued on a stream may touch the host's memory any more when a call ends, however it ends.
class pending_work {
  public:
    pending_work(const device_api& gpu, CUstream_st* stream) : gpu_(gpu), stream_(stream) {}
    pending_work(const pending_work&) = delete;
    pending_work& operator=(const pending_work&) = delete;
    ~pending_work() {
        if (is_pending_) gpu_.synchronize(stream_);
    }

    /// From now on there may be something to wait for.
    void begin() { is_pending_ = true; }
    /// Waits. CUDA may refuse to without having waited: then the destructor tries again.
    int finish() {
        const int status = gpu_.synchronize(stream_);
        if (status == 0) is_pending_ = false;
        return status;
    }

  private:
    const device_api& gpu_;
    CUstream_st* stream_;
    bool is_pending_ = false;
};

/// The GPU that an executor means: the one that it names, else its stream's, else the current one. Throws device_error
/// if there is no such GPU, or the stream is another's.
int device_of(const device_api& gpu, const executor& requested, const char* context);

/// Throws device_error if the stream belongs to another GPU.
void check_stream(const device_api& gpu, CUstream_st* stream, int device, const char* context);

/// Memory of a GPU for a call that works there. Throws out_of_memory that begins with `context`.
buffer gpu_memory(const char* context, std::size_t bytes, const executor& where);

/// The resource to use for memory of a kind when `given` is asked for; null is the runtime's own allocator.
resource resource_for(memory kind, const resource& given);

/// Waits until what is queued on a GPU's stream is done. Throws device_error.
void wait_for_stream(const char* context, int device, CUstream_st* stream);

}  // namespace foldwise::detail
