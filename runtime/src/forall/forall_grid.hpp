// runtime/src/forall/forall_grid.hpp: distributes the tasks of a call over blocks.
#pragma once

#include <foldwise/detail/forall_code.hpp>

#include <bit>
#include <cstdint>

namespace foldwise::detail {

/// Chooses the sides of the tiles of one call.
template <int N> class tile_choice {
  public:
    tile_choice(const forall_call& call, int bits_of_block) : call_(call), left_(bits_of_block) {
        for (int axis = 0; axis < N; ++axis) counts_[axis] = call.tasks[axis];
        counts_[0] -= call.first;
    }

    forall_grid<N> grid() {
        forall_grid<N> grid{};
        const int threads = left_;
        const int low = call_.walk.across < 0 ? along_rows() : across_rows();
        for (int axis = 0; axis < N; ++axis) grid.extents[axis] = call_.tasks[axis];
        grid.first = call_.first;
        const std::uint64_t blocks = tile_count(), least = blocks_for_all(threads);
        if (N > 1 && call_.walk.across < 0 && blocks * 4 > least * 5)
            number_tasks(grid, threads, least);
        else
            number_tiles(grid, low, blocks);
        return grid;
    }

  private:
    static constexpr int warp_bits = 5;
    static constexpr std::uint64_t most_flat_tasks = std::uint64_t{1} << 31;

    static int width_of(std::uint64_t number) { return static_cast<int>(std::bit_width(number)); }

    /// Lengthens the tile along an axis, but not beyond the tasks there.
    void take(int axis, int most) {
        const int wanted = width_of(static_cast<std::uint64_t>(counts_[axis] - 1)) - bits_[axis];
        int taken = wanted < left_ ? wanted : left_;
        taken = taken < most ? taken : most;
        bits_[axis] += taken;
        left_ -= taken;
    }

    /// Takes up to a warp's 32 tasks along the last axis, and the rest along the axes before it, nearest first. Returns
    /// 0.
    int along_rows() {
        take(N - 1, N == 1 ? left_ : warp_bits);
        take_rest();
        return 0;
    }

    /// Takes as many tasks along the last axis as along the one across, so that memory is accessed in whole sectors
    /// along both. Returns how many bits of a thread's number count along the axis across before others count along the
    /// last one: enough for a sector.
    int across_rows() {
        const int across = call_.walk.across;
        take(across, call_.walk.last_tasks > 1 ? left_ / 2 : left_);
        take(N - 1, left_);
        take(across, left_);
        const int sector = width_of(static_cast<std::uint64_t>(call_.walk.across_tasks)) - 1;
        const int low = sector < bits_[across] ? sector : bits_[across];
        take_rest();
        return low;
    }

    void take_rest() {
        for (int axis = N - 2; axis >= 0; --axis) take(axis, left_);
        take(N - 1, left_);
        bits_[0] += left_;  // fewer tasks than threads
        left_ = 0;
    }

    std::uint64_t tiles_along(int axis) const {
        const auto side = std::uint64_t{1} << bits_[axis];
        return (static_cast<std::uint64_t>(counts_[axis]) + side - 1) / side;
    }
    std::uint64_t tile_count() const {
        std::uint64_t all = 1;
        for (int axis = 0; axis < N; ++axis) all *= tiles_along(axis);
        return all;
    }
    /// Returns the number of blocks if every thread but some of the last block's has a task; or as many as there could
    /// be if 31 bits do not count the tasks.
    std::uint64_t blocks_for_all(int threads) const {
        std::uint64_t tasks = 1;
        for (int axis = 0; axis < N; ++axis) tasks *= static_cast<std::uint64_t>(counts_[axis]);
        if (tasks >= most_flat_tasks) return ~std::uint64_t{0} / 8;
        return (tasks + (std::uint64_t{1} << threads) - 1) >> threads;
    }

    void number_tasks(forall_grid<N>& grid, int threads, std::uint64_t blocks) const {
        for (int axis = 0; axis < N; ++axis)
            grid.tiles[axis] = divider<std::uint32_t>::by(axis == 0 ? 1 : static_cast<std::uint32_t>(counts_[axis]));
        grid.flat_bits = threads;
        grid.blocks = static_cast<unsigned int>(blocks);
    }

    void number_tiles(forall_grid<N>& grid, int low, std::uint64_t blocks) const {
        int used = low;
        for (int step = 0; step < N; ++step) {
            const int axis = N - 1 - step;
            const int own = axis == call_.walk.across ? low : 0;
            grid.bits[axis] = bits_[axis];
            grid.low[axis] = (1u << own) - 1;
            grid.high[axis] = ((1u << bits_[axis]) - 1) & ~grid.low[axis];
            grid.shifts[axis] = used - own;
            used += bits_[axis] - own;
            grid.tiles[axis] =
                divider<std::uint32_t>::by(axis == 0 ? 1 : static_cast<std::uint32_t>(tiles_along(axis)));
        }
        grid.blocks = static_cast<unsigned int>(blocks);
    }

    const forall_call& call_;
    int left_;
    std::int64_t counts_[N];
    int bits_[N] = {};
};

/// Returns the grid of a call whose blocks have 2^bits_of_block threads.
template <int N> forall_grid<N> grid_of(const forall_call& call, int bits_of_block) {
    return tile_choice<N>(call, bits_of_block).grid();
}

}  // namespace foldwise::detail
