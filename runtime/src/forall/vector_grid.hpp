// runtime/src/forall/vector_grid.hpp: distributes the tasks of a call over the threads of a `vectors` kernel.
#pragma once

#include <foldwise/detail/forall_code.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>

namespace foldwise::detail {

/// Rows of tasks with fewer vectors than this, or with fewer tasks than a warp has lanes, are short.
constexpr std::int64_t vectors_of_long_row = 8;

/// Rows of tasks whose vectors are numbered by strips: as vector_strips has them, with the axes of rows in place of
/// their numbers.
struct strip_choice {
    int begin = 0, end = 0;  ///< The rows of a group have different coordinates along the axes [begin, end).
    int width_log2 = 0;      ///< The vectors of a strip, as a power of two.
    bool has_parts = false;  ///< Whether rows with the same coordinate along the axis `begin` are a part of the group.
};

/// Returns the strips by which a block of so many threads transfers fewest sectors of all views, or nothing if one
/// vector after the other does about as well. `extents` are the tasks along each axis of call.order.
std::optional<strip_choice> choose_strips(const forall_call& call, const std::int64_t* extents, int rank, int width,
                                          int threads);

/// Returns the grid of a call of a `vectors` kernel, or nothing if such a kernel does not suit the call. Where views
/// are contiguous along two different axes that both have many tasks, tiles in shared memory do if there are any.
template <int N>
std::optional<vector_grid<N>> vector_grid_of(const forall_code& code, const forall_call& call, int threads,
                                             bool has_tiles) {
    constexpr int last = N - 1;
    if (call.first != 0 || call.count > std::numeric_limits<std::int32_t>::max()) return std::nullopt;
    vector_grid<N> grid{};
    std::int64_t across = 0;  // the tasks along the axis across, if there is one
    for (int axis = 0; axis < N; ++axis) {
        grid.extents[axis] = call.tasks[call.order[axis]];
        if (call.order[axis] == call.across_order) across = grid.extents[axis];
    }
    const std::int64_t long_row = std::min<std::int64_t>(vectors_of_long_row * code.width, warp_lanes);
    if (grid.extents[last] == 1 || (has_tiles && grid.extents[last] >= long_row && across >= long_row))
        return std::nullopt;
    // What is the same for a row is computed once for a vector that lies in one row, and for each task of another
    // vector: few of those of long rows do not, and none of those of rows that are whole vectors.
    if (code.needs_index && grid.extents[last] % code.width != 0 &&
        grid.extents[last] < vectors_of_long_row * code.width)
        return std::nullopt;
    const auto divider_by = [](std::int64_t count) {
        return divider<std::uint32_t>::by(static_cast<std::uint32_t>(count));
    };
    for (int axis = 0; axis < N; ++axis) grid.divided[axis] = divider_by(grid.extents[axis]);
    grid.tasks = static_cast<std::uint32_t>(call.count);
    const std::optional<strip_choice> strips =
        across > 0 ? choose_strips(call, grid.extents, N, code.width, threads) : std::nullopt;
    if (strips) {
        std::int64_t rows = 1, grouped = 1;
        for (int axis = 0; axis < strips->end; ++axis) {
            rows *= grid.extents[axis];
            if (axis >= strips->begin) grouped *= grid.extents[axis];
        }
        const std::int64_t row_tasks = call.count / rows, strip = std::int64_t{code.width} << strips->width_log2;
        const std::int64_t of_row = (row_tasks + strip - 1) / strip;
        const std::int64_t parts = strips->has_parts ? grid.extents[strips->begin] : 1;
        grid.strips = {.rows = static_cast<std::uint32_t>(rows),
                       .row_tasks = static_cast<std::uint32_t>(row_tasks),
                       .width_log2 = strips->width_log2,
                       .of_row = divider_by(of_row),
                       .grouped = divider_by(grouped),
                       .parts = divider_by(parts),
                       .part_rows = static_cast<std::uint32_t>(grouped / parts)};
    }
    return grid;
}

/// Returns how many blocks of so many vectors such a grid needs, whose vectors have so many tasks.
template <int N> unsigned int blocks_of(const vector_grid<N>& grid, int width, int vectors_of_block) {
    const vector_strips& strips = grid.strips;
    const std::int64_t vectors = strips.rows > 0
                                     ? std::int64_t{strips.rows} * strips.of_row.divisor << strips.width_log2
                                     : (std::int64_t{grid.tasks} + width - 1) / width;
    return static_cast<unsigned int>((vectors + vectors_of_block - 1) / vectors_of_block);
}

}  // namespace foldwise::detail
