// runtime/src/simulator/written_memory.hpp: which bytes of its shared memory a block has written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace foldwise::simulation {

/// Stretches of memory whose bytes have been written or not. Whatever lies outside of them counts as written.
class written_memory {
  public:
    /// Watches [begin, begin + bytes), of which nothing is written yet.
    void watch(const void* begin, std::size_t bytes);
    /// Watches the calling thread's thread-local variables, among which a kernel's static __shared__ variables are. The
    /// simulator's own count as written. Kernels have no other ones.
    void watch_thread_local_variables();
    /// As if nothing were written; called when a block begins.
    void forget();

    void write(const void* at, std::size_t bytes);
    bool is_written(const void* at, std::size_t bytes) const;

  private:
    struct stretch {
        std::uintptr_t begin, end;
        std::vector<bool> written;                  ///< Per byte.
        std::size_t first_written, behind_written;  ///< What has to be forgotten.
    };

    const stretch* find(std::uintptr_t at) const;
    void write_own_variables();

    std::vector<stretch> stretches_;
    bool has_thread_local_ = false;
};

}  // namespace foldwise::simulation
