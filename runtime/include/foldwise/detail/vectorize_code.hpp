// foldwise/detail/vectorize_code.hpp: the kernels of a vectorize signature, and the parameters they are launched with.
//
// A kernel has a parameter for each input, then for each output, one for the index if its lambda takes one, and last
// the range of elements. What stands here is what the runtime writes; an input's parameter goes on with an element of
// its type, for a value that stands for every element.
#pragma once

#include <foldwise/detail/gpu_code.hpp>
#include <foldwise/detail/strides.hpp>
#include <foldwise/detail/vector_access.hpp>
#include <foldwise/detail/vectorize_kernel.hpp>

#include <cstdint>

namespace foldwise::detail {

/// How the operands of a launch lie. A kernel is compiled once for each.
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

/// The kernels of one signature.
struct vectorize_code {
    const gpu_file* file;
    gpu_code instances[vectorize_instances];  ///< By vectorize_instance; null where the signature has no use for one.
    const operand_type* operands;             ///< Inputs, then outputs.
    int inputs, outputs;
    int threads;     ///< Of a block.
    int width;       ///< Elements of a vector.
    int index_rank;  ///< Axes of the index that the lambda takes; 0: none.
};

/// Launches the instance that suits the call, asynchronously on the stream; returns a cudaError_t. Calls with a layout
/// have at most largest_part elements.
int launch(const vectorize_code& code, const element_range& call, CUstream_st* stream);

/// Contiguous elements [begin, end), counted from a place up to one vector before the first element at which vectors
/// are aligned. The addresses in parameters are those of that place.
struct contiguous_range {
    std::int64_t begin, end;
};

/// An input or output of contiguous launches.
struct contiguous_operand {
    void* data;    ///< Null for a value.
    bool is_wide;  ///< Whether vectors are aligned wherever a thread begins.
};

/// The axes of a flat launch. A plane is all of the two innermost ones.
struct flat_axes {
    static constexpr int most = 4;  ///< Few calls have more once neighbouring ones are joined; each costs instructions.

    int rank;
    divider<std::uint32_t> extents[most - 1];  ///< Innermost first; what is left of a number is the outermost.
    std::uint32_t plane;                       ///< Its elements; the most where no vector goes beyond its plane.
};

struct flat_range {
    contiguous_range elements;
    flat_axes axes;
};

/// The strides of an input of a flat launch, whose offsets all fit 32 bits.
struct flat_steps {
    std::int32_t steps[flat_axes::most];  ///< Innermost first.
    std::int32_t to_next_row;             ///< From the last element of a row.
};

/// How a flat launch reads an input.
enum class flat_reading : std::uint8_t {
    vectors,   ///< Whole vectors,
    repeated,  ///< one element that stands for those of a vector,
    elements,  ///< element by element,
    value,     ///< or a value.
};

struct flat_input {
    const void* data;
    flat_steps steps;
    flat_reading reading;
};

/// An input or output of strided launches.
struct strided_operand {
    void* data;  ///< Null for a value.
    strides steps;
};

/// The axes of a call in the order in which tiles count them: columns, rows, then the others, innermost first.
struct tile_axes {
    int count;
    int numbers[max_axes];  ///< In the call's layout; of rows that are not there -1.
};

/// The steps of one operand along those axes, in elements. That all offsets fit 32 bits is a condition for tiles: with
/// 64 bits the arithmetic would cost more than the memory.
struct tile_steps {
    std::int32_t steps[max_axes];
};

/// What the threads of a tiled launch have to know of it.
struct tiled_range {
    std::int32_t columns, rows;  ///< As all extents, less than 2^31.
    std::uint32_t blocks;        ///< 0: tiles do not suit the call.
    int lanes_log2;              ///< Threads along a row of a tile.
    int tile_columns, tile_rows;
    int next_column, next_row;  ///< From each vector of a thread to its next: one of the two is 0.
    int tile_rows_log2;         ///< Of tiles with transposed operands.
    int tiles;                  ///< Operands that have one in shared memory,
    std::uint32_t tile_bytes;   ///< what each takes of it,
    std::uint32_t have_tiles;   ///< and which they are: a bit for each.
    tile_axes axes;
    divider<std::uint32_t> column_tiles, row_tiles;
    divider<std::uint32_t> others[max_axes - 2];
    /// Elements from a boundary for vectors to the first element of the first output, and how many that becomes from
    /// one element to the next along each axis. Modulo `phases`, a power of two.
    std::uint32_t phases, phase, phase_steps[max_axes];
};

/// An input or output of tiled launches.
struct tiled_operand {
    void* data;  ///< Null for a value.
    tile_steps steps;
};

/// How an operand is read where some are transposed.
enum class tile_reading : std::uint8_t {
    direct,      ///< Whole vectors along the columns, repeated elements or a value.
    by_pieces,   ///< Along the rows, and exchanged. These
    by_rows,     ///< and these, which are copied to shared memory element by element, as the next,
    by_columns,  ///< have a tile there.
};

/// An input where some are transposed.
struct transposed_input {
    tiled_operand operand;
    tile_reading reading;
    int tile;  ///< Unless it is read directly, where in shared memory its tile begins.
};

/// What turns an element's place into the index that a lambda takes, of `N` axes.
template <int N> struct index_space {
    std::int64_t origin;                ///< Of the launch's numbering, in the call's row-major order.
    divider<std::uint64_t> extents[N];  ///< Outermost first; the first one is not used.
    std::int64_t columns, rows;         ///< Of tiles.
};

}  // namespace foldwise::detail
