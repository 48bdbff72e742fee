// foldwise/detail/reduce_code.hpp: the kernels of a reduction, and the parameters they are launched with.
//
// A kernel has a parameter for each input, then the operands' strides, the index's space if its map takes one, the
// range of elements, and last the target. What stands here is what the runtime writes; an input's parameter goes on
// with an element of its type, for a value that stands for every element.
//
// An element has a place among the results, its row, and one along the axes that are folded. Row means whatever is
// folded to one result.
#pragma once

#include <foldwise/detail/gpu_code.hpp>
#include <foldwise/detail/reduce_kernel.hpp>
#include <foldwise/detail/strides.hpp>
#include <foldwise/detail/vector_access.hpp>

#include <cstddef>
#include <cstdint>

namespace foldwise::detail {

/// Who folds a row, and how elements are read. A kernel is compiled once for each.
enum class reduce_instance : std::uint8_t {
#define FOLDWISE_REDUCE_INSTANCE(name, reducer, reading, description) name,
#include <foldwise/detail/reduce_instances.def>
#undef FOLDWISE_REDUCE_INSTANCE
};

#define FOLDWISE_REDUCE_INSTANCE(name, reducer, reading, description) +1
inline constexpr int reduce_instances = 0
#include <foldwise/detail/reduce_instances.def>
    ;
#undef FOLDWISE_REDUCE_INSTANCE

/// Which threads fold a row.
enum class reducer : std::uint8_t {
    group,   ///< A warp, a block or several blocks.
    lanes,   ///< Some neighbouring lanes of a warp, with one tile each.
    columns  ///< One thread for some neighbouring rows; several behind one another in a block, or blocks, the same
             ///< ones.
};

/// How a thread reads elements.
enum class reduce_reading : std::uint8_t {
    vectors,   ///< Whole vectors of every input.
    mixed,     ///< Vectors of those inputs that are aligned for it.
    runs,      ///< Whole vectors along the innermost of several axes.
    elements,  ///< One by one.
};

constexpr reducer reducer_of(reduce_instance instance) {
    constexpr reducer all[] = {
#define FOLDWISE_REDUCE_INSTANCE(name, who, reading, description) reducer::who,
#include <foldwise/detail/reduce_instances.def>
#undef FOLDWISE_REDUCE_INSTANCE
    };
    return all[static_cast<int>(instance)];
}

constexpr reduce_reading reading_of(reduce_instance instance) {
    constexpr reduce_reading all[] = {
#define FOLDWISE_REDUCE_INSTANCE(name, who, reading, description) reduce_reading::reading,
#include <foldwise/detail/reduce_instances.def>
#undef FOLDWISE_REDUCE_INSTANCE
    };
    return all[static_cast<int>(instance)];
}

/// Elements of a row that a thread has where a row has some lanes and elements are read one by one.
inline constexpr int single_elements = 4;

/// Rows that each of these lanes folds.
inline constexpr int rows_per_thread = 4;

/// Threads of a block of such lanes: they do not wait for one another.
inline constexpr int lane_threads = 128;

inline constexpr int warp_threads = 32;

/// Blocks of a fold that work at once on a multiprocessor: with more of them those that fold together cost more than
/// their loads gain.
inline constexpr int most_blocks = 3;

/// Neighbouring columns of a thread, of `width` that an access may have: each has an accumulator of its own, of so many
/// bytes, and these have to stay in registers.
constexpr int columns_of(int width, std::size_t accumulator_bytes) {
    constexpr int most_words = 12;
    const int words = (static_cast<int>(accumulator_bytes) + 3) / 4;
    while (width > 1 && width * words > most_words) width /= 2;
    return width;
}

/// How many blocks of a kernel a GPU runs at once, asked once for each GPU; zero: not asked yet.
struct known_blocks {
    static constexpr int gpus = 64;
    int of_gpu[gpus];
};

/// The kernels of one signature.
struct reduce_code {
    const gpu_file* file;
    gpu_code instances[reduce_instances];  ///< By reduce_instance.
    known_blocks* resident;                ///< Of each instance.
    const operand_type* operands;          ///< Inputs, then the result.
    int inputs;
    int threads;                 ///< Of a block.
    int width;                   ///< Elements of a vector.
    int index_rank;              ///< Axes of the index that the map takes; 0: none.
    operand_type accumulator;    ///< Up to largest_accumulator bytes.
    unsigned int partial_bytes;  ///< Of an accumulator that may not be there, in the workspace.
    bool commutes;               ///< Elements may be combined in any order.
};

/// Launches the instance that suits the call, asynchronously on the stream; returns a cudaError_t.
int launch(const reduce_code& code, const reduce_call& call, CUstream_st* stream);

/// An input.
struct reduce_operand {
    void* data;         ///< Null for a value.
    bool is_wide;       ///< Whether vectors are aligned wherever a thread begins.
    bool is_row_value;  ///< One element stands for all of a row.
};

/// How far an operand's elements are apart: along the axes that are kept, and along those that are folded. Where a
/// thread folds columns, the innermost of the first is not among them, but `column`; where it reads runs, `column` is
/// the distance along a run.
struct reduce_strides {
    strides rows, folded;
    std::int64_t column;
};

/// What turns an element's position in the call into the index that a map takes, of `N` axes.
template <int N> struct reduce_space {
    std::int64_t origin;                ///< The position of the launch's first element.
    divider<std::uint64_t> extents[N];  ///< Outermost first; the first one is not used.
};

/// The rows that groups fold, each [begin, end).
struct group_range {
    std::int64_t begin, end;  ///< Counted from a place up to a vector before the first element.
    unsigned int blocks;      ///< That fold a row together.
    int lanes_log2;           ///< Threads of one block that fold a row together.
    std::int64_t chunk;       ///< Elements that a warp reads where their order is kept.
    strided_range rows;
};

/// The same of rows that are not aligned alike.
struct shifted_range : group_range {
    strides phases;  ///< How far rows' beginnings are apart, modulo a vector.
};

/// The same of rows along several axes.
struct strided_group_range : group_range {
    strided_range folded;
};

/// The rows that lanes fold.
struct lanes_range {
    int length;      ///< Elements of a row: a tile for each of the lanes, a power of two.
    int lanes_log2;  ///< How many these are.
    bool is_full;    ///< Every lane has elements.
    strided_range rows;
};

/// The rows that threads fold which have neighbouring ones: columns.
struct columns_range {
    strided_range folded, rows;              ///< The latter without the innermost axis, along which columns are.
    std::uint32_t vectors;                   ///< Threads' worth of columns, in all,
    divider<std::uint32_t> vectors_per_row;  ///< and of them those along the innermost axis.
    int across_log2;                         ///< Threads of a block along the columns.
    std::uint32_t share;                     ///< Elements of each column that a block folds.
    unsigned int blocks;                     ///< That fold a column together.
};

/// Where a launch leaves its results. It is followed by an accumulator of the kernel's, which comes before all elements
/// if `has_initial` says that there is one.
struct reduce_target {
    void* out;
    unsigned int* counters;  ///< Of blocks that are done, for each group of them; zero between launches.
    void* carried;           ///< From the launch before to this one, and from this one to the next: a partial result.
    void* parts;             ///< Of blocks that fold together.
    bool is_first, is_last;  ///< False: the launch before, or the next one, has more elements of the one result.
    bool has_initial;
    bool is_wide;         ///< Whether a thread's results may be stored together.
    std::int64_t column;  ///< How far results are apart along the columns,
    strides rows;         ///< and along the other axes.
};

}  // namespace foldwise::detail
