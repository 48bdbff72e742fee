// foldwise/detail/reduce_code.hpp: the kernels of a reduction, and the parameters that they are launched with.
//
// A kernel has a parameter for each input, then the operands' strides, the index space if its map takes an index, the
// range of elements, and finally the target. The types in this file are what the runtime writes; the parameter of an
// input is followed by an element of the input's type, which is used if the input is a single value.
//
// The elements that are reduced to one result are called a row, whichever axes they lie along. An element's position
// consists of its row and its position in the row.
#pragma once

#include <foldwise/detail/gpu_code.hpp>
#include <foldwise/detail/reduce_kernel.hpp>
#include <foldwise/detail/strides.hpp>
#include <foldwise/detail/vector_access.hpp>

#include <cstddef>
#include <cstdint>

namespace foldwise::detail {

/// Which threads reduce a row, and how they read elements. A kernel is compiled once for each.
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

/// Which threads reduce a row.
enum class reducer : std::uint8_t {
    group,     ///< A warp, a block or several blocks per row.
    lanes,     ///< One or several neighbouring lanes of a warp per row, with up to four tiles each.
    threads,   ///< A thread reduces several rows of a few elements.
    staged,    ///< One or several neighbouring lanes of a warp per row, which read it in shared memory.
    columns,   ///< A thread reduces a few neighbouring rows, which several threads or blocks may share.
    segmented  ///< A warp reduces its share of the elements of all segments.
};

/// How a thread reads elements.
enum class reduce_reading : std::uint8_t {
    vectors,   ///< Whole vectors of every input.
    mixed,     ///< Vectors of the inputs that are aligned for them, single elements of the others.
    runs,      ///< Whole vectors along the innermost of several folded axes.
    elements,  ///< Single elements.
    staged,    ///< Single elements of what the block has copied to shared memory, or of other memory.
};

/// Returns which threads reduce a row in this instance.
constexpr reducer reducer_of(reduce_instance instance) {
    constexpr reducer all[] = {
#define FOLDWISE_REDUCE_INSTANCE(name, who, reading, description) reducer::who,
#include <foldwise/detail/reduce_instances.def>
#undef FOLDWISE_REDUCE_INSTANCE
    };
    return all[static_cast<int>(instance)];
}

/// Returns how threads read elements in this instance.
constexpr reduce_reading reading_of(reduce_instance instance) {
    constexpr reduce_reading all[] = {
#define FOLDWISE_REDUCE_INSTANCE(name, who, reading, description) reduce_reading::reading,
#include <foldwise/detail/reduce_instances.def>
#undef FOLDWISE_REDUCE_INSTANCE
    };
    return all[static_cast<int>(instance)];
}

/// Returns whether inputs may have to be read both by vectors and by single elements. Vectors of a single input can
/// begin at one of its first elements wherever it lies, unless its type allows addresses that vectors do not reach.
/// REPRODUCIBLE builds have to combine misaligned elements like aligned ones.
constexpr bool may_be_mixed(const operand_type* inputs, int count, bool takes_index, bool is_reproducible) {
    if (is_reproducible || takes_index || count != 1) return true;
    return inputs[0].alignment < static_cast<unsigned int>(access_bytes(static_cast<int>(inputs[0].size)));
}

/// Returns whether calls may need an instance, in which a thread reads tiles of `width` elements.
constexpr bool is_used(reduce_instance instance, int width, bool may_be_mixed, bool is_reproducible) {
    if (instance == reduce_instance::group_mixed) return may_be_mixed;
    if (instance == reduce_instance::group_few) return !is_reproducible;  // which calls it is for hangs on the GPU
    if (instance == reduce_instance::threads_elements) return !is_reproducible;
    if (instance == reduce_instance::group_vectors || reading_of(instance) == reduce_reading::elements) return true;
    return !is_reproducible && (width > 1 || instance == reduce_instance::staged);
}

/// The number of elements per tile when lanes reduce rows and read single elements.
inline constexpr int single_elements = 4;

/// The number of elements that each thread has where there are few.
inline constexpr int few_elements = 4;

/// The number of tiles that each thread loads when lanes reduce rows: one tile of each of four rows, two of each of two
/// rows, or four of a single row.
inline constexpr int tiles_per_thread = 4;

/// The number of rows that each thread reduces if they have a few elements, and of each row's elements that it has in
/// flight at once.
inline constexpr int rows_per_thread = 4, elements_in_flight = 2;

/// The number of threads per block when lanes reduce rows; these lanes do not wait for one another.
inline constexpr int lane_threads = 128;

/// The number of threads per block when accumulators of earlier calls are combined.
inline constexpr int partials_threads = 128;

/// The number of threads per block when rows are reduced in shared memory.
inline constexpr int staging_threads = 128;

/// What a block may need for an input in shared memory besides its rows, in bytes: shared memory begins as far from a
/// boundary of 16 bytes as the rows do, and ends at one.
inline constexpr int stage_padding = 32;

/// The maximum number of blocks of a reduction that run at once on a multiprocessor. Beyond that, the blocks that share
/// a row cost more than their additional loads gain.
inline constexpr int most_blocks = 3;

/// Returns how many neighbouring elements of a tile a lane combines when segments are reduced: as many as leave the
/// warps of a block room in shared memory. A power of two.
constexpr int segment_elements(std::size_t accumulator_bytes) {
    constexpr std::size_t most_bytes = 64;  // of a lane
    int elements = 16;
    while (elements > 1 && static_cast<std::size_t>(elements) * accumulator_bytes > most_bytes) elements /= 2;
    return elements;
}

/// Returns how many of `width` neighbouring columns a thread reduces. Each column has its own accumulator of
/// `accumulator_bytes`, and all of them have to stay in registers.
constexpr int columns_of(int width, std::size_t accumulator_bytes) {
    constexpr int most_words = 12;
    const int words = (static_cast<int>(accumulator_bytes) + 3) / 4;
    while (width > 1 && width * words > most_words) width /= 2;
    return width;
}

/// The capacity of each GPU for a kernel, as runtime/src/gpu/capacity.hpp keeps it; zero until it has been asked for.
struct known_blocks {
    static constexpr int gpus = 64;
    int of_gpu[gpus];
};

/// The kernels of one signature of a reduction.
struct reduce_code {
    const gpu_file* file;
    gpu_code instances[reduce_instances];  ///< Indexed by reduce_instance.
    gpu_code from_partials;                ///< Combines accumulators of earlier calls.
    known_blocks* resident;                ///< One for each instance.
    const operand_type* operands;          ///< The inputs, then the result.
    int inputs;
    int threads;                 ///< Threads per block.
    int width;                   ///< Elements per vector.
    int index_rank;              ///< The rank of the index that the map takes; 0 if it takes none.
    operand_type accumulator;    ///< At most largest_accumulator bytes.
    unsigned int partial_bytes;  ///< Size in the workspace of an accumulator that may be absent.
    bool commutes;               ///< Whether elements may be combined in any order.
    bool is_long = false;        ///< Whether mapping and combining an element takes long.
};

/// Launches the instance that suits the call, asynchronously on the stream; returns a cudaError_t.
int launch(const reduce_code& code, const reduce_call& call, CUstream_st* stream);

/// An input of a reduction.
struct reduce_operand {
    void* data;         ///< Null for a value.
    bool is_wide;       ///< Whether vectors are aligned wherever a thread begins.
    bool is_row_value;  ///< Whether one element stands for all elements of a row.
    int stage;          ///< Where a block's rows are copied to in shared memory, in bytes; -1 if they are not.
};

/// An operand's strides, in elements, along the kept axes and along the folded axes. Where a thread reduces columns,
/// the innermost kept axis is not in `rows`; its stride is `column`. Where a thread reads runs, `column` is the stride
/// along a run.
///
/// What calls with few axes need is side by side: each 64 bytes of parameters that a kernel reads take some 40 ns.
struct reduce_strides {
    struct of_axis {
        std::int64_t rows, folded;
    };

    std::int64_t column;
    of_axis axes[max_axes];  ///< Innermost first.

    FOLDWISE_HD constexpr std::int64_t rows(int axis) const { return axes[axis].rows; }
    FOLDWISE_HD constexpr std::int64_t folded(int axis) const { return axes[axis].folded; }
};

/// Converts an element's position in the call to the index of rank N that a map takes.
template <int N> struct reduce_space {
    std::int64_t origin;                ///< The position of the launch's first element.
    divider<std::uint64_t> extents[N];  ///< Extents, outermost first; the first is not used.
    int folded_axis = -1;               ///< The only axis along which a row extends; -1: there are several.
    int column_axis = -1;               ///< The only axis along which neighbouring columns lie; -1: there are several.
};

/// How groups share the rows that they reduce, each with the elements [0, end). Structs that extend this have the rows
/// themselves, behind what every thread reads.
struct group_range {
    std::int64_t end;
    unsigned int blocks;  ///< Blocks that share a row.
    int lanes_log2;       ///< Threads of one block that share a row, as a power of two.
    std::int64_t chunk;   ///< Elements that a warp reads if their order must be kept.
};

/// The rows that groups reduce if elements lie side by side in each. How many elements lie between a row's first
/// element and the first one at which a vector begins may differ from row to row; how many vectors are read does not.
/// Its size matters: what a launch reads of its parameters should lie within as few blocks of 64 bytes as it can.
struct linear_group_range : group_range {
    std::uint32_t each;                 ///< Whole vectors of a row that a thread has at least.
    std::uint32_t with_one_more;        ///< How many threads of a row, the first ones, have one more.
    std::uint8_t phase;                 ///< Elements from the beginning of a vector to the first row's first element.
    std::uint8_t phases[max_axes - 1];  ///< How this changes from row to row along each kept axis, modulo a vector.
    strided_range rows;
};

/// The rows that groups reduce if rows extend along several axes. A row consists of lines, each with the elements
/// [0, end). Lines are cut into chunks, which are numbered throughout a row; `chunk` is the length of each of them but
/// for the last of a line.
struct strided_group_range : group_range {
    bool is_interleaved;   ///< Whether all blocks share a row's only chunk, with their tiles side by side.
    std::uint32_t chunks;  ///< The number of chunks per row.
    std::uint32_t each;    ///< Consecutive chunks that a block, or a warp if order must be kept, reduces.
    divider<std::uint32_t> chunks_per_line;
    strided_range rows;
    strided_range lines, folded;  ///< The folded axes along which lines are numbered, and those along which they lie.
};

/// The rows that groups reduce whose threads have at most few_elements elements each. `folded` has at least one.
struct few_range : group_range {
    strided_range rows, folded;
};

/// The rows that lanes of a warp reduce.
struct lanes_range {
    int length;      ///< Elements per row.
    int lanes_log2;  ///< The number of lanes per row, as a power of two.
    int tiles_log2;  ///< The number of tiles that each lane has of a row, as a power of two.
    bool is_full;    ///< Whether every lane has elements.
    strided_range rows;
};

/// The rows that lanes of a warp reduce if they read single elements. If there are several folded axes, each lane has
/// one tile of a row.
struct strided_lanes_range : lanes_range {
    strided_range folded;
};

/// The rows that threads reduce. `folded` has at least one axis.
struct threads_range {
    strided_range rows, folded;
};

/// The rows that lanes of a warp reduce in shared memory.
struct staged_range {
    int length;      ///< Elements per row.
    int lanes_log2;  ///< The number of lanes per row, as a power of two.
    int each;        ///< The number of neighbouring elements that a lane has if order must be kept.
    int rows_each;   ///< The number of rows that a block reduces.
    strided_range rows;
};

/// The columns that threads reduce: each thread has a few neighbouring ones.
struct columns_range {
    strided_range folded, rows;              ///< `rows` leaves out the innermost kept axis, along which columns lie.
    std::uint32_t vectors;                   ///< The number of groups of neighbouring columns, one group per thread.
    divider<std::uint32_t> vectors_per_row;  ///< The number of groups along the innermost kept axis.
    divider<std::uint32_t> across;           ///< Threads of a block along the columns.
    divider<std::uint32_t> down;             ///< Threads of a block that share columns.
    std::uint32_t share;                     ///< Elements of each column that a block reduces.
    unsigned int blocks;                     ///< Blocks that share a column.
    divider<std::uint32_t> together;         ///< Columns of a block whose parts are combined at the same time.
};

/// The segments that warps reduce. The elements and the segments' ends, each of which comes behind the segment's last
/// element, form one sequence; a warp has `share` consecutive members of it.
struct segmented_range {
    segments_of_call segments;
    std::int64_t elements, share;
    bool is_contiguous;  ///< Whether every input is contiguous or a value.
};

/// Accumulators of earlier calls, those of each result along the folded axes. It is followed by an accumulator, which
/// is all of them if `data` is null.
struct partials_range {
    const void* data;
    strided_range rows, folded;         ///< The kept axes, along which results lie, and the folded ones.
    strides row_strides, part_strides;  ///< The accumulators' strides along `rows` and `folded`.
    int lanes_log2;                     ///< Neighbouring lanes that share a result, as a power of two.
};

/// Where a launch writes its results. It is followed by an accumulator of the kernel's type, which is combined before
/// all elements if `has_initial` is set.
struct reduce_target {
    void* out;
    bool is_first, is_last;  ///< False if the previous or next launch has more elements of the single result.
    bool has_initial;
    bool is_wide;            ///< Whether a thread's results may be stored as one vector.
    bool is_partial;         ///< Whether accumulators are written in place of results.
    unsigned int* counters;  ///< Per group of blocks: how many are done; zero between launches.
    void* parts;             ///< Partial results of blocks that share a row or a segment.
    std::int64_t column;     ///< Distance between results along the columns, in elements.
    strides rows;            ///< Distances between results along the other kept axes.
    void* carried;           ///< Partial result carried from the previous launch and to the next one.
};

}  // namespace foldwise::detail
