// runtime/src/copy.cpp: copies between host and GPU memory, gathering strided elements.
#include <foldwise/detail/copy.hpp>

#include "checks.hpp"
#include "device.hpp"
#include "elements.hpp"
#include "pipeline.hpp"

#include <foldwise/detail/buffer.hpp>
#include <foldwise/error.hpp>

#include <algorithm>
#include <cstring>
#include <new>
#include <string>

namespace foldwise::detail {

void wait_for(place where, CUstream_st* stream) {
    if (where.kind == memory::cuda) wait_for_stream("a copy", where.device, stream);
}

void copy_bytes(void* to, place to_place, const void* from, place from_place, std::size_t bytes,
                CUstream_st* stream) try {
    if (bytes == 0) return;
    const bool from_gpu = from_place.kind == memory::cuda, to_gpu = to_place.kind == memory::cuda;
    if (!from_gpu && !to_gpu) {
        std::memcpy(to, from, bytes);
        return;
    }
    const int device = to_gpu ? to_place.device : from_place.device;
    const copy_direction direction = from_gpu && to_gpu ? copy_direction::on_device
                                     : to_gpu           ? copy_direction::to_device
                                                        : copy_direction::to_host;
    const device_api& gpu = require_gpu("a copy");
    const current_gpu current(gpu, device, "a copy");
    check_stream(gpu, stream, device, "a copy");
    const bool is_to_peer = from_gpu && to_gpu && from_place.device != to_place.device;
    pending_work queued(gpu, stream);
    queued.begin();
    // The host's memory must be read after the work queued on the stream. CUDA guarantees that only for pinned memory.
    int status = direction == copy_direction::to_device ? gpu.synchronize(stream) : 0;
    if (status == 0 && is_to_peer)
        status = gpu.copy_to_peer({to, to_place.device}, {const_cast<void*>(from), from_place.device}, bytes, stream);
    else if (status == 0)
        status = copy_fast("a copy", to, from, bytes, direction, executor(backend::cuda, stream, device));
    if (status == 0) status = queued.finish();
    if (status != 0) {
        const char* const way[] = {"to the GPU", "from the GPU", "on the GPU"};
        throw_status(gpu, status,
                     "copying " + std::to_string(bytes) + " bytes " + way[static_cast<std::size_t>(direction)]);
    }
} catch (const std::bad_alloc&) {
    refuse_bookkeeping("a copy");
}

void refuse_elements(std::int64_t count, std::size_t size) {
    throw out_of_memory("cannot allocate " + std::to_string(count) + " elements of " + std::to_string(size) +
                        " bytes on the host");
}

namespace {

/// The offsets of the lowest and the highest element of a strided view from its first, in elements.
struct reach {
    std::int64_t lowest = 0, highest = 0;
};

reach reach_of(const layout& window) {
    reach result;
    for (int axis = 0; axis < window.shape.rank(); ++axis) {
        const std::int64_t far = (window.shape[axis] - 1) * window.strides[static_cast<std::size_t>(axis)];
        (far < 0 ? result.lowest : result.highest) += far;
    }
    return result;
}

}  // namespace

void copy_elements(void* to, place to_place, const void* from, place from_place, const layout& from_layout,
                   std::size_t element, CUstream_st* stream) {
    const std::size_t bytes = bytes_of(from_layout.shape, element);
    if (bytes == 0) return;
    if (is_contiguous(from_layout.shape, from_layout.strides)) {
        copy_bytes(to, to_place, from, from_place, bytes, stream);
        return;
    }
    const auto* first = static_cast<const std::byte*>(from);
    buffer fetched, gathered;
    const bool is_peer = to_place.kind == memory::cuda && from_place.kind == memory::cuda;
    if (to_place.kind == memory::cuda) wait_for(to_place, stream);  // the host reads after the work queued there
    if (from_place.kind == memory::cuda) {
        const reach window = reach_of(from_layout);
        const auto step = static_cast<std::ptrdiff_t>(element);
        fetched = buffer(static_cast<std::size_t>(window.highest - window.lowest + 1) * element, {});
        copy_bytes(fetched.data(), {}, first + window.lowest * step, from_place, fetched.bytes(),
                   is_peer && from_place.device != to_place.device ? nullptr : stream);
        first = static_cast<const std::byte*>(fetched.data()) - window.lowest * step;
    }
    if (to_place.kind == memory::cuda) gathered = buffer(bytes, {});
    auto* target = static_cast<std::byte*>(gathered.data() ? gathered.data() : to);
    const axes_of axes{from_layout.shape.rank(), from_layout.shape.begin()};
    gather(target, first, from_layout.strides.data(), cursor(axes, 0), from_layout.shape.size(), element);
    if (gathered.data()) copy_bytes(to, to_place, target, {}, bytes, stream);
}

}  // namespace foldwise::detail
