// runtime/src/device.cpp: keeps the device_api that generated files register, and turns its statuses into errors.
#include "device.hpp"

#include <foldwise/error.hpp>

#include <pthread.h>

#include <atomic>

namespace foldwise::detail {

// Constant-initialised, because generated files register during static initialisation in unspecified order.
static constinit std::atomic<const device_api*> the_device = nullptr;

bool use(const device_api& device) noexcept {
    the_device.store(&device, std::memory_order_release);
    return true;
}

// CUDA does not work in a process forked from one that has used it.
static constinit std::atomic<bool> is_gpu_used = false, is_gpu_lost = false;

static void lose_gpu() {
    if (!is_gpu_used) return;
    is_gpu_lost = true;
    the_device = nullptr;
}
[[maybe_unused]] static const bool loses_gpu_in_forks = pthread_atfork(nullptr, nullptr, lose_gpu) == 0;

const device_api* registered_device() noexcept { return the_device.load(std::memory_order_acquire); }

const device_api* exchange_device(const device_api* device) noexcept { return the_device.exchange(device); }

bool gpu_used() noexcept { return registered_device() && is_gpu_used; }

bool gpu_present() noexcept {
    // Every call asks: why there is no GPU takes longer to put into words than a small kernel on the CPU.
    const device_api* gpu = registered_device();
    if (!gpu || gpu->device_count() <= 0) return false;
    is_gpu_used.store(true, std::memory_order_relaxed);
    return true;
}

const device_api& require_gpu(const char* context) {
    const device_api* gpu = registered_device();
    if (!gpu && is_gpu_lost)
        throw device_error(std::string(context) +
                           ": the GPU cannot be used in a process that was forked after it had been");
    if (!gpu)
        throw device_error(std::string(context) +
                           ": there is no GPU: nothing in this program was built with the backend cuda");
    if (const char* reason = gpu->unavailable())
        throw device_error(std::string(context) + ": there is no GPU: " + reason);
    is_gpu_used.store(true, std::memory_order_relaxed);
    return *gpu;
}

void throw_status(const device_api& gpu, int status, const std::string& during) {
    const std::string text = during + ": " + gpu.error_text(status);
    if (gpu.is_out_of_memory(status)) throw out_of_memory(text);
    throw device_error(text, status);
}

current_gpu::current_gpu(const device_api& gpu, int device, const char* context) : gpu_(gpu) {
    if (gpu.device_count() == 1) return;
    int before = 0;
    check_status(gpu, gpu.current_device(before), context);
    if (before == device) return;
    check_status(gpu, gpu.set_device(device), context);
    before_ = before;
}

current_gpu::current_gpu(const device_api& gpu, int device) noexcept : gpu_(gpu) {
    if (gpu.device_count() == 1) return;
    int before = 0;
    const bool is_known = gpu.current_device(before) == 0;
    if (is_known && before == device) return;
    if (gpu.set_device(device) == 0 && is_known) before_ = before;
}

void check_stream(const device_api& gpu, CUstream_st* stream, int device, const char* context) {
    if (gpu.device_count() == 1 || is_default_stream(stream)) return;
    int of_stream = 0;
    check_status(gpu, gpu.device_of(stream, of_stream), context);
    if (of_stream >= 0 && of_stream != device)
        throw device_error(std::string(context) + ": the executor's stream belongs to GPU " +
                           std::to_string(of_stream) + ", and the call is for GPU " + std::to_string(device));
}

int device_of(const device_api& gpu, const executor& requested, const char* context) {
    int device = requested.device();
    const int count = gpu.device_count();
    if (device != executor::any_device) {
        if (device < 0 || device >= count)
            throw device_error(std::string(context) + ": there is no GPU " + std::to_string(device) + ": CUDA has " +
                               std::to_string(count) + ", numbered from 0");
        check_stream(gpu, requested.stream(), device, context);
        return device;
    }
    if (count == 1) return 0;
    if (!is_default_stream(requested.stream())) check_status(gpu, gpu.device_of(requested.stream(), device), context);
    if (device < 0) check_status(gpu, gpu.current_device(device), context);
    return device;
}

void wait_for_stream(const char* context, int device, CUstream_st* stream) {
    const device_api& gpu = require_gpu(context);
    const current_gpu current(gpu, device, context);
    check_status(gpu, gpu.synchronize(stream), context);
}

}  // namespace foldwise::detail

namespace foldwise {

int gpu_count() noexcept {
    const detail::device_api* gpu = detail::registered_device();
    return gpu ? gpu->device_count() : 0;
}

}  // namespace foldwise
