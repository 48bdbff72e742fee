// runtime/src/forall/forall_grid.hpp: distributes the tasks of a call over blocks.
#pragma once

#include <foldwise/detail/forall_code.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>

namespace foldwise::detail {

/// Chooses the sides of the tiles of one call.
template <int N> class tile_choice {
  public:
    /// Tiles are as long as possible along the last axis if they are `linear`, and otherwise up to a warp's 32 tasks.
    tile_choice(const forall_call& call, int bits_of_block, bool is_linear = false)
        : call_(call), left_(bits_of_block), is_linear_(is_linear) {
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
        if (N > 1 && call_.walk.across < 0 && is_a_fifth_idle(blocks, least))
            number_tasks(grid, threads, least);
        else
            number_tiles(grid, low, blocks);
        return grid;
    }

    /// Returns a grid whose threads have several tasks far apart along the longest axis.
    forall_grid<N> spread_grid() {
        const auto axis = std::max_element(counts_, counts_ + N) - counts_;
        std::int64_t step = (counts_[axis] + tasks_of_thread - 1) / tasks_of_thread;
        if (axis == N - 1) step = (step + aligned_step - 1) / aligned_step * aligned_step;
        counts_[axis] = step;
        forall_grid<N> result = grid();
        for (int i = 0; i < N; ++i) result.ends[i] = static_cast<std::uint32_t>(result.extents[i]);
        result.steps[axis] = static_cast<std::int32_t>(step);
        result.ends[axis] = static_cast<std::uint32_t>(step + (axis == 0 ? call_.first : 0));
        return result;
    }

    /// Returns a grid whose threads have several neighbouring tasks along an axis other than the last. Returns nothing
    /// if too many threads would have no task, or if a last axis is so short that a large part of the tasks is at its
    /// edges: where some tasks of a warp read no neighbours and others do, it runs for both.
    std::optional<forall_grid<N>> grid_of_rows(int row) {
        const int threads = left_;
        if (N > 1 && counts_[N - 1] < least_columns) return std::nullopt;
        begin_rows(row);
        const std::uint64_t least = blocks_for_all(threads);
        std::uint64_t blocks = 0;
        const auto is_filled = [&](int column_bits) {
            std::fill(bits_, bits_ + N, 0);
            left_ = threads;
            take(N - 1, column_bits);
            take(row, left_);
            for (int axis = N - 2; axis >= 0; --axis)
                if (axis != row) take(axis, left_);
            blocks = tile_count();
            return left_ == 0 && threads - bits_[row] >= task_bits && !is_a_fifth_idle(blocks, least);
        };
        // Tiles have 32 columns, more where there are few rows, and 16 where the ends of rows would otherwise leave too
        // many lanes idle.
        bool found = false;
        for (int bits = warp_bits; !found && bits <= threads; ++bits) found = is_filled(bits);
        if (!found && !is_filled(warp_bits - 1)) return std::nullopt;
        forall_grid<N> grid{};
        finish_rows(grid, row, blocks, 0);
        return grid;
    }

    /// Returns such a grid whose blocks exchange elements through so many tiles in shared memory, a power of two.
    /// Tiles are longer along one of the two axes where the other one is short, and extend along other axes where both
    /// are; and more of their threads may be idle: without tiles, memory is accessed in parts of sectors. The tiles of
    /// a block are neighbours along the axis `beside`. Tiles are shorter, or neighbours along another axis, where more
    /// than a fifth of the blocks can be spared by that. Returns nothing if half of the threads, or half of each
    /// thread's tasks, would be missing.
    std::optional<forall_grid<N>> staged_grid(const forall_code& code) {
        const int threads = left_, row = code.row;
        if (2 * call_.tasks[row] <= tasks_of_thread) return std::nullopt;  // half of what each thread would do
        const int tile_bits = std::countr_zero(static_cast<unsigned int>(code.staged_tiles));
        forall_grid<N> grid{};
        const bool are_rows_cut = find_row_starts(code, grid);
        begin_rows(row);
        std::uint64_t least = ~std::uint64_t{0}, blocks = 0;
        each_staged_shape(threads, tile_bits, code, [&](int) {
            least = std::min(least, tile_count());
            return false;
        });
        int beside = -1;
        each_staged_shape(threads, tile_bits, code, [&](int axis) {
            blocks = tile_count();
            beside = axis;
            return !is_a_fifth_idle(blocks, least);
        });
        if (beside < 0 || blocks > 2 * blocks_for_all(threads + tile_bits)) return std::nullopt;
        if (are_rows_cut) blocks = moved_blocks(code, grid, blocks);
        bits_[beside] -= tile_bits;
        finish_rows(grid, row, blocks, row);
        for (int axis = 0; axis < N; ++axis) grid.staged_bits[axis] = grid.bits[axis];
        grid.steps[beside] = std::int32_t{1} << grid.bits[beside];
        grid.bits[beside] += tile_bits;
        bits_[beside] += tile_bits;
        for (int axis = 0; axis < N; ++axis) grid.tiles[axis] = divider_of_tiles(axis);
        grid.is_in_row_major = blocks_between_neighbours(code.order) <= most_blocks_between;
        return grid;
    }

  private:
    static constexpr int warp_bits = 5;
    /// With fewer columns, more than a quarter of them are at the edges of what has a reach of one; with two to eight,
    /// eleven of thirteen stencils took 1.3 to 2.4 times as long in such tiles: notes/forall-tiles.md, *Stencils of
    /// halves, of few rows and of short ones*.
    static constexpr std::int64_t least_columns = 9;
    static constexpr int task_bits = std::countr_zero(static_cast<unsigned int>(tasks_of_thread));
    static constexpr int sector_bytes = 32;  // what GPUs read and write of memory at least
    /// Rows are as well aligned after this many elements as at their beginnings.
    static constexpr std::int64_t aligned_step = 128;
    /// With at most so many blocks between those that are neighbours in what is written, blocks walk in row-major
    /// order. Some 800 blocks of a large GPU run at once, so the memory written meanwhile is then in pieces of 25
    /// blocks or more, and what is read is near, too. On an H200, row-major order took 215 us instead of 241 where
    /// there were 8 blocks between neighbours (464^3 floats), 198 instead of 208 where there were 16 (rows of 1000),
    /// 220 instead of 209 where there were 79 (rows of 5000), and 218 instead of 207 where there were 157 (rows of
    /// 10^4).
    static constexpr std::uint64_t most_blocks_between = 32;
    static constexpr std::uint64_t most_flat_tasks = std::uint64_t{1} << 31;

    /// Returns whether more than a fifth of these blocks could be spared.
    static bool is_a_fifth_idle(std::uint64_t blocks, std::uint64_t least) { return blocks * 4 > least * 5; }

    static int width_of(std::uint64_t number) { return static_cast<int>(std::bit_width(number)); }

    /// Lengthens the tile along an axis, but not beyond the tasks there.
    void take(int axis, int most) {
        const int wanted = width_of(static_cast<std::uint64_t>(counts_[axis] - 1)) - bits_[axis];
        int taken = wanted < left_ ? wanted : left_;
        taken = taken < most ? taken : most;
        bits_[axis] += taken;
        left_ -= taken;
    }

    /// Sets where in a sector the rows begin that tasks write, if the kernel can take account of that. Returns whether
    /// some begin elsewhere than at a sector.
    bool find_row_starts(const forall_code& code, forall_grid<N>& grid) const {
        if (code.sector_elements == 0) return false;
        const forall_argument& view = call_.arguments[code.written_parameter];
        const int rank = code.ranks[code.written_parameter], axis = code.order[N - 1];
        // Tasks that are moved to coordinates before the first one would exist.
        if (axis == 0 && call_.first != 0) return false;
        const auto within = static_cast<std::uint8_t>(code.sector_elements - 1);
        const auto address = reinterpret_cast<std::uintptr_t>(view.data);
        const auto size = static_cast<std::uintptr_t>(sector_bytes / code.sector_elements);
        if (address % size != 0) return false;
        bool are_rows_cut = false;
        const auto in_sector = [&](std::uintptr_t elements) {
            const auto place = static_cast<std::uint8_t>(elements & within);
            are_rows_cut |= place != 0;
            return place;
        };
        grid.first_in_sector = in_sector(address / size);
        for (int own = 0; own + 1 < rank; ++own)
            grid.row_steps[code.order[N - rank + own]] = in_sector(static_cast<std::uintptr_t>(view.strides[own]));
        return are_rows_cut;
    }

    /// Has the blocks of a grid begin to write at sectors, and returns how many there are then; there may have to be
    /// some more. Leaves the grid as it is, and returns `blocks`, if more than a fifth of them could be spared.
    std::uint64_t moved_blocks(const forall_code& code, forall_grid<N>& grid, std::uint64_t blocks) {
        const int axis = code.order[N - 1], within = code.sector_elements - 1;
        const std::int64_t own = counts_[axis];
        counts_[axis] = axis == code.row ? (call_.tasks[axis] + within + tasks_of_thread - 1) / tasks_of_thread
                                         : call_.tasks[axis] + within;
        const std::uint64_t moved = tile_count();
        if (is_a_fifth_idle(moved, blocks)) {
            counts_[axis] = own;
            return blocks;
        }
        grid.within_sector = static_cast<std::uint8_t>(within);
        return moved;
    }

    /// Counts the tasks along `row`, of which each thread has several, by threads.
    void begin_rows(int row) { counts_[row] = (counts_[row] + tasks_of_thread - 1) / tasks_of_thread; }

    /// Sets the sides of blocks with 2^tile_bits tiles, in all shapes that suit shared memory, the preferred ones
    /// first, and calls visit(the axis along which the tiles are neighbours), until that returns true.
    template <class Visit>
    void each_staged_shape(int threads, int tile_bits, const forall_code& code, const Visit& visit) {
        int axes[N + 3] = {code.beside, code.row, N - 1};
        for (int axis = 0; axis < N; ++axis) axes[3 + axis] = N - 1 - axis;
        for (int side = threads; side >= warp_bits; --side) {
            std::fill(bits_, bits_ + N, 0);
            left_ = threads;
            take(N - 1, warp_bits);
            take(code.row, std::min(left_, side - task_bits));
            take(N - 1, std::min(left_, side - bits_[N - 1]));
            for (int axis = N - 2; axis >= 0; --axis)
                if (axis != code.row) take(axis, left_);
            if (left_ > 0) continue;
            side = std::max(bits_[N - 1], bits_[code.row] + task_bits);
            for (const int axis : axes) {
                bits_[axis] += tile_bits;
                if (visit(axis)) return;
                bits_[axis] -= tile_bits;
            }
        }
    }

    /// Numbers tiles of several tasks for each thread along `row`, and a tile's threads along the axis `highest` last.
    void finish_rows(forall_grid<N>& grid, int row, std::uint64_t blocks, int highest) const {
        for (int axis = 0; axis < N; ++axis) grid.extents[axis] = call_.tasks[axis];
        grid.first = call_.first;
        number_tiles(grid, 0, blocks, highest);
        grid.bits[row] += task_bits;
        grid.high[row] <<= task_bits;
        grid.shifts[row] -= task_bits;
    }

    /// Takes tasks along the last axis, and the rest along the axes before it, nearest first. Returns 0.
    int along_rows() {
        take(N - 1, N == 1 || is_linear_ ? left_ : warp_bits);
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
        return (static_cast<std::uint64_t>(counts_[axis]) + side - 1) >> bits_[axis];
    }
    std::uint64_t tile_count() const {
        std::uint64_t all = 1;
        for (int axis = 0; axis < N; ++axis) all *= tiles_along(axis);
        return all;
    }
    /// Returns how far apart in row-major order blocks are that are neighbours in this order of axes.
    std::uint64_t blocks_between_neighbours(const int* order) const {
        int place = N - 1;
        while (place > 0 && tiles_along(order[place]) == 1) --place;
        std::uint64_t between = 1;
        for (int axis = order[place] + 1; axis < N; ++axis) between *= tiles_along(axis);
        return between;
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

    /// Numbers the tiles, and a tile's tasks along the last axis first and the axis `highest` last.
    void number_tiles(forall_grid<N>& grid, int low, std::uint64_t blocks, int highest = 0) const {
        int used = low;
        for (int step = 0; step < N; ++step) {
            const int next = N - 1 - step;
            const int axis = step == N - 1 ? highest : next <= highest ? next - 1 : next;
            const int own = axis == call_.walk.across ? low : 0;
            grid.bits[axis] = bits_[axis];
            grid.low[axis] = (1u << own) - 1;
            grid.high[axis] = ((1u << bits_[axis]) - 1) & ~grid.low[axis];
            grid.shifts[axis] = used - own;
            used += bits_[axis] - own;
            if (axis > 0) grid.tiles[axis] = divider_of_tiles(axis);
        }
        grid.blocks = static_cast<unsigned int>(blocks);
    }

    divider<std::uint32_t> divider_of_tiles(int axis) const {
        return divider<std::uint32_t>::by(static_cast<std::uint32_t>(tiles_along(axis)));
    }

    const forall_call& call_;
    int left_;
    bool is_linear_;
    std::int64_t counts_[N];
    int bits_[N] = {};
};

/// Returns how many threads blocks have that take one task each, as a power of two and at most `most`. Few tasks are
/// shared by small blocks, down to one of a warp, so that as many multiprocessors as large GPUs have work on them.
inline int bits_of_small_block(std::int64_t tasks, int most) {
    constexpr std::int64_t multiprocessors = 128;
    constexpr int warp_bits = 5;
    int bits = warp_bits;
    while (bits < most && tasks > multiprocessors << bits) ++bits;
    return bits;
}

/// Returns the grid of a call whose blocks have 2^bits_of_block threads.
template <int N> forall_grid<N> grid_of(const forall_call& call, int bits_of_block) {
    return tile_choice<N>(call, bits_of_block).grid();
}

/// Returns the grid of a call of a `several` kernel, or nothing if such a kernel does not suit the call.
template <int N>
std::optional<forall_grid<N>> several_grid_of(const forall_code& code, const forall_call& call, int bits_of_block) {
    if (code.row == far_apart) return tile_choice<N>(call, bits_of_block, code.is_linear).spread_grid();
    tile_choice<N> choice(call, bits_of_block);
    if constexpr (N > 1)
        if (code.staged_tiles > 0) return choice.staged_grid(code);
    return choice.grid_of_rows(code.row);
}

/// Returns whether so few places of a grid's tiles in shared memory are without a task that it is faster than vectors.
/// Of 19 permutations with two long axes on an H200, the four with less than three quarters of the places filled took
/// 0.31 to 0.87 of the time by strips of vectors, and the others, with at least 77 %, 0.7 to 1.36.
template <int N>
bool are_tiles_filled(const forall_grid<N>& grid, const forall_code& code, const forall_call& call, int threads) {
    const std::int64_t places = std::int64_t{grid.blocks} * threads * tasks_of_thread * code.staged_tiles;
    return 4 * call.count >= 3 * places;
}

}  // namespace foldwise::detail
