// runtime/src/transfer_ring.hpp: the streams, events and pinned memory that chunked calls share.
//
// Each GPU has one transfer_ring, which is created on first use and kept. Concurrent calls take turns, because there is
// only one bus.
#pragma once

#include "chunks.hpp"

#include <foldwise/detail/device_api.hpp>

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

namespace foldwise::detail {

/// The streams, events and pinned memory for chunked copies to and from one GPU.
class transfer_ring {
  public:
    /// The events of a chunk in flight: its inputs are on the GPU, its results are computed, its results are on the
    /// host.
    struct slot {
        CUevent_st *arrived = nullptr, *computed = nullptr, *left = nullptr;
    };

    /// Creates a ring for the current GPU. Throws device_error.
    transfer_ring(const device_api& gpu, const char* context);
    transfer_ring(const transfer_ring&) = delete;
    ~transfer_ring();

    /// Ensures that there are at least `count` slots. Throws out_of_memory or device_error.
    void reserve_slots(int count, const char* context);
    /// Returns at least `bytes` of pinned memory; previous contents may be lost. Throws out_of_memory if CUDA has none
    /// left, or if `bytes` exceeds limits_of_chunks.most_pinned.
    std::byte* pinned(std::size_t bytes, const char* context);

    CUstream_st* to_device = nullptr;
    CUstream_st* to_host = nullptr;
    std::vector<slot> slots;

  private:
    void release();

    const device_api& gpu_;
    void* pinned_ = nullptr;
    std::size_t pinned_bytes_ = 0;
};

/// Exclusive use of a ring by one thread.
struct ring_lease {
    transfer_ring& ring;
    std::unique_lock<std::mutex> held;
};

/// Returns the ring of a GPU, which must be current. Waits while another call uses it, so the caller must not block
/// anything that such a call may wait for: the work on its own stream must be done. `context` begins the messages of
/// errors. Throws device_error.
ring_lease lease_ring(const device_api& gpu, int device, const char* context);

/// Frees all rings, none of which may be in use.
void clear_rings();

}  // namespace foldwise::detail
