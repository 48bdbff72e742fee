// foldwise/detail/reduce_kernel.hpp: what the launcher of a reduction passes to the runtime, and the runtime to the
// kernels. As in kernel.hpp, there are only plain data and function pointers here.
#pragma once

#include <foldwise/detail/fold_position.hpp>
#include <foldwise/detail/fold_stage.hpp>
#include <foldwise/detail/kernel.hpp>
#include <foldwise/detail/wrapping.hpp>

#include <cstddef>
#include <cstdint>

namespace foldwise::detail {

/// The steps of a reduction on the calling thread. Accumulators are aligned memory of the kernel's accumulator_size.
struct reduce_on_cpu {
    /// Reduces each of `rows` rows of `count` consecutive elements, from 1 to reduce_block of them, to its own one of
    /// as many accumulators. `steps` holds each operand's distance from one row to the next, in elements.
    void (*fold_rows)(void* const* operands, const std::int64_t* steps, std::int64_t rows, std::int64_t count,
                      const fold_position& position, void* accumulators);
    /// Reduces each column of `rows` rows of `count` consecutive elements, from 1 to reduce_chain rows in order, to its
    /// own one of `count` accumulators. `steps` holds each operand's distance from one row to the next, in elements.
    void (*fold_columns)(void* const* operands, const std::int64_t* steps, std::int64_t rows, std::int64_t count,
                         const fold_position& position, void* accumulators);
    /// Computes first[i] = combine(first[i], second[i]) for `count` accumulators.
    void (*join)(void* first, const void* second, std::int64_t count);
    /// Writes the identity; null if there is none.
    void (*identity)(void* accumulator);
    /// Writes the results of `count` accumulators, `step` elements apart.
    void (*finish)(const void* accumulators, void* results, std::int64_t count, std::int64_t step);
    int width;  ///< Rows of fewer elements than this are folded one element after the other.
};

/// The number of elements that the CPU reduces in one go, and how many of them are combined sequentially. Beyond that,
/// rounding errors grow with the logarithm of the number of elements. NumPy's pairwise sums combine as many
/// sequentially. Results depend on both numbers, but not on the number of threads.
inline constexpr std::int64_t reduce_block = 4096;
inline constexpr std::int64_t reduce_chain = 16;

/// GPU memory shared by launches that run one after the other.
struct reduce_workspace {
    void* counters;  ///< reduce_counters of them, which are zero between launches.
    void* parts;     ///< Partial results, written before they are read. 64-byte aligned, like counters.
    std::size_t counter_bytes, part_bytes;
};

/// The segments of a call. Segment i consists of the elements from the i-th offset up to the one after it.
struct segments_of_call {
    const void* offsets;  ///< Contiguous, one more than there are segments, where the backend can access them.
    std::int64_t count;   ///< The number of segments, at least one.
    std::int64_t step;    ///< The distance from one result to the next, in elements.
    std::uint8_t size;    ///< Bytes of an offset: 4 or 8.
    bool is_signed;       ///< Whether offsets can be negative.
};

/// One launch of a reduction. The operands are the inputs and then the results; the folded axes come last in the
/// layout, and the strides of the results along them are zero. Large strided calls are launched in parts, each of which
/// contains either whole rows or a part of a single row. In the latter case all parts but the first continue with the
/// partial result that the previous one left in the workspace.
struct reduce_call {
    element_range elements;  ///< Without a layout, all elements are reduced to one result, and there may be none.
    int kept;                ///< The number of kept axes, which come first in the layout.
    const std::int64_t* positions;  ///< For each axis of the layout, the step of an element's position in the call.
    const void* initial;            ///< The host address of an initial accumulator; null if there is none.
    reduce_workspace workspace;
    bool is_first, is_last;
    /// The segments, each of which has a result; null: none. With segments the layout has one axis, and the strides of
    /// the results are not used.
    const segments_of_call* segments;
    fold_stage stage = fold_stage::whole;
};

/// One signature of a reduction, as its launcher describes it to the runtime. The function of a backend that was not
/// generated is null.
struct reduce_kernel {
    const char* name;              ///< The qualified name: "stats::sum".
    const operand_info* operands;  ///< The inputs, then the result.
    int inputs;
    std::uint32_t accumulator_size;  ///< In bytes, at most largest_accumulator.
    bool has_identity;
    bool commutes;  ///< Whether elements may be combined in any order.
    const reduce_on_cpu* cpu;
    /// Launches asynchronously on the stream; returns a cudaError_t.
    int (*cuda)(const reduce_call&, CUstream_st* stream);
    /// Runs the same emitted kernels on the host; complete on return; returns a cudaError_t.
    int (*simulator)(const reduce_call&, CUstream_st* stream);
    int index_rank = 0;  ///< The rank of the index that the map takes; 0 if it takes none.
    /// Points to whether the file of `cuda` was compiled for per-thread default streams (nvcc's --default-stream
    /// per-thread).
    const bool* is_per_thread = nullptr;
    std::uint32_t accumulator_alignment = 1;
};

/// The maximum number of blocks of one launch that share a result, and the maximum number of results that are shared,
/// each of which has a counter.
inline constexpr unsigned int reduce_blocks = 1024;
inline constexpr unsigned int reduce_counters = 1024;
inline constexpr std::size_t reduce_counter_bytes = reduce_counters * sizeof(unsigned int);

/// The bytes that every launch has for partial results: one that is carried from part to part, and those of blocks. If
/// they are large, there is room for fewer.
inline constexpr std::size_t reduce_part_bytes = 4 << 20;

}  // namespace foldwise::detail
