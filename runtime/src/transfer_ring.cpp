// runtime/src/transfer_ring.cpp: creates the streams, events and pinned memory of chunked calls, one set per GPU.
#include "transfer_ring.hpp"

#include "device.hpp"

#include <foldwise/error.hpp>

#include <map>
#include <string>
#include <utility>

namespace foldwise::detail {

namespace {

struct device_ring {
    std::mutex in_use;
    std::unique_ptr<transfer_ring> ring;
};

struct device_rings {
    std::mutex mutex;  ///< Guards by_device; held only to find an entry.
    std::map<int, device_ring> by_device;
};

/// Returns the rings of the program. They are never destroyed, because CUDA may be gone first when the program ends.
device_rings& all_rings() {
    static auto& all = *new device_rings;
    return all;
}

device_ring& ring_of(int device) {
    device_rings& all = all_rings();
    const std::lock_guard lock(all.mutex);
    return all.by_device[device];
}

}  // namespace

transfer_ring::transfer_ring(const device_api& gpu, const char* context) : gpu_(gpu) {
    try {
        check_status(gpu, gpu.make_stream(to_device), context);
        check_status(gpu, gpu.make_stream(to_host), context);
    } catch (...) {
        release();
        throw;
    }
}

transfer_ring::~transfer_ring() { release(); }

void transfer_ring::reserve_slots(int count, const char* context) {
    while (slots.size() < static_cast<std::size_t>(count)) {
        slot& made = slots.emplace_back();
        for (CUevent_st** event : {&made.arrived, &made.computed, &made.left}) {
            if (int status = gpu_.make_event(*event)) {
                for (CUevent_st* one : {made.arrived, made.computed, made.left})
                    if (one) gpu_.destroy(one);
                slots.pop_back();
                throw_status(gpu_, status, context);
            }
        }
    }
}

std::byte* transfer_ring::pinned(std::size_t bytes, const char* context) {
    if (bytes > limits_of_chunks.most_pinned)
        throw out_of_memory(std::string(context) + ": " + std::to_string(bytes) +
                            " bytes of pinned memory are more than the " +
                            std::to_string(limits_of_chunks.most_pinned) + " that copies to and from a GPU may use");
    if (pinned_bytes_ < bytes) {
        // The old memory is freed first: together they might exceed the limit.
        if (pinned_) gpu_.free_pinned(std::exchange(pinned_, nullptr));
        pinned_bytes_ = 0;
        if (int status = gpu_.allocate_pinned(pinned_, bytes)) {
            pinned_ = nullptr;
            throw_status(gpu_, status,
                         std::string(context) + ": cannot allocate " + std::to_string(bytes) +
                             " bytes of pinned memory");
        }
        pinned_bytes_ = bytes;
    }
    return static_cast<std::byte*>(pinned_);
}

void transfer_ring::release() {
    for (const slot& one : slots)
        for (CUevent_st* event : {one.arrived, one.computed, one.left}) gpu_.destroy(event);
    for (CUstream_st* stream : {to_device, to_host})
        if (stream) gpu_.destroy(stream);
    if (pinned_) gpu_.free_pinned(pinned_);
}

ring_lease lease_ring(const device_api& gpu, int device, const char* context) {
    device_ring& own = ring_of(device);
    std::unique_lock held(own.in_use);
    if (!own.ring) own.ring = std::make_unique<transfer_ring>(gpu, context);
    return {*own.ring, std::move(held)};
}

void clear_rings() {
    device_rings& all = all_rings();
    const std::lock_guard lock(all.mutex);
    all.by_device.clear();
}

}  // namespace foldwise::detail
