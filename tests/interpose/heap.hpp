// tests/interpose/heap.hpp: how often a program that links heap.cpp has asked for heap memory, on any thread; and what
// it does when it gets none.
//
// Its own code counts, statically linked libraries and what it uses of the standard library included. What shared
// libraries such as a GPU's driver or OpenMP's need for themselves does not.
#pragma once

#include <cstdint>

namespace interpose {

/// Calls of operator new, malloc, calloc, realloc, aligned_alloc and posix_memalign.
std::uint64_t heap_allocations();

/// What operator new has made and operator delete has not taken back.
std::int64_t heap_blocks();

/// Which allocations fail, of those that count, numbered from 0.
struct heap_failures {
    std::uint64_t first = 0, count = 1;
    /// Whether calls of malloc and its kin count, too; otherwise only those of operator new, in all its forms. CUDA's
    /// static runtime library calls malloc, and how it treats failures is not tested.
    bool of_malloc = false;
    /// Calls for which this returns true are neither numbered nor failed.
    bool (*is_exempt)() = nullptr;
};

/// As long as it lives, these fail, with std::bad_alloc or null. One at a time.
class failing_heap {
  public:
    explicit failing_heap(const heap_failures& which);
    failing_heap(const failing_heap&) = delete;
    ~failing_heap() { stop(); }

    /// Nothing fails any more. Returns how many allocations were numbered.
    std::uint64_t stop();
};

/// As long as one lives, what the thread allocates is the test's own. `is_under_way` exempts that from failing.
class own_allocations {
  public:
    own_allocations() { ++depth_; }
    own_allocations(const own_allocations&) = delete;
    ~own_allocations() { --depth_; }
    static bool is_under_way() { return depth_ > 0; }

  private:
    static inline thread_local int depth_ = 0;
};

}  // namespace interpose
