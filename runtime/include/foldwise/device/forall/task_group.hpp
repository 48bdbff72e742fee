// foldwise/device/forall/task_group.hpp: which tasks a thread of a `several` kernel has, and where their elements lie
// in tiles in shared memory.
#pragma once

#include <foldwise/detail/forall_code.hpp>
#include <foldwise/detail/loop_hints.hpp>
#include <foldwise/device/forall/task.hpp>
#include <foldwise/device/platform.hpp>
#include <foldwise/device/view_parameter.hpp>
#include <foldwise/spec/index.hpp>

#include <cstdint>
#include <type_traits>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

using detail::far_apart;
using detail::tasks_of_thread;

/// What tasks do with a view. A task's own element is the one at the coordinates of its index, in a fixed order.
enum class task_access : std::uint8_t {
    near,     ///< They read elements around their own.
    reads,    ///< They read no element but their own.
    writes,   ///< They assign their own element, and touch no other.
    updates,  ///< They read and assign their own element, and touch no other.
};

/// A view of which it is known where tasks touch it, as a kernel's parameter. For each of the view's axes, Axes has the
/// axis of the index that it follows; -1 if it follows none, which only views that are read may have.
template <class T, int N, view_layout Layout, task_access Access, int... Axes>
struct task_parameter : view_parameter<T, N, Layout> {};

/// How a thread of a `several` kernel takes tasks. Along the axis Row they are neighbours; if it is -1, they are far
/// apart along an axis that the host has chosen. Reach has, for each axis of the index, how far from a task's own
/// coordinate elements are read.
template <int Row, int... Reach> struct task_rows {
    static constexpr int row = Row;
    static constexpr bool is_staged = false, begins_at_sectors = false;
    static constexpr int tasks = tasks_of_thread;

    __device__ static constexpr int reach(int axis) {
        constexpr int all[] = {Reach...};
        return all[axis];
    }
    /// Whether tasks read elements at other coordinates than their own.
    static constexpr bool has_reach = ((Reach > 0) || ...);
};

/// Rows of tasks whose elements go through shared memory. A thread takes neighbours in each of the block's Tiles, which
/// have the same shape. Order has the axes of the index in the order in which blocks walk along them if the grid does
/// not say that they do in row-major order: those that follow one another are neighbours along the last one.
template <class Rows, int Tiles, int... Order> struct staged_rows : Rows {
    static constexpr bool is_staged = true;
    static constexpr bool begins_at_sectors = false;
    static constexpr int tiles = Tiles;
    static constexpr int tasks = Tiles * tasks_of_thread;
    using order = detail::tile_order<Order...>;
};

/// Rows of tasks whose elements go through shared memory, where all that is written is contiguous along the last axis
/// of the order. If the grid says so, what a block writes begins and ends at sectors of memory, wherever the rows of
/// the view begin: in each row, tasks are moved back by the elements between the beginning of a sector and that of the
/// row. Where two blocks write parts of each sector at their edges, a transpose takes half as long again.
template <class Rows> struct sector_rows : Rows {
    static constexpr bool begins_at_sectors = true;
    using unmoved = Rows;
};

/// Rows of a kernel that has a `vectors` instance, whose threads take vectors of Width tasks that are neighbours. Order
/// has the axes of the index in the order in which these are numbered, the last one fastest: that of a view that they
/// write.
template <class Rows, int Width, int... Order> struct vector_rows : Rows {
    static constexpr int width = Width;
    static constexpr bool needs_index = false;

    /// Returns the place of an axis in the order.
    __device__ static constexpr int place_of(int axis) {
        constexpr int all[] = {Order...};
        int place = 0;
        while (all[place] != axis) ++place;
        return place;
    }
};

/// The same of a kernel whose tasks use their index for something else than to name elements.
template <class Rows, int Width, int... Order> struct indexed_rows : vector_rows<Rows, Width, Order...> {
    static constexpr bool needs_index = true;
};

/// The tasks of one thread.
template <int N, class Rows> class task_group {
  public:
    static constexpr int last = N - 1;
    static constexpr int row = Rows::row;
    static constexpr int tasks = Rows::tasks;
    static constexpr int task_bits = 2;
    static_assert(1 << task_bits == tasks_of_thread);
    /// Whether a thread asks of each of its tasks whether it exists, instead of running them together only if all do.
    /// Tiles in shared memory often extend beyond a short axis, so that tasks are missing everywhere, and the code is
    /// shorter. With sixteen tasks it would take 58 registers instead of 32.
    static constexpr bool asks_each = Rows::is_staged && !Rows::has_reach && tasks <= 2 * tasks_of_thread;

    __device__ explicit task_group(const forall_grid<N>& grid) : grid_(grid) {
        if constexpr (Rows::is_staged) {
            // Both places from the beginning: one from the other would take 10 more registers along four axes.
            if (Rows::order::is_row_major || grid.is_in_row_major) {
                grid.template place_in_tile<detail::rows_of_tiles>(blockIdx.x, threadIdx.x, first_);
                grid.template place_in_tile<detail::rows_of_tiles>(blockIdx.x, 0, corner_);
            } else {
                grid.template place_in_tile<typename Rows::order>(blockIdx.x, threadIdx.x, first_);
                grid.template place_in_tile<typename Rows::order>(blockIdx.x, 0, corner_);
            }
            for (int axis = 0; axis < N; ++axis) is_whole_ &= end_of_block(axis) <= end(axis);
            if constexpr (Rows::begins_at_sectors) is_whole_ &= corner_[Rows::order::axis(N - 1)] >= grid.within_sector;
        } else {
            grid.place(blockIdx.x, threadIdx.x, first_);
        }
    }
    /// Takes the tasks of a group of other Rows, whose grid moves none to sectors.
    template <class Others> __device__ explicit task_group(const task_group<N, Others>& moved) : grid_(moved.grid_) {
        for (int axis = 0; axis < N; ++axis) {
            first_[axis] = moved.first_[axis];
            corner_[axis] = moved.corner_[axis];
        }
        is_whole_ = moved.is_whole_;
    }

    /// Returns whether tasks are moved to sectors.
    __device__ bool are_moved() const { return grid_.within_sector != 0; }

    /// Returns the coordinate of the k-th task along an axis; a task that has a negative one does not exist.
    __device__ std::int32_t coordinate(int axis, int k) const {
        std::uint32_t all[N];
        find_coordinates(k, all);
        return static_cast<std::int32_t>(all[axis]);
    }
    __device__ index<N> at(int k) const {
        std::uint32_t all[N];
        find_coordinates(k, all);
        index<N> result;
        // Coordinates are not negative. Said like this, compilers recognise what one task and the next have in common.
        for (int axis = 0; axis < N; ++axis) result[axis] = all[axis];
        return result;
    }

    /// Returns whether the k-th task exists: tiles extend beyond the edges of the index space.
    __device__ bool exists(int k) const {
        std::uint32_t all[N];
        find_coordinates(k, all);
        bool inside = true;
        for (int axis = 0; axis < N; ++axis) {
            inside &= all[axis] < end(axis);
            if constexpr (row < 0) inside &= static_cast<std::uint32_t>(first_[axis]) < grid_.ends[axis];
        }
        return inside;
    }
    /// Returns whether all tasks of the thread exist.
    __device__ bool is_whole() const {
        if constexpr (!Rows::begins_at_sectors) return exists(tasks - 1);
        bool are_all = true;
        for (int k = 0; k < tasks; ++k) are_all &= exists(k);
        return are_all;
    }

    /// Returns whether all tasks of the block exist, or their end along an axis.
    __device__ bool is_block_whole() const { return is_whole_; }
    __device__ std::uint32_t end_of_block(int axis) const {
        return static_cast<std::uint32_t>(corner_[axis]) + (1u << grid_.bits[axis]);
    }

    /// Calls visit(k, index, place) for Count of the thread's shares of the block's tiles, four of each, from a tile
    /// on. In shares, neighbouring threads are neighbours along the axis `row` and not along the last one; `place` is
    /// the element's in shared memory. If AllExist is set, all tasks of the block exist.
    template <bool AllExist, int Count, class Visit> __device__ void each_across(int tile, const Visit& visit) const {
        const int thread = static_cast<int>(threadIdx.x), bits = grid_.staged_bits[row];
        const int across = thread & ((1 << bits) - 1), begin = thread >> bits;
        const int rows = static_cast<int>(blockDim.x) >> bits;  // a power of two
        std::uint32_t first[N];
        place_of(across, begin, first);
        FOLDWISE_UNROLL_FULLY
        for (int k = 0; k < Count; ++k) {
            // The bits of `begin` and of `share * rows` are different ones, and the latter are the same for all
            // threads.
            const int share = share_of(k);
            std::uint32_t ahead[N], coordinates[N];
            place_of(0, share * rows, ahead);
            FOLDWISE_UNROLL_FULLY
            for (int axis = 0; axis < N; ++axis)
                coordinates[axis] = static_cast<std::uint32_t>(after(corner_[axis], axis, tile + tile_of(k)) +
                                                               static_cast<std::int32_t>(first[axis] + ahead[axis]));
            move_to_sector(coordinates);
            index<N> at;
            bool inside = true;
            FOLDWISE_UNROLL_FULLY
            for (int axis = 0; axis < N; ++axis) {
                if constexpr (!AllExist) inside &= coordinates[axis] < end(axis);
                at[axis] = coordinates[axis];
            }
            if (inside) visit(k, at, place_in_memory(tile + tile_of(k), across, begin + share * rows));
        }
    }

    /// Returns the place of the k-th task's element in shared memory.
    __device__ int place(int k) const {
        const int thread = static_cast<int>(threadIdx.x), bits = along_bits();
        return place_in_memory(tile_of(k), (thread >> bits) * tasks_of_thread + share_of(k),
                               thread & ((1 << bits) - 1));
    }

  private:
    template <int, class> friend class task_group;

    __device__ void move_to_sector(std::uint32_t (&coordinates)[N]) const {
        if constexpr (Rows::begins_at_sectors) grid_.template move_to_sector<Rows::order::axis(N - 1)>(coordinates);
    }

    __device__ void find_coordinates(int k, std::uint32_t (&all)[N]) const {
        FOLDWISE_UNROLL_FULLY
        for (int axis = 0; axis < N; ++axis) {
            if constexpr (row < 0)  // far apart
                all[axis] = static_cast<std::uint32_t>(after(first_[axis], axis, k));
            else
                all[axis] =
                    static_cast<std::uint32_t>(after(first_[axis] + (axis == row ? share_of(k) : 0), axis, tile_of(k)));
        }
        move_to_sector(all);
    }

    /// Returns in which of the block's tiles the k-th task of a thread is, and how many of its tasks there come before.
    __device__ static int tile_of(int k) { return tasks == tasks_of_thread ? 0 : k / tasks_of_thread; }
    __device__ static int share_of(int k) { return tasks == tasks_of_thread ? k : k % tasks_of_thread; }

    /// Returns the coordinate that is so many steps after another one.
    __device__ std::int32_t after(std::int32_t coordinate, int axis, int steps) const {
        return static_cast<std::int32_t>(static_cast<std::uint32_t>(coordinate) +
                                         static_cast<std::uint32_t>(steps) *
                                             static_cast<std::uint32_t>(grid_.steps[axis]));
    }

    /// Returns where shared memory has an element of a tile, from its places along the axis `row`, and along the
    /// others, of which the last one comes first. Columns begin a bank apart, so that both ways through a tile are
    /// almost without conflicts.
    __device__ int place_in_memory(int tile, int across, int along) const {
        return tile * detail::staged_elements + (along << grid_.staged_bits[row]) + along + across;
    }

    /// Returns how many bits of a thread's number are its place along other axes than `row`.
    __device__ int along_bits() const { return grid_.shifts[row] + task_bits; }

    __device__ std::uint32_t end(int axis) const { return static_cast<std::uint32_t>(grid_.extents[axis]); }

    /// Writes how far from the tile's first task a place of the tile is along each axis.
    __device__ void place_of(int across, int along, std::uint32_t (&offsets)[N]) const {
        int rest = along;
        for (int axis = last; axis >= 0; --axis) {
            int offset = across;
            if (axis != row) {
                offset = rest & ((1 << grid_.staged_bits[axis]) - 1);
                rest >>= grid_.staged_bits[axis];
            }
            offsets[axis] = static_cast<std::uint32_t>(offset);
        }
    }

    const forall_grid<N>& grid_;
    std::int32_t first_[N];
    std::int32_t corner_[N];  ///< The block's first task.
    bool is_whole_ = true;
};

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
