// runtime/src/stencil/launch_stencil.cpp: cuts the elements of a call into tiles, and launches its kernel.
#include "gpu/alignment.hpp"
#include "gpu/parameters.hpp"
#include "gpu/status.hpp"
#include "stencil/block_shape.hpp"
#include "stencil/plan_tiles.hpp"

#include <foldwise/detail/stencil_code.hpp>

#include <algorithm>
#include <cstdint>

namespace foldwise::detail {

namespace {

/// The most columns of a tile of several axes, of elements and of vectors. Wider tiles have fewer rows, and load more
/// of the rows beside them.
constexpr int most_columns_log2 = 6, most_vectors_log2 = 5;

/// Whether the last stride of an operand is one element, or is never taken.
bool has_rows(const stencil_argument& argument, const stencil_call& call, int rank) {
    return argument.strides[rank - 1] == 1 || call.extents[rank - 1] == 1;
}

/// Whether a kernel may count elements of an operand in 32 bits, along each axis and from one to the next.
bool is_small(const stencil_argument& argument, const stencil_call& call, int rank) {
    constexpr std::int64_t most = std::int64_t{1} << 30;
    bool are_all = true;
    for (int axis = 0; axis < rank; ++axis)
        are_all =
            are_all && call.extents[axis] < most && argument.strides[axis] < most && -argument.strides[axis] < most;
    return are_all;
}

/// Whether all rows of an operand begin where vectors may.
bool is_aligned(const stencil_argument& argument, const operand_type& type, int width, int rank) {
    const std::int64_t bytes = vector_bytes(type, width), size = static_cast<std::int64_t>(type.size);
    bool are_all = reinterpret_cast<std::uintptr_t>(argument.data) % static_cast<std::uintptr_t>(bytes) == 0;
    for (int axis = 0; axis < rank - 1; ++axis) are_all = are_all && argument.strides[axis] * size % bytes == 0;
    return are_all;
}

/// The elements of a thread: so many neighbours, and such vectors.
struct thread_shape {
    std::int64_t width, vectors;
};

/// Whether arrays can be divided among such threads: along the axes in which a thread has several elements there are as
/// many, and where there are several rows they consist of whole vectors.
template <int N> bool divides(const thread_shape& of, const stencil_call& call) {
    if (N == 1) return call.extents[0] >= of.width;
    return call.extents[N - 1] % of.width == 0 && call.extents[marched_axis(N)] >= of.vectors;
}

/// Adds an operand as device/stencil.hpp reads it.
template <int N> void add_operand(parameters& all, const stencil_argument& given, const operand_type* type) {
    stencil_place<N> place{given.is_value ? nullptr : given.data, {}};
    std::copy_n(given.strides, N, place.strides);
    if (type)
        all.add(place, *type, given.is_value ? given.data : nullptr);
    else
        all.add(place);
}

/// Adds all operands of a call: arrays around and outputs by add_array(argument, type, role).
template <int N, class Add>
void add_operands(parameters& all, const stencil_code& code, const stencil_call& call, const Add& add_array) {
    for (int i = 0; i < code.operands; ++i) {
        const stencil_argument& given = call.arguments[i];
        if (code.roles[i] == stencil_role::whole)
            all.add(*static_cast<const whole_array*>(given.data));
        else if (code.roles[i] == stencil_role::value)
            add_operand<N>(all, given, &code.types[i]);
        else
            add_array(given, code.types[i], code.roles[i]);
    }
}

/// Plans several steps of a call. Rows of tiles are counted in 32 bits, and shared memory begins at a multiple of 16
/// bytes.
template <int N> int plan(const stencil_code& code, const stencil_call& call) {
    call.tiling->steps = 1;
    if (N > 2 || !code.instances[static_cast<int>(stencil_layout::tiles)]) return 0;
    tiling_traits traits{};
    traits.rank = N;
    for (int axis = 0; axis < std::min(N, 2); ++axis) {
        const std::int64_t most = std::int64_t{1} << (N > 1 && axis == 0 ? 23 : 30);
        if (call.extents[axis] >= most) return 0;
        traits.extents[axis] = call.extents[axis];
        traits.margin[axis] = std::max(code.reach[2 * axis], code.reach[2 * axis + 1]);
    }
    traits.per_thread = code.per_thread;
    traits.reads = code.reads;
    for (int i = 0; i < code.operands; ++i) {
        if (code.roles[i] != stencil_role::result) continue;
        constexpr unsigned int most_aligned = 16;
        if (code.types[i].alignment > most_aligned) return 0;
        traits.cell_bytes += code.types[i].size;
    }
    int most_bytes = 0;
    if (const int status = code.file->shared_memory(&most_bytes)) return status;
    traits.shared_bytes = most_bytes;
    if (const int status = code.file->occupancy(code.instances[static_cast<int>(stencil_layout::tiles)],
                                                stencil_tile_threads, &traits.resident_blocks, &traits.multiprocessors))
        return status;
    *call.tiling = plan_tiles(traits, call.steps);
    return 0;
}

/// Launches several steps of a call, as planned.
template <int N> int launch_several(const stencil_code& code, const stencil_call& call, CUstream_st* stream) {
    const stencil_tiling& tiling = *call.tiling;
    stencil_tiles<N> tiles{};
    std::copy_n(call.extents, N, tiles.grid.extents);
    tiles.cells = tiling.cells;
    tiles.steps = static_cast<std::int32_t>(call.steps);
    std::int64_t blocks = 1;
    for (int axis = 0; axis < N; ++axis) {
        tiles.tile[axis] = tiling.tile[axis];
        const std::int64_t count = divided(call.extents[axis], tiling.tile[axis]);
        blocks *= count;
        tiles.grid.tiles[axis] = divider<std::uint32_t>::by(static_cast<std::uint32_t>(count));
    }
    parameters all;
    std::uint32_t shared_bytes = 0, of_output = 0;
    add_operands<N>(all, code, call, [&](const stencil_argument& given, const operand_type& type, stencil_role role) {
        std::uint32_t& begin = role == stencil_role::around ? shared_bytes : of_output;
        stencil_stepped_place<N> stepped{{given.data, {}}, begin};
        std::copy_n(given.strides, N, stepped.place.strides);
        all.add(stepped);
        begin += 2 * static_cast<std::uint32_t>(tiles.cells) * type.size;
    });
    all.add(tiles);
    return code.file->launch({.kernel = code.instances[static_cast<int>(stencil_layout::tiles)],
                              .blocks = {static_cast<unsigned int>(blocks), 1, 1},
                              .threads = stencil_tile_threads,
                              .shared_bytes = shared_bytes,
                              .has_barriers = true,
                              .stream = stream,
                              .arguments = all.addresses()});
}

/// Returns what the shape of a launch's blocks depends on.
template <int N>
block_traits traits_of(const stencil_code& code, const stencil_call& call, const std::int64_t (&of_thread)[3],
                       int most_log2) {
    constexpr std::int64_t sector = 32, line = 128;  // bytes
    std::int64_t size = 1;
    for (int i = 0; i < code.operands; ++i)
        if (code.roles[i] == stencil_role::around) size = std::max(size, static_cast<std::int64_t>(code.types[i].size));
    block_traits traits{};
    while (1 << traits.threads_log2 < code.threads) ++traits.threads_log2;
    for (int axis = 0; axis < 3; ++axis) {
        traits.extents[axis] = call.extents[N - 3 + axis];
        traits.of_thread[axis] = of_thread[axis];
        for (int side = 0; side < 2; ++side) {
            const std::int64_t reach = code.reach[2 * (N - 3 + axis) + side];
            traits.beside[axis] += axis < 2 ? reach : divided(divided(reach * size, sector) * sector, size);
        }
    }
    while (of_thread[2] * size << traits.least_columns_log2 < line) ++traits.least_columns_log2;
    traits.most_columns_log2 = most_log2;
    return traits;
}

template <int N> int launch_tiles(const stencil_code& code, const stencil_call& call, CUstream_st* stream) {
    bool are_rows = true, are_aligned = code.instances[static_cast<int>(stencil_layout::vectors)] != nullptr;
    parameters all;
    add_operands<N>(all, code, call, [&](const stencil_argument& given, const operand_type& type, stencil_role) {
        are_rows = are_rows && has_rows(given, call, N) && is_small(given, call, N);
        are_aligned = are_aligned && is_aligned(given, type, code.width, N);
        add_operand<N>(all, given, nullptr);
    });
    const thread_shape vectors{code.width, code.vectors}, elements{1, code.per_thread};
    const stencil_layout layout = are_rows && are_aligned && divides<N>(vectors, call) ? stencil_layout::vectors
                                  : are_rows && divides<N>(elements, call)             ? stencil_layout::rows
                                                                                       : stencil_layout::strided;
    const bool has_vectors = layout == stencil_layout::vectors;
    const thread_shape of_thread = has_vectors                      ? vectors
                                   : layout == stencil_layout::rows ? elements
                                                                    : thread_shape{1, 1};
    stencil_grid<N> grid{};
    std::copy_n(call.extents, N, grid.extents);
    std::int64_t tile[N], blocks = 1;
    std::fill_n(tile, N, 1);
    const int most_log2 = has_vectors ? most_vectors_log2 : most_columns_log2;
    if constexpr (N == 1) {
        tile[0] = code.threads;
    } else if constexpr (N == 2) {
        while (grid.columns_log2 < most_log2 && call.extents[1] > of_thread.width << grid.columns_log2)
            ++grid.columns_log2;
        tile[1] = std::int64_t{1} << grid.columns_log2;
        tile[0] = code.threads >> grid.columns_log2;
    } else {
        const block_shape shape =
            choose_block(traits_of<N>(code, call, {of_thread.vectors, 1, of_thread.width}, most_log2));
        grid.columns_log2 = shape.columns_log2;
        grid.rows_log2 = shape.rows_log2;
        tile[N - 1] = std::int64_t{1} << shape.columns_log2;
        tile[N - 2] = std::int64_t{1} << shape.rows_log2;
        tile[N - 3] = code.threads >> shape.columns_log2 >> shape.rows_log2;
    }
    tile[N - 1] *= of_thread.width;
    tile[marched_axis(N)] *= of_thread.vectors;
    for (int axis = 0; axis < N; ++axis) {
        const std::int64_t tiles = divided(call.extents[axis], tile[axis]);
        blocks *= tiles;
        grid.tiles[axis] = divider<std::uint32_t>::by(static_cast<std::uint32_t>(tiles));
    }
    // Of four axes, the first has a block for each of its elements.
    if (blocks > max_grid_blocks) return invalid_configuration;
    all.add(grid);
    return code.file->launch({.kernel = code.instances[static_cast<int>(layout)],
                              .blocks = {static_cast<unsigned int>(blocks), 1, 1},
                              .threads = static_cast<unsigned int>(code.threads),
                              .shared_bytes = 0,
                              .has_barriers = false,
                              .stream = stream,
                              .arguments = all.addresses()});
}

template <int N> int launch_call(const stencil_code& code, const stencil_call& call, CUstream_st* stream) {
    if (call.tiling && call.tiling->steps == 0) return plan<N>(code, call);
    if constexpr (N <= 2)
        if (call.steps > 1) return launch_several<N>(code, call, stream);
    return launch_tiles<N>(code, call, stream);
}

}  // namespace

int launch(const stencil_code& code, const stencil_call& call, CUstream_st* stream) {
    static_assert(max_index_rank == 4, "a case for each rank");
    switch (code.rank) {
    case 1:
        return launch_call<1>(code, call, stream);
    case 2:
        return launch_call<2>(code, call, stream);
    case 3:
        return launch_call<3>(code, call, stream);
    default:
        return launch_call<4>(code, call, stream);
    }
}

}  // namespace foldwise::detail
