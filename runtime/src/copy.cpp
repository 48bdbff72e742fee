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
#include <functional>
#include <new>
#include <string>

namespace foldwise::detail {

void wait_for(place where, CUstream_st* stream) {
    if (where.kind == memory::cuda) wait_for_stream("a copy", where.device, stream);
}

void order_after(place where, CUstream_st* stream, CUstream_st* earlier) {
    if (where.kind == memory::host || stream == earlier) return;
    const char* const context = "moving an array to another stream";
    const device_api& gpu = require_gpu(context);
    const current_gpu current(gpu, where.device, context);
    check_stream(gpu, stream, where.device, context);
    CUevent_st* event = nullptr;
    int status = gpu.make_event(event);
    if (status == 0) {
        status = gpu.record(event, earlier);
        if (status == 0) status = gpu.follow(stream, event);
        gpu.destroy(event);  // CUDA keeps the event until it has completed
    }
    if (status != 0) throw_status(gpu, status, context);
}

void refuse_host_access(place where) {
    throw device_error("the elements of an array in the memory of GPU " + std::to_string(where.device) +
                       " cannot be accessed on the host: to_host() and to(foldwise::cpu()) copy them");
}

void refuse_position(std::int64_t position, std::int64_t size) {
    throw shape_error("there is no element " + std::to_string(position) + " among the " + std::to_string(size) +
                      " of an array, which are counted from 0");
}

void refuse_coordinates(std::span<const std::int64_t> coordinates, const shape& extents) {
    std::string text;
    for (const std::int64_t coordinate : coordinates) text += (text.empty() ? "(" : ", ") + std::to_string(coordinate);
    throw shape_error("an array of shape " + to_string(extents) + " has no element at " + text + ")");
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

void queue_copy(void* to, const void* from, place where, std::size_t bytes, CUstream_st* stream) {
    if (bytes == 0) return;
    if (where.kind == memory::host) {
        std::memcpy(to, from, bytes);
        return;
    }
    const char* const context = "a copy on the GPU";
    const device_api& gpu = require_gpu(context);
    const current_gpu current(gpu, where.device, context);
    check_status(gpu, gpu.copy(to, from, bytes, copy_direction::on_device, stream), context);
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

namespace {

/// Returns whether the byte ranges from the lowest to the highest element of two views overlap.
bool may_overlap(const void* a, const layout& a_layout, const void* b, const layout& b_layout, std::size_t element) {
    const auto step = static_cast<std::ptrdiff_t>(element);
    const reach one = reach_of(a_layout), other = reach_of(b_layout);
    const auto* const first = static_cast<const std::byte*>(a);
    const auto* const second = static_cast<const std::byte*>(b);
    return std::less<>()(first + one.lowest * step, second + (other.highest + 1) * step) &&
           std::less<>()(second + other.lowest * step, first + (one.highest + 1) * step);
}

/// Scatters contiguous elements on the host to the elements of a host view.
void scatter_on_host(void* to, const layout& to_layout, const void* from, std::size_t element) {
    const axes_of axes{to_layout.shape.rank(), to_layout.shape.begin()};
    scatter(static_cast<std::byte*>(to), to_layout.strides.data(), static_cast<const std::byte*>(from), cursor(axes, 0),
            to_layout.shape.size(), element);
}

}  // namespace

void copy_between(void* to, place to_place, const layout& to_layout, const void* from, place from_place,
                  const layout& from_layout, std::size_t element, CUstream_st* stream) {
    const shape &wanted = to_layout.shape, &given = from_layout.shape;
    if (!(wanted == given)) {
        const bool fits = (wanted.rank() == 1 || given.rank() == 1) && wanted.size() == given.size();
        if (!fits)
            throw shape_error("a copy: the destination has shape " + to_string(wanted) + ", and the source has shape " +
                              to_string(given));
        const layout reshaped =
            reshape(wanted.rank() == 1 ? to_layout : from_layout, wanted.rank() == 1 ? given : wanted);
        return wanted.rank() == 1 ? copy_between(to, to_place, reshaped, from, from_place, from_layout, element, stream)
                                  : copy_between(to, to_place, to_layout, from, from_place, reshaped, element, stream);
    }
    const std::size_t bytes = bytes_of(to_layout.shape, element);
    if (bytes == 0) return;
    const bool is_apart = !(to_place == from_place) || !may_overlap(to, to_layout, from, from_layout, element);
    if (is_apart && is_contiguous(to_layout.shape, to_layout.strides))
        return copy_elements(to, to_place, from, from_place, from_layout, element, stream);
    if (to_place.kind == memory::cuda) wait_for(to_place, stream);  // the host reads after the work queued there
    const buffer gathered(bytes, {});
    const bool is_from_elsewhere =
        from_place.kind == memory::cuda && to_place.kind == memory::cuda && from_place.device != to_place.device;
    copy_elements(gathered.data(), {}, from, from_place, from_layout, element, is_from_elsewhere ? nullptr : stream);
    if (to_place.kind == memory::host) return scatter_on_host(to, to_layout, gathered.data(), element);
    const reach window = reach_of(to_layout);
    const auto step = static_cast<std::ptrdiff_t>(element);
    std::byte* const lowest = static_cast<std::byte*>(to) + window.lowest * step;
    const buffer fetched(static_cast<std::size_t>(window.highest - window.lowest + 1) * element, {});
    copy_bytes(fetched.data(), {}, lowest, to_place, fetched.bytes(), stream);
    scatter_on_host(static_cast<std::byte*>(fetched.data()) - window.lowest * step, to_layout, gathered.data(),
                    element);
    copy_bytes(lowest, to_place, fetched.data(), {}, fetched.bytes(), stream);
}

void fill_elements(void* to, place where, const void* element, std::size_t size, std::int64_t count,
                   CUstream_st* stream) {
    if (count == 0) return;
    if (where.kind == memory::host) {
        // Doubles what is there: each copy has a length that memcpy is fast at.
        auto* const first = static_cast<std::byte*>(to);
        const std::size_t bytes = static_cast<std::size_t>(count) * size;
        std::memcpy(first, element, size);
        for (std::size_t done = size; done < bytes;) {
            const std::size_t next = std::min({done, bytes - done, std::size_t{1} << 20});
            std::memcpy(first + done, first, next);
            done += next;
        }
        return;
    }
    const device_api& gpu = require_gpu("filling an array");
    const current_gpu current(gpu, where.device, "filling an array");
    check_stream(gpu, stream, where.device, "filling an array");
    if (const int status = gpu.fill(to, element, size, static_cast<std::size_t>(count), stream))
        throw_status(gpu, status, "filling an array");
}

}  // namespace foldwise::detail
