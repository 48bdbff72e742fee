// foldwise/detail/scan_kernel.hpp: what the launcher of a scan passes to the runtime, and the runtime to the kernels.
// As in kernel.hpp, there are only plain data and function pointers here.
#pragma once

#include <foldwise/detail/fold_position.hpp>
#include <foldwise/detail/kernel.hpp>
#include <foldwise/detail/reduce_kernel.hpp>
#include <foldwise/detail/wrapping.hpp>

#include <cstddef>
#include <cstdint>

namespace foldwise::detail {

/// Elements of one row that a thread scans one after the other. Accumulators are aligned memory of the kernel's
/// accumulator_size.
struct scan_run {
    void* const* operands;        ///< The first element of each input, and the first result.
    const std::int64_t* steps;    ///< The distance from one element to the next of each operand, in elements.
    std::int64_t count;           ///< At least 1.
    fold_position position;       ///< For maps that take an index.
    const unsigned char* begins;  ///< For each element, whether the scan begins anew there; null: nowhere.
    const void* start;            ///< What a scan begins with; null: nothing. Exclusive scans have something.
    bool is_exclusive;
};

/// The steps of a scan on the calling thread.
struct scan_on_cpu {
    /// Scans a run. `prefix` combines the elements before the run if `has_prefix` is set, and afterwards those up to
    /// the end of the run. Where the scan begins anew, or without a prefix, it begins with `start`.
    void (*scan)(const scan_run& run, void* prefix, bool has_prefix);
    /// Combines the elements of a run from the last place on where the scan begins anew; nothing is written but
    /// `folded`, which does not contain `start`.
    void (*fold)(const scan_run& run, void* folded);
    /// Scans `columns` neighbouring columns of `run.count` rows, each with its own one of `prefixes`. `across` holds
    /// each operand's distance from one column to the next, in elements.
    void (*scan_columns)(const scan_run& run, const std::int64_t* across, std::int64_t columns, void* prefixes,
                         bool have_prefixes);
    /// Computes first = combine(first, second).
    void (*join)(void* first, const void* second);
    /// Writes the identity; null if there is none.
    void (*identity)(void* accumulator);
};

/// One call of a scan as backends take it. The operands are the inputs and then the results. The axes that are scanned
/// come last in the layout; they are numbered in row-major order.
struct scan_call {
    element_range elements;  ///< All rows. Without a layout, each row is contiguous and follows the one before it.
    int kept;                ///< The number of axes that are not scanned, which come first in the layout.
    std::int64_t length;     ///< The number of elements of a row.
    const std::int64_t* positions;  ///< For each axis of the layout, the step of an element's position in the call.
    const void* start;              ///< The initial value, on the host; null: none was given.
    const void* starts;             ///< An accumulator for each row, which it begins with; null: `start`, if any.
    void* ends;                     ///< If set, an accumulator for each row, written instead of results.
    const void* restarts;           ///< Keys or offsets, contiguous, where the backend can access them; null: neither.
    std::int64_t restart_count;     ///< The number of offsets.
    std::uint8_t restart_size;      ///< Bytes of a key or offset.
    bool are_offsets, are_signed;   ///< Whether they are offsets, and whether those can be negative.
    bool is_exclusive, is_reverse;
    reduce_workspace workspace;  ///< Has at least scan_counter_bytes() and scan_part_bytes().
};

/// One signature of a scan, as its launcher describes it to the runtime. The function of a backend that was not
/// generated is null.
struct scan_kernel {
    const char* name;              ///< The qualified name: "stats::running".
    const operand_info* operands;  ///< The inputs, then the results.
    int inputs;
    std::uint32_t accumulator_size;  ///< In bytes, at most largest_accumulator.
    bool has_identity;
    const scan_on_cpu* cpu;
    /// Launches asynchronously on the stream; returns a cudaError_t.
    int (*cuda)(const scan_call&, CUstream_st* stream);
    /// Runs the same emitted kernels on the host; complete on return; returns a cudaError_t.
    int (*simulator)(const scan_call&, CUstream_st* stream);
    int index_rank = 0;  ///< The rank of the index that the map takes; 0 if it takes none.
    /// Points to whether the file of `cuda` was compiled for per-thread default streams (nvcc's --default-stream
    /// per-thread).
    const bool* is_per_thread = nullptr;
};

}  // namespace foldwise::detail
