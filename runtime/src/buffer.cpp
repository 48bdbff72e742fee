// runtime/src/buffer.cpp: allocates and frees memory on the host and on a GPU.
#include <foldwise/detail/buffer.hpp>

#include "checks.hpp"
#include "device.hpp"

#include <foldwise/error.hpp>

#include <cstdint>
#include <exception>
#include <new>
#include <string>

#include <sys/sysinfo.h>

namespace foldwise::detail {

namespace {

constexpr std::size_t host_alignment = 64;  // a cache line, and the widest vector register
constexpr std::size_t gpu_alignment = 256;  // that of CUDA's own allocators

std::uint64_t host_memory() {
    struct sysinfo info;
    if (sysinfo(&info) != 0) return UINT64_MAX;
    return (std::uint64_t{info.totalram} + info.totalswap) * info.mem_unit;
}

void* allocate_on_host(std::size_t bytes) {
    // An overcommitting system returns addresses that are not backed by memory, and kills the process when it uses
    // them. Querying the host's memory takes longer than a small reduction, so it is limited to sizes that some machine
    // may not have.
    constexpr std::size_t every_machine_has = 1 << 24;
    if (bytes <= every_machine_has || bytes <= host_memory()) {
        if (void* data = ::operator new (bytes, std::align_val_t{host_alignment}, std::nothrow)) return data;
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

std::size_t alignment_of(memory kind) { return kind == memory::host ? host_alignment : gpu_alignment; }

[[noreturn]] void refuse_resource(memory kind, std::size_t bytes, const std::string& why) {
    throw out_of_memory("cannot allocate " + std::to_string(bytes) + " bytes of " +
                        (kind == memory::host ? "host" : "GPU") + " memory: the memory resource " + why);
}

void* allocate_from(const resource& from, std::size_t bytes, CUstream_st* stream) {
    void* data = nullptr;
    try {
        data = from.get()->allocate(stream, bytes, alignment_of(from.kind()));
    } catch (const error&) {
        throw;  // thrown by one of the runtime's own resources; its message is complete
    } catch (const std::exception& e) {
        refuse_resource(from.kind(), bytes, std::string("threw ") + e.what());
    } catch (...) {
        refuse_resource(from.kind(), bytes, "threw something that is not a std::exception");
    }
    if (!data) refuse_resource(from.kind(), bytes, "returned a null pointer");
    return data;
}

}  // namespace

buffer::buffer(std::size_t bytes, const memory_source& source) try
    : bytes_(bytes), place_(source.place), stream_(source.stream) {
    if (bytes == 0) return;
    resource_ = resource_for(place_.kind, source.resource);
    if (place_.kind == memory::host) {
        data_ = resource_ ? allocate_from(resource_, bytes, nullptr) : allocate_on_host(bytes);
        return;
    }
    const device_api& gpu = require_gpu("an array on the GPU");
    const current_gpu current(gpu, place_.device, "an array on the GPU");
    if (resource_) {
        data_ = allocate_from(resource_, bytes, stream_);
    } else if (int status = gpu.allocate(data_, bytes, stream_)) {
        data_ = nullptr;
        refuse_gpu_memory(gpu, status, bytes);
    }
} catch (const std::bad_alloc&) {
    refuse_bookkeeping("an array");
}

buffer gpu_memory(const char* context, std::size_t bytes, const executor& where) try {
    return buffer(bytes, {{memory::cuda, where.device()}, where.stream(), where.resource()});
} catch (const out_of_memory& e) {
    throw out_of_memory(std::string(context) + ": " + e.what());
}

// A failure to free means that the process is ending, or it is an earlier error, which the next call reports. This
// function reports nothing, so it needs no memory.
void buffer::release() noexcept try {
    if (place_.kind == memory::host) {
        if (resource_)
            resource_.get()->deallocate(nullptr, data_, bytes_, host_alignment);
        else
            ::operator delete (data_, std::align_val_t{host_alignment});
    } else if (const device_api* gpu = registered_device()) {
        const current_gpu current(*gpu, place_.device);
        if (resource_)
            resource_.get()->deallocate(stream_, data_, bytes_, gpu_alignment);
        else
            gpu->free(data_, stream_);
    }
} catch (...) {
}

}  // namespace foldwise::detail
