// foldwise/detail/scan_code.hpp: the kernels of a scan, and the parameters that they are launched with.
//
// A kernel has a parameter for each input, then the results, the operands' strides, the index space if its map takes an
// index, and finally the range of elements. The parameter of an input is followed by an element of the input's type,
// which is used if the input is a single value, and the range is followed by an accumulator, the initial value.
#pragma once

#include <foldwise/detail/gpu_code.hpp>
#include <foldwise/detail/reduce_code.hpp>
#include <foldwise/detail/scan_columns.hpp>
#include <foldwise/detail/scan_kernel.hpp>
#include <foldwise/detail/strides.hpp>

#include <cstddef>
#include <cstdint>

namespace foldwise::detail {

/// How threads access elements. A kernel is compiled once for each.
enum class scan_instance : std::uint8_t {
#define FOLDWISE_SCAN_INSTANCE(name, description) name,
#include <foldwise/detail/scan_instances.def>
#undef FOLDWISE_SCAN_INSTANCE
};

#define FOLDWISE_SCAN_INSTANCE(name, description) +1
inline constexpr int scan_instances = 0
#include <foldwise/detail/scan_instances.def>
    ;
#undef FOLDWISE_SCAN_INSTANCE

/// Returns how many vectors each of `threads` threads scans of a tile at most, a power of two: as many as leave room in
/// shared memory for the tiles of several blocks.
constexpr int scan_rows(int threads, int width, std::size_t accumulator_bytes) {
    constexpr std::size_t most_bytes = 32768;
    const std::size_t row_bytes = static_cast<std::size_t>(threads * width) * accumulator_bytes;
    int rows = 8;
    while (rows > 1 && static_cast<std::size_t>(rows) * row_bytes > most_bytes) rows /= 2;
    return rows;
}

/// Returns how many vectors each thread scans of a tile of scan_instance::pipelined, a power of two: as many as leave
/// room for two tiles in the shared memory of every GPU, and for what a thread has loaded of a third in registers.
constexpr int scan_pipeline_rows(int threads, int width, std::size_t accumulator_bytes, std::size_t loaded_bytes) {
    constexpr std::size_t most_bytes = 16384, most_loaded = 64;
    const std::size_t row_bytes = static_cast<std::size_t>(threads * width) * accumulator_bytes;
    int rows = 4;
    while (rows > 1 && (static_cast<std::size_t>(rows) * row_bytes > most_bytes ||
                        static_cast<std::size_t>(rows) * loaded_bytes > most_loaded))
        rows /= 2;
    return rows;
}

/// Returns how many vectors each thread has of a tile of scan_instance::rows, a power of two: as many as in pipelined
/// tiles, but no more than 16 elements, as each has registers of its own. 0 if even one vector's accumulators are too
/// large for that.
constexpr int scan_row_vectors(int threads, int width, std::size_t accumulator_bytes, std::size_t loaded_bytes) {
    constexpr int most_elements = 16;
    constexpr std::size_t most_bytes = 128;
    if (static_cast<std::size_t>(width) * accumulator_bytes > most_bytes) return 0;
    const int vectors = scan_pipeline_rows(threads, width, accumulator_bytes, loaded_bytes);
    return vectors * width > most_elements ? most_elements / width : vectors;
}

/// The kernels of one signature of a scan.
struct scan_code {
    const gpu_file* file;
    gpu_code instances[scan_instances];  ///< Indexed by scan_instance.
    known_blocks* resident;              ///< One for each instance.
    const operand_type* operands;        ///< The inputs, then the result.
    int inputs;
    int threads;        ///< Threads per block.
    int width;          ///< Elements per vector.
    int pipeline_rows;  ///< The vectors of a tile that each thread scans in scan_instance::pipelined.
    int row_vectors;    ///< The vectors of a tile that each thread scans in scan_instance::rows; 0: there are none.
    int index_rank;     ///< The rank of the index that the map takes; 0 if it takes none.
    operand_type accumulator;  ///< At most largest_accumulator bytes.
};

/// Launches the instance that suits the call, asynchronously on the stream; returns a cudaError_t.
int launch(const scan_code& code, const scan_call& call, CUstream_st* stream);

/// An input of a scan.
struct scan_operand {
    void* data;  ///< Null for a value.
};

/// What the tiles of a scan publish. It lies in the counters of a workspace, behind those of reductions, and is zero at
/// first.
struct scan_progress {
    /// The number of the last launch, times 2^32, plus the number of tiles that blocks have taken in the current one.
    unsigned long long tickets;
    unsigned int done;  ///< Along columns: the number of blocks that are done in the current launch.
    unsigned int unused[13];
};
inline constexpr std::size_t scan_progress_offset = reduce_counter_bytes;

/// The fewest elements of a tile: a block has at least 64 threads, each with an element.
inline constexpr std::int64_t least_tile = 64;

/// Returns how many aggregates a scan of `count` elements publishes at most: one for each tile, and an even number, as
/// they are loaded in pairs.
constexpr std::size_t scan_aggregates(std::int64_t count) {
    const std::int64_t tiles = (count + least_tile - 1) / least_tile;
    return static_cast<std::size_t>(tiles + tiles % 2);
}

/// The bytes of an accumulator that a word holds, beside what says whether it is ready.
inline constexpr std::size_t scan_word_bytes = 4;
/// Returns whether the words of an aggregate hold an accumulator of `size` bytes; a larger one is beside its word.
constexpr bool fits_scan_words(std::size_t size) { return size <= 4 * scan_word_bytes; }
/// Returns how many words an aggregate has: 1, 2 or 4.
constexpr int scan_words_each(std::size_t size) {
    return size <= scan_word_bytes || !fits_scan_words(size) ? 1 : size <= 2 * scan_word_bytes ? 2 : 4;
}

/// The counters that a workspace needs for a scan with this many aggregates of `size` bytes.
constexpr std::size_t scan_counter_bytes(std::size_t aggregates, std::size_t size) {
    return scan_progress_offset + sizeof(scan_progress) +
           aggregates * static_cast<std::size_t>(scan_words_each(size)) * sizeof(unsigned long long);
}

/// The memory that a workspace needs for accumulators of `size` bytes beside the words.
constexpr std::size_t scan_part_bytes(std::size_t aggregates, std::size_t size) {
    return fits_scan_words(size) ? 0 : aggregates * size;
}

/// The elements of a launch, row after row, which are numbered from 0.
struct scan_range {
    std::int64_t count;
    divider<std::uint64_t> length;             ///< Elements per row.
    int rank;                                  ///< The number of axes; 0 if every operand is contiguous.
    divider<std::uint64_t> extents[max_axes];  ///< Innermost first; the outermost is never divided by.
    scan_strips along_columns;                 ///< For columns and strips, whose innermost axis is the scanned one.
    unsigned int tiles;
    divider<std::uint64_t> tile;  ///< Elements of a tile, unless along columns.
    int rows;                     ///< The vectors of a tile that each thread scans: 1, 2, 4 or 8.
    const void* restarts;         ///< Keys or offsets; null: neither.
    std::int64_t restart_count;   ///< The number of offsets.
    std::uint8_t restart_size;    ///< Bytes of a key or offset.
    bool are_offsets, are_signed;
    bool is_exclusive, is_reverse, has_initial;
    bool are_aligned;    ///< Whether every operand is contiguous and aligned for vectors; in strips, each of its rows.
    const void* starts;  ///< An accumulator for each row, which it begins with; null: the same for all rows.
    void* ends;          ///< If set, becomes an accumulator for each row, and nothing else is written.
    scan_progress* progress;
    std::int64_t word_count;    ///< The number of words, those of larger launches too.
    unsigned long long* words;  ///< scan_words_each() for each tile.
    void* parts;                ///< Accumulators of the tiles, where words do not hold them.
};

}  // namespace foldwise::detail
