// foldwise/detail/blocks_kernel.hpp: what the launcher of a `blocks` kernel passes to the runtime, and the runtime to
// the kernel.
#pragma once

#include <foldwise/detail/forall_kernel.hpp>

#include <cstdint>

namespace foldwise::detail {

/// One launch of a `blocks` kernel. Its tasks are items; views and values are passed as to a forall kernel.
using blocks_call = forall_call;

/// Adds up the bytes that the items of a block share, in the order in which the kernel takes them.
class shared_bytes {
  public:
    /// Adds `count` elements; a negative number counts as none.
    constexpr void add(std::int64_t size, std::int64_t alignment, std::int64_t count) {
        if (count < 0) count = 0;
        const bool is_too_large = count > (std::int64_t{1} << 40) / size;
        total_ =
            (total_ + alignment - 1) / alignment * alignment + (is_too_large ? std::int64_t{1} << 40 : count * size);
    }
    constexpr std::int64_t total() const { return total_; }

  private:
    std::int64_t total_ = 0;
};

/// One signature of a `blocks` kernel, as its launcher describes it to the runtime.
struct blocks_kernel {
    /// The kernel as one of tasks: its parameters, and its functions. `cpu` runs the blocks [begin, end).
    forall_kernel call;
    std::int64_t extents[max_index_rank];  ///< Items of a block along each axis.
    /// Returns how many bytes the items of a block share in a call with these arguments.
    std::int64_t (*bytes_shared)(const blocks_call&);
};

}  // namespace foldwise::detail
