// runtime/src/forall/forall_grid.hpp: distributes the tasks of a call over blocks.
#pragma once

#include <foldwise/detail/forall_code.hpp>

#include <bit>
#include <cstdint>

namespace foldwise::detail {

/// Returns the grid of a call whose blocks have 2^bits_of_block threads. A tile takes up to a warp's 32 tasks along the
/// last axis, along which memory is contiguous, then as many as possible along the other axes; what they leave goes to
/// the last axis, too.
template <int N> forall_grid<N> grid_of(const forall_call& call, int bits_of_block) {
    constexpr int warp_bits = 5;
    forall_grid<N> grid{};
    std::int64_t counts[N];
    for (int axis = 0; axis < N; ++axis) counts[axis] = grid.extents[axis] = call.tasks[axis];
    counts[0] -= grid.first = call.first;
    int left = bits_of_block;
    const auto take = [&](int axis, int most) {
        const auto count = static_cast<std::uint64_t>(counts[axis]);
        const int wanted = static_cast<int>(std::bit_width(count - 1)) - grid.bits[axis];
        const int taken = wanted < left ? wanted : left;
        grid.bits[axis] += taken < most ? taken : most;
        left -= taken < most ? taken : most;
    };
    take(N - 1, N == 1 ? left : warp_bits);
    for (int axis = N - 2; axis >= 0; --axis) take(axis, left);
    take(N - 1, left);
    grid.bits[0] += left;  // fewer tasks than threads

    std::uint64_t blocks = 1;
    for (int axis = 0; axis < N; ++axis) {
        const auto side = std::uint64_t{1} << grid.bits[axis];
        const std::uint64_t tiles = (static_cast<std::uint64_t>(counts[axis]) + side - 1) / side;
        grid.tiles[axis] = divider<std::uint32_t>::by(axis == 0 ? 1 : static_cast<std::uint32_t>(tiles));
        blocks *= tiles;
    }
    grid.blocks = static_cast<unsigned int>(blocks);
    return grid;
}

}  // namespace foldwise::detail
