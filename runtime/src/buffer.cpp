// runtime/src/buffer.cpp: memory of the host and of a GPU.
#include <foldwise/detail/buffer.hpp>

#include "device.hpp"

#include <foldwise/error.hpp>

#include <cstdint>
#include <new>
#include <string>

#include <sys/sysinfo.h>

namespace foldwise::detail {

namespace {

constexpr std::align_val_t host_alignment{64};  // a cache line, and the widest vector register

std::uint64_t host_memory() {
    struct sysinfo info;
    if (sysinfo(&info) != 0) return UINT64_MAX;
    return (std::uint64_t{info.totalram} + info.totalswap) * info.mem_unit;
}

void* allocate_on_host(std::size_t bytes) {
    // An overcommitting system hands out addresses that no memory stands behind: the process would be killed on use.
    // Asking takes longer than a small reduction, and is for what some machine may not have.
    constexpr std::size_t every_machine_has = 1 << 24;
    if (bytes <= every_machine_has || bytes <= host_memory()) {
        if (void* data = ::operator new(bytes, host_alignment, std::nothrow)) return data;
    }
    throw out_of_memory("cannot allocate " + std::to_string(bytes) + " bytes on the host, which has " +
                        std::to_string(host_memory()) + " in all");
}

[[noreturn]] void refuse_gpu_memory(const device_api& gpu, int status, std::size_t bytes) {
    std::string text = "cannot allocate " + std::to_string(bytes) + " bytes of GPU memory";
    std::size_t free = 0, total = 0;
    if (gpu.is_out_of_memory(status) && gpu.memory_info(free, total) == 0)
        text += ", of which " + std::to_string(free) + " of " + std::to_string(total) + " are free";
    throw_status(gpu, status, text);
}

}  // namespace

buffer::buffer(std::size_t bytes, memory kind, CUstream_st* stream) : bytes_(bytes), place_{kind, 0}, stream_(stream) {
    if (kind == memory::host) {
        if (bytes > 0) data_ = allocate_on_host(bytes);
        return;
    }
    const device_api& gpu = require_gpu("an array on the GPU");
    if (int status = gpu.current_device(place_.device)) throw_status(gpu, status, "the current GPU");
    if (bytes == 0) return;
    if (int status = gpu.allocate(data_, bytes, stream)) {
        data_ = nullptr;
        refuse_gpu_memory(gpu, status, bytes);
    }
}

buffer gpu_memory(const char* asker, std::size_t bytes, CUstream_st* stream) try {
    return buffer(bytes, memory::cuda, stream);
} catch (const out_of_memory& e) {
    throw out_of_memory(std::string(asker) + ": " + e.what());
}

// A failure to free is either the process's end or an earlier error, which the next call reports.
void buffer::release() noexcept {
    if (place_.kind == memory::host) {
        ::operator delete(data_, host_alignment);
    } else if (const device_api* gpu = registered_device()) {
        gpu->free(data_, stream_);
    }
}

}  // namespace foldwise::detail
