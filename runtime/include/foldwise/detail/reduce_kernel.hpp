// foldwise/detail/reduce_kernel.hpp: what a generated launcher of a reduction hands to the runtime, and the runtime to
// its kernels. As in kernel.hpp, plain data and pointers to functions.
#pragma once

#include <foldwise/detail/kernel.hpp>

#include <cstddef>
#include <cstdint>

namespace foldwise::detail {

/// Where a run of elements begins, for maps that take an index. Unlike an elementwise run it may leave its row.
struct reduce_position {
    std::int64_t first;         ///< In row-major order.
    const std::int64_t* shape;  ///< The caller's extents.

    /// The index of the i-th element.
    template <int N> index<N> at(std::int64_t i) const {
        index<N> result;
        std::int64_t rest = first + i;
        for (int axis = N - 1; axis > 0; --axis) {
            result[axis] = rest % shape[axis];
            rest /= shape[axis];
        }
        result[0] = rest;
        return result;
    }
};

/// A reduction on the calling thread, step by step. Accumulators are memory of the kernel's accumulator_size, aligned.
struct reduce_on_cpu {
    /// Folds `count` consecutive elements, 1 to reduce_block of them, of contiguous operands.
    void (*fold)(void* const* operands, std::int64_t count, const reduce_position& position, void* accumulator);
    /// first = combine(first, second)
    void (*join)(void* first, const void* second);
    /// Writes the identity; null if there is none.
    void (*identity)(void* accumulator);
    void (*finish)(const void* accumulator, void* result);
};

/// Elements that are folded at once on the CPU. Results depend on it, and not on the number of threads.
inline constexpr std::int64_t reduce_block = 4096;

/// Memory on the GPU for launches that come one after the other.
struct reduce_workspace {
    void* counters;  ///< Zero between launches.
    void* parts;     ///< Written before they are read. 64-byte aligned, as counters are.
    std::size_t counter_bytes, part_bytes;
};

/// One launch that folds all elements to one. Large strided calls are launched in parts, which follow each other in the
/// order of the elements: all but the first one begin with what the one before has left in the workspace.
struct reduce_call {
    elementwise_call elements;  ///< Inputs only; the axes stand in the caller's order. There may be no elements.
    void* out;                  ///< One result, where the backend writes.
    const void* initial;        ///< The host address of an accumulator that comes before all elements; null: none.
    reduce_workspace workspace;
    bool is_first, is_last;
};

/// One signature of a reduction, as its launcher describes it to the runtime. A backend that was not generated is null.
struct reduce_kernel {
    const char* name;              ///< Qualified: "stats::sum".
    const operand_info* operands;  ///< Inputs, then the result.
    int inputs;
    std::uint32_t accumulator_size;  ///< Bytes, up to 64.
    bool has_identity;
    bool commutes;  ///< Elements may be combined in any order.
    const reduce_on_cpu* cpu;
    /// Launches asynchronously on the stream; returns a cudaError_t.
    int (*cuda)(const reduce_call&, CUstream_st* stream);
    /// Runs the same emitted kernels on the host; complete on return; returns a cudaError_t.
    int (*simulator)(const reduce_call&, CUstream_st* stream);
    int index_rank = 0;  ///< Of the index that the map takes; 0 if it takes none.
};

/// The most blocks in a launch: each leaves one accumulator in the workspace.
inline constexpr unsigned int reduce_blocks = 1024;
inline constexpr std::size_t largest_accumulator = 64;

/// What a launch that folds all elements to one uses of a workspace: a counter; an accumulator that is carried from
/// part to part, and the blocks'.
inline constexpr std::size_t reduce_counter_bytes = 64;
inline constexpr std::size_t reduce_part_bytes = (1 + reduce_blocks) * 2 * largest_accumulator;

}  // namespace foldwise::detail
