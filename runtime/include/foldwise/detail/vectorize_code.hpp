// foldwise/detail/vectorize_code.hpp: the kernels of a vectorize signature, and the parameters that they are launched
// with.
//
// A kernel has a parameter for each input, then for each output, one for the index space if its lambda takes an index,
// and finally the range of elements. The types in this file are what the runtime writes; the parameter of an input is
// followed by an element of the input's type, which is used if the input is a single value.
#pragma once

#include <foldwise/detail/gpu_code.hpp>
#include <foldwise/detail/strides.hpp>
#include <foldwise/detail/vector_access.hpp>
#include <foldwise/detail/vectorize_kernel.hpp>

#include <cstdint>

namespace foldwise::detail {

/// The memory layout of a launch's operands. A kernel is compiled once for each.
enum class vectorize_instance : std::uint8_t {
#define FOLDWISE_VECTORIZE_INSTANCE(name, description, condition) name,
#include <foldwise/detail/vectorize_instances.def>
#undef FOLDWISE_VECTORIZE_INSTANCE
};

#define FOLDWISE_VECTORIZE_INSTANCE(name, description, condition) +1
inline constexpr int vectorize_instances = 0
#include <foldwise/detail/vectorize_instances.def>
    ;
#undef FOLDWISE_VECTORIZE_INSTANCE

/// The kernels of one signature of a vectorize kernel.
struct vectorize_code {
    const gpu_file* file;
    gpu_code instances[vectorize_instances];  ///< Indexed by vectorize_instance; null if not needed.
    const operand_type* operands;             ///< The inputs, then the outputs.
    int inputs, outputs;
    int threads;           ///< Threads per block.
    int width;             ///< Elements per vector.
    int index_rank;        ///< The rank of the index that the lambda takes; 0 if it takes none.
    bool is_long = false;  ///< Whether computing an element takes so long that few elements have a thread each.
};

/// Launches the instance that suits the call, asynchronously on the stream; returns a cudaError_t. Calls with a layout
/// have at most largest_part elements.
int launch(const vectorize_code& code, const element_range& call, CUstream_st* stream);

/// Contiguous elements [begin, end). They are counted from a position up to one vector before the first element, at
/// which vectors are aligned; the addresses in parameters are those of that position.
struct contiguous_range {
    std::int64_t begin, end;
};

/// An input or output of a contiguous launch.
struct contiguous_operand {
    void* data;    ///< Null for a value.
    bool is_wide;  ///< Whether vectors are aligned wherever a thread begins.
};

/// The axes of a flat launch. A plane consists of the two innermost axes.
struct flat_axes {
    /// The maximum number of axes. Few calls have more once neighbours are merged, and each one costs instructions.
    static constexpr int most = 4;

    int rank;
    divider<std::uint32_t> extents[most - 1];  ///< Innermost first; the outermost extent is never divided by.
    std::uint32_t plane;                       ///< Elements per plane; UINT32_MAX if no vector crosses its end.
};

/// The elements and axes of a flat launch.
struct flat_range {
    contiguous_range elements;
    flat_axes axes;
};

/// The strides of an input of a flat launch, in elements. All of its offsets fit in 32 bits.
struct flat_steps {
    std::int32_t steps[flat_axes::most];  ///< Innermost first.
    std::int32_t to_next_row;             ///< The step from the last element of a row to the first one of the next.
};

/// How a flat launch reads an input.
enum class flat_reading : std::uint8_t {
    vectors,   ///< Whole vectors.
    repeated,  ///< One element that is repeated for a whole vector.
    elements,  ///< Single elements.
    value,     ///< A value.
};

/// An input of a flat launch.
struct flat_input {
    const void* data;
    flat_steps steps;
    flat_reading reading;
};

/// An input or output of a strided launch.
struct strided_operand {
    void* data;  ///< Null for a value.
    strides steps;
};

/// The axes of a call in the order of a tiled launch: columns, rows, then the others, innermost first.
struct tile_axes {
    int count;
    int numbers[max_axes];  ///< The numbers of the axes in the call's layout; -1 if there are no rows.
};

/// The strides of one operand along the axes of a tiled launch, in elements. Tiles require that all offsets fit in 32
/// bits; in 64 bits, the arithmetic would take longer than the memory accesses.
struct tile_steps {
    std::int32_t steps[max_axes];
};

/// The geometry of a tiled launch, which its threads need.
struct tiled_range {
    std::int32_t columns, rows;  ///< The extents of the plane, less than 2^31 like all others.
    std::uint32_t blocks;        ///< 0 if tiles do not suit the call.
    int lanes_log2;              ///< Threads along a row of a tile, as a power of two.
    int tile_columns, tile_rows;
    int next_column, next_row;  ///< From one vector of a thread to its next; one of the two is 0.
    int tile_rows_log2;         ///< Rows of tiles with transposed operands, as a power of two.
    int part_rows_log2;         ///< Rows that such tiles have in shared memory, as a power of two: more if folded.
    int tiles;                  ///< The number of operands that have a tile in shared memory.
    std::uint32_t tile_bytes;   ///< The bytes of shared memory per operand that has a tile there.
    std::uint32_t have_tiles;   ///< A bit for each operand: whether it has a tile in shared memory.
    /// The bytes of shared memory behind the tiles in which each warp arranges what it stores; 0 if it does not.
    std::uint32_t stage_bytes;
    /// Whether a thread's vectors in tiles with transposed operands are upright: their elements are below each other.
    bool is_upright;
    tile_axes axes;
    divider<std::uint32_t> column_tiles, row_tiles;
    divider<std::uint32_t> others[max_axes - 2];
    /// `phase` is the distance, in elements, from an alignment boundary for vectors to the first element of the first
    /// output, and `phase_steps` is its change from one element to the next along each axis. They are modulo `phases`,
    /// a power of two.
    std::uint32_t phases, phase, phase_steps[max_axes];
};

/// An input or output of a tiled launch.
struct tiled_operand {
    void* data;  ///< Null for a value.
    tile_steps steps;
};

/// How an input is read in a launch with transposed operands.
enum class tile_reading : std::uint8_t {
    direct,     ///< Whole vectors along the columns, repeated elements or a value.
    singly,     ///< Single elements, by the threads that compute with them.
    by_pieces,  ///< Vectors along the rows, exchanged through the input's tile in shared memory.
    by_rows,    ///< Single elements, copied along the rows to the input's tile in shared memory.
};

/// Returns whether an input that is read like this has a tile in shared memory.
constexpr bool has_tile(tile_reading reading) {
    return reading == tile_reading::by_pieces || reading == tile_reading::by_rows;
}

/// An input of a launch with transposed operands.
struct transposed_input {
    tiled_operand operand;
    tile_reading reading;
    int tile;  ///< The offset in shared memory of the input's tile, if it has one.
};

/// Converts an element's position in the launch to the index of rank N that a lambda takes.
template <int N> struct index_space {
    std::int64_t origin;                ///< The position of the launch's first element in the call's row-major order.
    divider<std::uint64_t> extents[N];  ///< Extents, outermost first; the first is not used.
    std::int64_t columns, rows;         ///< The columns and rows of a tiled launch.
};

}  // namespace foldwise::detail
