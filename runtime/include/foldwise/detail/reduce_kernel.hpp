// foldwise/detail/reduce_kernel.hpp: what a generated launcher of a reduction hands to the runtime, and the runtime to
// its kernels. As in kernel.hpp, plain data and pointers to functions.
#pragma once

#include <foldwise/detail/kernel.hpp>
#include <foldwise/detail/wrapping.hpp>

#include <cstddef>
#include <cstdint>

namespace foldwise::detail {

/// Where rows of elements are, for maps that take an index.
struct reduce_position {
    std::int64_t first;         ///< The first element's position in the call, in row-major order,
    std::int64_t step;          ///< from one element to the next,
    std::int64_t row_step;      ///< and from one row to the next.
    const std::int64_t* shape;  ///< The caller's extents.

    /// The index of the i-th element of a row.
    template <int N> index<N> at(std::int64_t row, std::int64_t i) const {
        index<N> result;
        std::int64_t rest = first + row * row_step + i * step;
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
    /// Folds each column of 1 to reduce_chain rows of `count` consecutive elements, in the rows' order, to its own one
    /// of as many accumulators. `steps`: of each operand, the elements from one row to the next.
    void (*fold_columns)(void* const* operands, const std::int64_t* steps, std::int64_t rows, std::int64_t count,
                         const reduce_position& position, void* accumulators);
    /// first = combine(first, second), for `count` accumulators each.
    void (*join)(void* first, const void* second, std::int64_t count);
    /// Writes the identity; null if there is none.
    void (*identity)(void* accumulator);
    /// Writes the results of `count` accumulators, `step` results apart.
    void (*finish)(const void* accumulators, void* results, std::int64_t count, std::int64_t step);
};

/// Elements that are folded at once on the CPU, and those of them that are combined one after the other: beyond these
/// errors of rounding grow with the logarithm of the number of elements. NumPy's pairwise sums take as many. Results
/// depend on both, and not on the number of threads.
inline constexpr std::int64_t reduce_block = 4096;
inline constexpr std::int64_t reduce_chain = 16;

/// Memory on the GPU for launches that come one after the other.
struct reduce_workspace {
    void* counters;  ///< reduce_counters of them, which are zero between launches.
    void* parts;     ///< Written before they are read. 64-byte aligned, as counters are.
    std::size_t counter_bytes, part_bytes;
};

/// One launch that folds elements to results. Operands are the inputs and then the results, whose strides are zero
/// along the axes that are folded along; those stand last in the layout. Large strided calls are launched in parts,
/// each of which has whole folds, or a part of a single one: all but the first of these begin with what the one before
/// has left in the workspace.
struct reduce_call {
    element_range elements;  ///< Without a layout all are folded to one result, and there may be none.
    int kept;                ///< The axes of the layout that are not folded along, the first ones.
    const std::int64_t*
        positions;        ///< Of the layout's axes, how far an element's position in the call moves along each.
    const void* initial;  ///< The host address of an accumulator that comes first; null: none.
    reduce_workspace workspace;
    bool is_first, is_last;
};

/// One signature of a reduction, as its launcher describes it to the runtime. A backend that was not generated is null.
struct reduce_kernel {
    const char* name;              ///< Qualified: "stats::sum".
    const operand_info* operands;  ///< Inputs, then the result.
    int inputs;
    std::uint32_t accumulator_size;  ///< Bytes, up to largest_accumulator.
    bool has_identity;
    bool commutes;  ///< Elements may be combined in any order.
    const reduce_on_cpu* cpu;
    /// Launches asynchronously on the stream; returns a cudaError_t.
    int (*cuda)(const reduce_call&, CUstream_st* stream);
    /// Runs the same emitted kernels on the host; complete on return; returns a cudaError_t.
    int (*simulator)(const reduce_call&, CUstream_st* stream);
    int index_rank = 0;  ///< Of the index that the map takes; 0 if it takes none.
    /// Whether the file of `cuda` was compiled for threads' own default streams (nvcc's --default-stream per-thread).
    const bool* is_per_thread = nullptr;
};

/// Of one launch: at most so many blocks that fold one result together, and so many such results, each with a counter.
inline constexpr unsigned int reduce_blocks = 1024;
inline constexpr unsigned int reduce_counters = 1024;
inline constexpr std::size_t reduce_counter_bytes = reduce_counters * sizeof(unsigned int);

/// What every launch has for an accumulator that is carried from part to part, and for those that blocks leave: they
/// are fewer if these are large.
inline constexpr std::size_t reduce_part_bytes = 4 << 20;

}  // namespace foldwise::detail
