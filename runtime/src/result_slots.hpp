// runtime/src/result_slots.hpp: pinned memory into which kernels write single results, for calls that wait for one.
//
// A GPU accesses such memory over the bus, so the result is on the host when the kernel is done: no GPU memory is
// allocated for it, and no copy is needed.
#pragma once

#include <foldwise/detail/device_api.hpp>

#include <cstddef>

namespace foldwise::detail {

/// A slot for one call. The destructor returns it; by then nothing in flight may write to it.
class result_slot {
  public:
    static constexpr std::size_t bytes = 256;  ///< The size and alignment of a slot.

    /// Takes a free slot or allocates more. `context` begins the messages of errors. Throws out_of_memory or
    /// device_error.
    result_slot(const device_api& gpu, const char* context);
    result_slot(const result_slot&) = delete;
    ~result_slot();

    void* data() const { return memory_; }

  private:
    void* memory_;
};

/// Frees all slots, none of which may be in use.
void clear_result_slots(const device_api& gpu);

}  // namespace foldwise::detail
