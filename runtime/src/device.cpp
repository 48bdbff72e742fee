// runtime/src/device.cpp: remembers the GPU that generated files register, and turns its statuses into errors.
#include "device.hpp"

#include <foldwise/error.hpp>

#include <atomic>

namespace foldwise::detail {

// Constant-initialised, because generated files register during static initialisation, in any order.
static constinit std::atomic<const device_api*> the_device = nullptr;

bool use(const device_api& device) noexcept {
    the_device.store(&device, std::memory_order_release);
    return true;
}

const device_api* registered_device() noexcept { return the_device.load(std::memory_order_acquire); }

const device_api* exchange_device(const device_api* device) noexcept { return the_device.exchange(device); }

bool gpu_present() noexcept {
    const device_api* gpu = registered_device();
    return gpu && !gpu->unavailable();
}

const device_api& require_gpu(const char* asker) {
    const device_api* gpu = registered_device();
    if (!gpu)
        throw device_error(std::string(asker) +
                           ": there is no GPU: nothing in this program was built with the backend cuda");
    if (const char* reason = gpu->unavailable())
        throw device_error(std::string(asker) + ": there is no GPU: " + reason);
    return *gpu;
}

void throw_status(const device_api& gpu, int status, const std::string& during) {
    const std::string text = during + ": " + gpu.error_text(status);
    if (gpu.is_out_of_memory(status)) throw out_of_memory(text);
    throw device_error(text);
}

}  // namespace foldwise::detail
