// runtime/src/result_slots.hpp: pinned memory that kernels write single results into, for calls that wait for one.
//
// A GPU reaches such memory over the bus, so that the result is on the host when the kernel is done: no memory on the
// GPU is allocated for it, and nothing is copied back.
#pragma once

#include <foldwise/detail/device_api.hpp>

#include <cstddef>

namespace foldwise::detail {

/// One call's, given back when this ends. By then nothing that is in flight may write there.
class result_slot {
  public:
    static constexpr std::size_t bytes = 256;  ///< And its alignment.

    /// `context` begins the messages of errors. Throws out_of_memory or device_error.
    result_slot(const device_api& gpu, const char* context);
    result_slot(const result_slot&) = delete;
    ~result_slot();

    void* data() const { return memory_; }

  private:
    void* memory_;
};

/// Frees them all. Nobody may be using any.
void clear_result_slots(const device_api& gpu);

}  // namespace foldwise::detail
