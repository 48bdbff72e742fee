// runtime/src/simulator/written_memory.hpp: tracks which bytes of its shared memory a block has written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace foldwise::simulation {

/// The watched ranges of memory, with a bit per byte that says whether it has been written. All other memory counts as
/// written.
class written_memory {
  public:
    /// Watches [begin, begin + bytes), none of which has been written yet.
    void watch(const void* begin, std::size_t bytes);
    /// Watches the calling thread's thread-local variables, which include the static __shared__ variables of kernels.
    /// The simulator's own variables count as written. Kernels have no other thread-local variables.
    void watch_thread_local_variables();
    /// Marks everything as not written; called when a block begins.
    void forget();

    /// Marks bytes as written.
    void write(const void* at, std::size_t bytes);
    /// Returns whether all of these bytes have been written, or are not watched.
    bool is_written(const void* at, std::size_t bytes) const;

  private:
    struct stretch {
        std::uintptr_t begin, end;
        std::vector<bool> written;                  ///< One entry per byte.
        std::size_t first_written, behind_written;  ///< The range that forget() has to clear.
    };

    const stretch* find(std::uintptr_t at) const;
    void write_own_variables();

    std::vector<stretch> stretches_;
    bool has_thread_local_ = false;
};

}  // namespace foldwise::simulation
