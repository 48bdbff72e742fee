// runtime/src/transfer_ring.hpp: what calls that copy arrays to a GPU in chunks share, one after the other.
//
// Each GPU has one, made when it is first asked for and kept. Calls of several threads take turns: there is one bus.
#pragma once

#include "chunks.hpp"

#include <foldwise/detail/device_api.hpp>

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

namespace foldwise::detail {

class transfer_ring {
  public:
    /// Of one of the chunks that are in flight: its inputs are on the GPU, its results are computed, they are back.
    struct slot {
        CUevent_st *arrived = nullptr, *computed = nullptr, *left = nullptr;
    };

    /// For the current GPU. Throws device_error.
    transfer_ring(const device_api& gpu, const char* context);
    transfer_ring(const transfer_ring&) = delete;
    ~transfer_ring();

    /// At least so many slots.
    void reserve_slots(int count, const char* context);
    /// Pinned memory of at least so many bytes. What was there before may be gone. Throws out_of_memory where CUDA has
    /// none, or for more bytes than limits_of_chunks.most_pinned.
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

/// The ring, for one thread at a time.
struct ring_lease {
    transfer_ring& ring;
    std::unique_lock<std::mutex> held;
};

/// A GPU's, which is the current one. Waits for the call that has it, so the caller must not hold up anything that such
/// a call may wait for: work on its own stream has to be done. `context` begins the messages of errors. Throws
/// device_error.
ring_lease lease_ring(const device_api& gpu, int device, const char* context);

/// Frees them all. Nobody may be using any.
void clear_rings();

}  // namespace foldwise::detail
