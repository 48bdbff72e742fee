// foldwise/device/forall.hpp: which thread runs which task, and how views reach a kernel.
#pragma once

#include <foldwise/detail/checks.hpp>
#include <foldwise/detail/forall_kernel.hpp>
#include <foldwise/device/divide.hpp>
#include <foldwise/device/launch.hpp>
#include <foldwise/device/platform.hpp>
#include <foldwise/spec/index.hpp>
#include <foldwise/spec/view.hpp>

#include <bit>
#include <cstdint>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

/// What is known of all views of a launch. Kernels are compiled once for each.
enum class view_layout {
    plain,    ///< Unit stride along the last axis; numbers of tasks and elements' distances have 32 bits.
    strided,  ///< Nothing is.
};

/// A view on its way into a kernel. From extents and strides of 32 bits, products of coordinates are one instruction.
template <class T, int N, view_layout Layout> struct view_parameter {
    static constexpr bool is_plain = Layout == view_layout::plain;
    using number = std::conditional_t<is_plain, std::int32_t, std::int64_t>;

    T* data;
    number extents[N];
    number strides[N];

    static view_parameter of(const foldwise::detail::forall_call& call, int argument) {
        const foldwise::detail::forall_argument& given = call.arguments[argument];
        view_parameter view;
        view.data = static_cast<T*>(given.data);
        for (int axis = 0; axis < N; ++axis) {
            view.extents[axis] = static_cast<number>(given.extents[axis]);
            view.strides[axis] = static_cast<number>(given.strides[axis]);
        }
        return view;
    }

    __device__ foldwise::view<T, N> view() const {
        std::int64_t wide_extents[N], wide_strides[N];
        for (int axis = 0; axis < N; ++axis) {
            wide_extents[axis] = extents[axis];
            wide_strides[axis] = is_plain && axis == N - 1 ? 1 : strides[axis];
        }
        return {data, wide_extents, wide_strides, is_plain};
    }
};

/// How tasks are dealt out: a block has a tile of neighbouring ones, whose sides are powers of two, and tiles are
/// numbered in row-major order.
template <int N> struct task_grid {
    std::int64_t extents[N];          ///< Where the tasks end,
    std::int64_t first;               ///< and begin, along the outermost axis;
    int bits[N];                      ///< extents of a tile, as powers of two,
    divider<std::uint32_t> tiles[N];  ///< and in tiles; the outermost one's is not used.
    unsigned int blocks;

    /// Most of a tile's bits go to the last axis, along which memory is contiguous, up to a warp's 32 tasks; what the
    /// others leave goes there as well.
    static task_grid of(const foldwise::detail::forall_call& call, int bits_of_block) {
        task_grid grid{};
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

    /// Where a thread's task is, or would be.
    template <class Coordinate>
    __host__ __device__ void place(unsigned int block, unsigned int thread, Coordinate* coordinates) const {
        for (int axis = N - 1; axis >= 0; --axis) {
            const unsigned int tile = axis == 0 ? block : tiles[axis].split(block);
            const unsigned int mask = (1u << bits[axis]) - 1;
            using number = std::make_unsigned_t<Coordinate>;
            number coordinate = (static_cast<number>(tile) << bits[axis]) + (thread & mask);
            if (axis == 0) coordinate += static_cast<number>(first);
            coordinates[axis] = static_cast<Coordinate>(coordinate);
            thread >>= bits[axis];
        }
    }

    static constexpr int warp_bits = 5;
};

static_assert(sizeof(task_grid<foldwise::detail::max_index_rank>) <= foldwise::detail::task_grid_bytes);

/// A thread's task.
template <int N, view_layout Layout> struct task {
    using coordinate = typename view_parameter<int, N, Layout>::number;

    __device__ explicit task(const task_grid<N>& grid) : grid_(grid) {
        grid.place(blockIdx.x, threadIdx.x, coordinates_);
    }

    /// Tiles reach over the tasks' edges.
    __device__ bool exists() const {
        using number = std::make_unsigned_t<coordinate>;  // in which what is beyond the largest extent is so, too
        bool inside = true;
        for (int axis = 0; axis < N; ++axis)
            inside = inside && static_cast<number>(coordinates_[axis]) < static_cast<number>(grid_.extents[axis]);
        return inside;
    }

    __device__ index<N> at() const {
        index<N> result;
        for (int axis = 0; axis < N; ++axis) result[axis] = coordinates_[axis];
        return result;
    }

  private:
    const task_grid<N>& grid_;
    coordinate coordinates_[N];
};

/// Calls launch<Layout>(grid) for the layout that the call's views have; returns what that returns.
template <int N, int Threads, class Launch>
int launch_tasks(const foldwise::detail::forall_call& call, const Launch& launch) {
    static_assert(N <= foldwise::detail::max_index_rank);
    static_assert(std::has_single_bit(static_cast<unsigned>(Threads)));
    const auto grid = task_grid<N>::of(call, static_cast<int>(std::bit_width(static_cast<unsigned>(Threads))) - 1);
    const auto run = [&] {
        return call.is_plain ? launch.template operator()<view_layout::plain>(grid)
                             : launch.template operator()<view_layout::strided>(grid);
    };
#ifdef FOLDWISE_LOOKS
    try {
        return run();
    } catch (foldwise::detail::check_failed& failed) {
        grid.place(failed.found.block[0], failed.found.thread[0], failed.found.task);
        failed.found.task_rank = N;
        throw;
    }
#else
    return run();
#endif
}

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
