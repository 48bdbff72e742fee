// runtime/src/device.hpp: access to the GPUs, through the device_api that the program is linked with, if any.
#pragma once

#include <foldwise/detail/buffer.hpp>
#include <foldwise/detail/device_api.hpp>
#include <foldwise/detail/registered_device.hpp>

#include <string>

namespace foldwise::detail {

/// Replaces the registered device_api, possibly by null, and returns the previous one.
const device_api* exchange_device(const device_api* device) noexcept;

/// Returns whether there is a usable GPU.
bool gpu_present() noexcept;

/// Returns whether this process has used a GPU through the runtime, and still can.
bool gpu_used() noexcept;

/// Returns the registered device_api. Throws device_error, whose message begins with `context`, if there is no usable
/// GPU.
const device_api& require_gpu(const char* context);

/// Throws out_of_memory or device_error with CUDA's own text.
[[noreturn]] void throw_status(const device_api& gpu, int status, const std::string& during);

/// Throws what throw_status() does, unless the status is that of success.
inline void check_status(const device_api& gpu, int status, const char* during) {
    if (status != 0) throw_status(gpu, status, during);
}

/// Makes a GPU current for this thread during its lifetime and then restores the previous one. Free if there is only
/// one GPU. `context` begins the messages of errors. Throws device_error.
class current_gpu {
  public:
    current_gpu(const device_api& gpu, int device, const char* context);
    /// For releasing resources: throws nothing. If CUDA fails to tell which GPU is current, that one stays current.
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

/// Ensures that however a call ends, nothing queued on a stream accesses the host's memory afterwards.
class pending_work {
  public:
    pending_work(const device_api& gpu, CUstream_st* stream) : gpu_(gpu), stream_(stream) {}
    pending_work(const pending_work&) = delete;
    pending_work& operator=(const pending_work&) = delete;
    ~pending_work() {
        if (is_pending_) gpu_.synchronize(stream_);
    }

    /// Marks that there may be work to wait for from now on.
    void begin() { is_pending_ = true; }
    /// Marks that what there is accesses the host's memory no more, or memory that is kept for it in another way.
    void leave() { is_pending_ = false; }
    /// Waits for the stream and returns CUDA's status. CUDA may fail without having waited; the destructor then tries
    /// again.
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

/// Returns the GPU that an executor denotes: the one that it names, otherwise that of its stream, otherwise the current
/// one. Throws device_error if there is no such GPU or if the stream belongs to another one.
int device_of(const device_api& gpu, const executor& requested, const char* context);

/// Throws device_error if the stream belongs to another GPU.
void check_stream(const device_api& gpu, CUstream_st* stream, int device, const char* context);

/// Allocates GPU memory for a call that runs there. Throws out_of_memory whose message begins with `context`.
buffer gpu_memory(const char* context, std::size_t bytes, const executor& where);

/// Returns the resource for memory of this kind if `given` is requested; empty stands for the runtime's own allocator.
resource resource_for(memory kind, const resource& given);

/// Waits until the work queued on a GPU's stream is done. Throws device_error.
void wait_for_stream(const char* context, int device, CUstream_st* stream);

}  // namespace foldwise::detail
