// foldwise/detail/forall_code.hpp: the kernels of a forall signature, and the parameters that they are launched with.
//
// A kernel has a parameter for each one of the lambda, view or value, and finally the grid of tasks.
#pragma once

#include <foldwise/detail/divide.hpp>
#include <foldwise/detail/forall_kernel.hpp>
#include <foldwise/detail/gpu_code.hpp>
#include <foldwise/detail/host_device.hpp>
#include <foldwise/detail/limits.hpp>

#include <cstdint>
#include <type_traits>

namespace foldwise::detail {

/// What all views of a launch have in common. A kernel is compiled once for each.
enum class view_layout : std::uint8_t {
#define FOLDWISE_FORALL_INSTANCE(name, description) name,
#include <foldwise/detail/forall_instances.def>
#undef FOLDWISE_FORALL_INSTANCE
};

#define FOLDWISE_FORALL_INSTANCE(name, description) +1
inline constexpr int view_layouts = 0
#include <foldwise/detail/forall_instances.def>
    ;
#undef FOLDWISE_FORALL_INSTANCE

/// How many tasks a thread of a `several` kernel runs; in each of the block's tiles, if these are in shared memory.
inline constexpr int tasks_of_thread = 4;

/// The lanes of a warp, the warps of a block of a `warps` kernel, and the least lanes that one of its tasks has: they
/// read whole sectors of 4-byte elements.
inline constexpr int warp_lanes = 32, warps_of_block = 4, least_lanes_of_task = 8;

/// The axis of a `several` kernel whose threads take tasks that are far apart.
inline constexpr int far_apart = -1;

/// The kernels of one signature of a forall kernel.
struct forall_code {
    const gpu_file* file;
    gpu_code instances[view_layouts];  ///< Indexed by view_layout. Null where the signature has no use for one.
    const int* ranks;                  ///< The rank of each parameter: a view's number of axes, or 0 for a value.
    int parameters;
    int index_rank;
    int threads;          ///< Threads per block, a power of two.
    int row = far_apart;  ///< The axis along which the tasks of a thread of `several` kernels are neighbours.
    int width = 1;        ///< How many tasks each vector of a `vectors` kernel has,
    /// and whether these use their index for something else than to name elements.
    bool needs_index = false;
    /// How many tiles in shared memory the blocks of `several` kernels exchange elements through, a power of two; 0 if
    /// they exchange none. Tiles extend along `row` and the last axis, and are neighbours along the axis `beside`, if
    /// there are enough tasks.
    int staged_tiles = 0;
    int beside = 0;
    int order[max_index_rank] = {};  ///< The axes of the kernel's `tile_order`, if it has such tiles.
    /// If what a block of such a kernel writes can begin at a sector of memory in each row: the elements of a sector, a
    /// power of two, and the parameter that is written, whose axes come last in `order`. Otherwise 0.
    int sector_elements = 0;
    int written_parameter = 0;
    /// Whether no elements are read by tasks that are neighbours along other axes than the last one. Far apart, tasks
    /// then read the longest rows, for the memory's sake.
    bool is_linear = false;
};

/// Launches asynchronously on the stream; returns a cudaError_t.
int launch(const forall_code& code, const forall_call& call, CUstream_st* stream);

/// The integer type of extents and strides in kernels of this layout.
template <view_layout Layout>
using view_number = std::conditional_t<Layout == view_layout::strided, std::int64_t, std::int32_t>;

/// Tiles of which those that follow one another are neighbours along the last axis: row-major order.
struct rows_of_tiles {
    static constexpr int axis(int place) { return place; }
};

/// Tiles of which those that follow one another are neighbours along the last of Axes, and the rows of these along the
/// axis before it.
template <int... Axes> struct tile_order {
    static constexpr bool is_row_major = [] {
        int place = 0;
        return ((Axes == place++) && ...);
    }();
    static constexpr int axis(int place) {
        constexpr int all[] = {Axes...};
        return all[place];
    }
};

/// How tasks are distributed over blocks. Each block has a tile of neighbouring tasks whose sides are powers of two;
/// tiles are numbered in row-major order, or in one that the kernel knows. Where too many threads of such tiles would
/// have no task, a flat grid numbers the tasks themselves in row-major order, and a block takes as many as it has
/// threads.
template <int N> struct forall_grid {
    std::int64_t extents[N];  ///< The end of the tasks along each axis.
    std::int64_t first;       ///< The first task along the outermost axis.
    int bits[N];              ///< Sides of a tile, as powers of two.
    std::uint32_t low[N],
        high[N];    ///< The bits of a coordinate in the tile that are a thread's lowest, and the others,
    int shifts[N];  ///< and how much further up in the thread's number the latter are.
    /// Tiles, or tasks of a flat grid, along each axis; that along which the number grows slowest is not used.
    divider<std::uint32_t> tiles[N];
    int flat_bits;  ///< The number of threads of a flat grid's block, as a power of two; otherwise 0.
    unsigned int blocks;
    int lanes_log2;  ///< In `warps` kernels, how many lanes have the same task, as a power of two.
    /// In `several` kernels whose threads' tasks are far apart: how far along each axis, and the end of their first
    /// tasks. In those whose blocks have several tiles in shared memory: how far it is to the next one.
    std::int32_t steps[N];
    std::uint32_t ends[N];
    int staged_bits[N];    ///< Sides of each tile in shared memory, as powers of two: part of what a block has.
    bool is_in_row_major;  ///< Whether the blocks of such a kernel are numbered in row-major order, not in its own.
    /// In kernels whose blocks can begin to write at sectors: the elements of a sector less one, or 0 if no task is
    /// moved; where in a sector, in elements, the first row begins; and how much later the next one along each axis.
    std::uint8_t within_sector, first_in_sector, row_steps[N];

    /// Writes the coordinates of a thread's task, which may lie beyond the extents.
    template <class Coordinate>
    FOLDWISE_HD void place(unsigned int block, unsigned int thread, Coordinate* coordinates) const {
        if (N > 1 && flat_bits != 0)
            place_in_tile<rows_of_tiles>((block << flat_bits) + thread, 0, coordinates);
        else
            place_in_tile<rows_of_tiles>(block, thread, coordinates);
    }

    /// Returns how far from a tile's first task a thread's is along an axis.
    FOLDWISE_HD std::uint32_t place_along(int axis, unsigned int thread) const {
        return ((thread >> shifts[axis]) & high[axis]) + (thread & low[axis]);
    }

    /// Writes the coordinates of a task from the number of its tile in an order and its place there.
    template <class Order, class Coordinate>
    FOLDWISE_HD void place_in_tile(unsigned int rest, unsigned int thread, Coordinate* coordinates) const {
        using number = std::make_unsigned_t<Coordinate>;
        for (int place = N - 1; place >= 0; --place) {
            const int axis = Order::axis(place);
            const unsigned int tile = place == 0 ? rest : tiles[axis].split(rest);
            number coordinate = (static_cast<number>(tile) << bits[axis]) + place_along(axis, thread);
            if (axis == 0) coordinate += static_cast<number>(first);
            coordinates[axis] = static_cast<Coordinate>(coordinate);
        }
    }

    /// Moves a task back along the axis Written by the elements between the beginning of a sector and that of the row
    /// that it writes to. One that comes before the first of its row gets a coordinate beyond all extents.
    template <int Written> FOLDWISE_HD void move_to_sector(std::uint32_t (&coordinates)[N]) const {
        std::uint32_t elements = first_in_sector;
        for (int axis = 0; axis < N; ++axis)
            if (axis != Written) elements += coordinates[axis] * row_steps[axis];
        coordinates[Written] -= elements & within_sector;
    }
};

/// How threads of a `vectors` kernel are numbered where tasks that lie in different rows read neighbouring elements: by
/// strips of a few vectors in each of a group of rows, then by the next strips of these rows, and then by groups. A row
/// is the tasks with the same coordinates along the first axes, in row-major order; a vector belongs to the row in
/// which it begins. So neighbouring threads read neighbours in each of their loads, and store whole sectors.
struct vector_strips {
    std::uint32_t rows;  ///< How many rows there are; 0 if threads are numbered as their vectors are.
    std::uint32_t row_tasks;
    int width_log2;                  ///< The vectors of a strip, as a power of two.
    divider<std::uint32_t> of_row;   ///< The strips of a row.
    divider<std::uint32_t> grouped;  ///< The rows of a group. It has as many parts as
    divider<std::uint32_t> parts;    ///< this: the first rows of all of them come first, then the second ones.
    std::uint32_t part_rows;

    /// Writes the first task of a thread's vector, and returns the end of the tasks of its row; 0 if there is no such
    /// vector.
    template <int Width> FOLDWISE_HD std::uint32_t find(std::uint32_t thread, std::uint32_t& task) const {
        std::uint32_t group = thread >> width_log2;
        std::uint32_t in_part = grouped.split(group);
        const std::uint32_t part = parts.split(in_part), strip = of_row.split(group);
        const std::uint32_t row = group * grouped.divisor + part * part_rows + in_part;
        if (row >= rows) return 0;
        const std::uint32_t lane = thread & ((1u << width_log2) - 1);
        task = ((row * row_tasks + Width - 1) / Width + (strip << width_log2) + lane) * Width;
        return (row + 1) * row_tasks;
    }
};

/// How the tasks of a `vectors` kernel, below 2^31, are distributed over threads. The grid has the axes in the order of
/// a view that is written.
template <int N> struct vector_grid {
    std::int64_t extents[N];            ///< The number of tasks along each axis,
    divider<std::uint32_t> divided[N];  ///< for divisions by it,
    std::uint32_t tasks;                ///< and altogether.
    vector_strips strips;
    /// Nothing. nvcc 13.0 copies parameters of at most 128 bytes into registers: 95 of a thread instead of 47 where
    /// vectors have 16 tasks, which then take 1.2 to 1.4 times as long.
    std::uint32_t unused[16];

    /// Writes the coordinates of the first task of a thread's vector, and returns how many of the vector's tasks exist.
    /// They go on along the last axis, and from its end at the beginning of the next row.
    template <int Width> FOLDWISE_HD int place_vector(unsigned int thread, std::int32_t* coordinates) const {
        std::uint32_t number = thread * Width, end = tasks;
        if (strips.rows != 0) end = strips.template find<Width>(thread, number);
        std::uint32_t rest = number;
        for (int axis = N - 1; axis > 0; --axis)
            coordinates[axis] = static_cast<std::int32_t>(divided[axis].split(rest));
        coordinates[0] = static_cast<std::int32_t>(rest);
        return number < end ? (tasks - number < Width ? static_cast<int>(tasks - number) : Width) : 0;
    }
};

/// The grid of a kernel of this layout.
template <int N, view_layout Layout>
using task_grid = std::conditional_t<Layout == view_layout::vectors, vector_grid<N>, forall_grid<N>>;

static_assert(sizeof(forall_grid<max_index_rank>) <= forall_grid_bytes);
static_assert(sizeof(vector_grid<max_index_rank>) <= forall_grid_bytes);
static_assert(sizeof(vector_grid<1>) > 128);
// Beyond that, tiles in shared memory take up to a tenth longer, since their places are computed by more instructions.
static_assert(sizeof(forall_grid<2>) <= 128);

}  // namespace foldwise::detail
