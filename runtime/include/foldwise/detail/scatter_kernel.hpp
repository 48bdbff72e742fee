// foldwise/detail/scatter_kernel.hpp: what the launcher of a scattered fold passes to the runtime, and the runtime to
// the kernels. As in kernel.hpp, there are only plain data and function pointers here.
#pragma once

#include <foldwise/detail/kernel.hpp>
#include <foldwise/detail/sort.hpp>
#include <foldwise/detail/vectorize_kernel.hpp>

#include <cstddef>
#include <cstdint>

namespace foldwise::detail {

/// What a combine computes, as far as GPUs have an atomic operation for it.
enum class scatter_operation : std::uint8_t { other, sum, minimum, maximum, bit_and, bit_or, bit_xor };

/// The accumulators that elements are combined into, called bins.
struct scatter_bins {
    void* data;  ///< The bin at index 0.
    std::int64_t extents[max_index_rank];
    std::int64_t strides[max_index_rank];  ///< In elements.
};

/// The steps of a scattered fold on the calling thread.
struct scatter_on_cpu {
    /// Combines `count` consecutive elements of contiguous operands, in order, into the scatter_bins to which the
    /// pointer behind those of the inputs points. Null for a kernel that takes an index.
    void (*scatter)(void* const* operands, std::int64_t count);
    /// Does what `scatter` does, for a kernel that takes an index; otherwise null.
    void (*scatter_at)(void* const* operands, std::int64_t count, const vectorize_position& position);
    /// Writes the identity into `count` bins that are `step` elements apart.
    void (*fill)(void* bins, std::int64_t count, std::int64_t step);
    /// Computes bins[i * step] = combine(bins[i * step], others[i]) for `count` bins.
    void (*join)(void* bins, const void* others, std::int64_t count, std::int64_t step);
};

/// One launch of a scattered fold.
struct scatter_call {
    element_range elements;  ///< The inputs; there may be no elements. Axes are in the order of the call's.
    scatter_bins bins;
    int bin_axes;
    bool is_fresh;             ///< Whether bins begin with the identity, whatever they hold.
    int chunks;                ///< How many parts the elements are cut into if they are combined in order.
    sort_function sort;        ///< Null if there is none.
    void* memory;              ///< Memory of the call's own.
    std::size_t memory_bytes;  ///< How much that is.
    std::size_t* needed;       ///< Where a launch writes how much it needs.
};

/// What a launch function returns, having launched nothing, if a call has less memory than it needs.
inline constexpr int needs_memory = -1;

/// One signature of a scattered fold, as its launcher describes it to the runtime. The function of a backend that was
/// not generated is null.
struct scatter_kernel {
    const char* name;              ///< The qualified name: "stats::histogram".
    const operand_info* operands;  ///< The inputs, then the output.
    int inputs;
    int bin_axes;  ///< The number of axes of places, from 1 to max_index_rank.
    const scatter_on_cpu* cpu;
    /// Launches asynchronously on the stream; returns a cudaError_t, or needs_memory.
    int (*cuda)(const scatter_call&, CUstream_st* stream);
    /// Runs the same emitted kernels on the host; complete on return; returns a cudaError_t, or needs_memory.
    int (*simulator)(const scatter_call&, CUstream_st* stream);
    int index_rank = 0;  ///< The rank of the index that the map takes; 0 if it takes none.
    /// Points to whether the file of `cuda` was compiled for per-thread default streams (nvcc's --default-stream
    /// per-thread).
    const bool* is_per_thread = nullptr;
    sort_function sort = nullptr;  ///< Sorts for `cuda`; null if its kernels never need it.
};

}  // namespace foldwise::detail
