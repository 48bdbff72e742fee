// runtime/src/stencil/launch_stencil.cpp: cuts the elements of a call into tiles, and launches its kernel.
#include "gpu/parameters.hpp"

#include <foldwise/detail/stencil_code.hpp>

#include <algorithm>
#include <cstdint>

namespace foldwise::detail {

namespace {

/// The most columns of a tile of several axes. Wider tiles have fewer rows, and load more of the rows beside them.
constexpr int most_columns_log2 = 6;

std::int64_t divided(std::int64_t number, std::int64_t by) { return (number + by - 1) / by; }

/// Whether the last stride of an operand is one element, or is never taken.
bool has_rows(const stencil_argument& argument, const stencil_call& call, int rank) {
    return argument.strides[rank - 1] == 1 || call.extents[rank - 1] == 1;
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

template <int N> int launch_tiles(const stencil_code& code, const stencil_call& call, CUstream_st* stream) {
    bool are_rows = true;
    parameters all;
    for (int i = 0; i < code.operands; ++i) {
        const stencil_argument& given = call.arguments[i];
        switch (code.roles[i]) {
        case stencil_role::whole:
            all.add(*static_cast<const whole_array*>(given.data));
            break;
        case stencil_role::value:
            add_operand<N>(all, given, &code.types[i]);
            break;
        default:
            are_rows = are_rows && has_rows(given, call, N);
            add_operand<N>(all, given, nullptr);
        }
    }
    const stencil_layout layout = are_rows ? stencil_layout::rows : stencil_layout::strided;
    const std::int64_t per_thread = are_rows ? code.per_thread : 1;
    stencil_grid<N> grid{};
    std::copy_n(call.extents, N, grid.extents);
    std::int64_t tile[N], blocks = 1;
    std::fill_n(tile, N, 1);
    if (N == 1) {
        tile[0] = code.threads;
    } else {
        while (grid.columns_log2 < most_columns_log2 && call.extents[N - 1] > std::int64_t{1} << grid.columns_log2)
            ++grid.columns_log2;
        tile[N - 1] = std::int64_t{1} << grid.columns_log2;
        tile[N - 1 - (N > 1)] = code.threads >> grid.columns_log2;
    }
    tile[marched_axis(N)] *= per_thread;
    for (int axis = 0; axis < N; ++axis) {
        const std::int64_t tiles = divided(call.extents[axis], tile[axis]);
        blocks *= tiles;
        grid.tiles[axis] = divider<std::uint32_t>::by(static_cast<std::uint32_t>(tiles));
    }
    all.add(grid);
    return code.file->launch({.kernel = code.instances[static_cast<int>(layout)],
                              .blocks = {static_cast<unsigned int>(blocks), 1, 1},
                              .threads = static_cast<unsigned int>(code.threads),
                              .shared_bytes = 0,
                              .has_barriers = false,
                              .stream = stream,
                              .arguments = all.addresses()});
}

}  // namespace

int launch(const stencil_code& code, const stencil_call& call, CUstream_st* stream) {
    static_assert(max_index_rank == 4, "a case for each rank");
    switch (code.rank) {
    case 1:
        return launch_tiles<1>(code, call, stream);
    case 2:
        return launch_tiles<2>(code, call, stream);
    case 3:
        return launch_tiles<3>(code, call, stream);
    default:
        return launch_tiles<4>(code, call, stream);
    }
}

}  // namespace foldwise::detail
