// foldwise/device/forall/several.hpp: threads that run several tasks each, and load what all of them need before they
// store anything.
//
// A forall kernel is written once. In its `several` instance, tasks assign their own elements in registers, so that
// nothing is stored between the loads of a thread's tasks: the compiler moves the loads together and loads what two
// tasks read only once. Views that are contiguous along another axis than the index go through tiles in shared memory.
#pragma once

#include <foldwise/detail/forall_code.hpp>
#include <foldwise/detail/loop_hints.hpp>
#include <foldwise/device/forall/in_order.hpp>
#include <foldwise/device/forall/task.hpp>
#include <foldwise/device/pack.hpp>
#include <foldwise/device/platform.hpp>
#include <foldwise/device/view_parameter.hpp>
#include <foldwise/spec/index.hpp>
#include <foldwise/spec/view.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

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
    static constexpr bool is_staged = false;
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
    static constexpr int tiles = Tiles;
    static constexpr int tasks = Tiles * tasks_of_thread;
    using order = detail::tile_order<Order...>;
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
        } else {
            grid.place(blockIdx.x, threadIdx.x, first_);
        }
    }

    /// Returns the coordinate of the k-th task along an axis.
    __device__ std::int32_t coordinate(int axis, int k) const {
        if constexpr (row < 0)  // far apart
            return after(first_[axis], axis, k);
        else
            return after(first_[axis] + (axis == row ? share_of(k) : 0), axis, tile_of(k));
    }
    __device__ index<N> at(int k) const {
        index<N> result;
        // Coordinates are not negative. Said like this, compilers recognise what one task and the next have in common.
        for (int axis = 0; axis < N; ++axis) result[axis] = static_cast<std::uint32_t>(coordinate(axis, k));
        return result;
    }

    /// Returns whether the k-th task exists: tiles extend beyond the edges of the index space.
    __device__ bool exists(int k) const {
        bool inside = true;
        for (int axis = 0; axis < N; ++axis) {
            inside &= static_cast<std::uint32_t>(coordinate(axis, k)) < end(axis);
            if constexpr (row < 0) inside &= static_cast<std::uint32_t>(first_[axis]) < grid_.ends[axis];
        }
        return inside;
    }
    __device__ bool is_whole() const { return exists(tasks - 1); }

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
            std::uint32_t ahead[N];
            place_of(0, share * rows, ahead);
            index<N> at;
            bool inside = true;
            for (int axis = 0; axis < N; ++axis) {
                const auto coordinate =
                    static_cast<std::uint32_t>(after(corner_[axis], axis, tile + tile_of(k)) +
                                               static_cast<std::int32_t>(first[axis] + ahead[axis]));
                if constexpr (!AllExist) inside &= coordinate < end(axis);
                at[axis] = coordinate;
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

/// Tells the compiler a fact. The simulator stops if it is not one.
__device__ inline void assume(bool fact) {
#ifdef FOLDWISE_SIMULATOR
    if (!fact) __builtin_trap();
#else
    __builtin_assume(fact);
#endif
}

/// Returns a view of a single element, whatever the coordinates are.
template <class T, int N> __device__ view<T, N> view_of_own(T* element, const view<T, N>& whole) {
    std::int64_t extents[N], strides[N] = {};
    for (int axis = 0; axis < N; ++axis) extents[axis] = whole.extent(axis);
    return {element, extents, strides, true};
}

/// A thread's hold on a parameter while it runs its tasks. A value, and a view of which nothing is known, are passed
/// on as they are.
template <class Parameter, class Group, std::size_t Number> struct held {
    static constexpr bool loads_tile = false, stores_tile = false;
    const Parameter& value;

    __device__ held(const Parameter& parameter, const Group&) : value(parameter) {}
    __device__ bool is_inside(const Group&) const { return true; }
    __device__ const Parameter& together(const Group&, int) const { return value; }
    __device__ const Parameter& alone(const Group&, int) const { return value; }
    template <bool AsksEach> __device__ void store(const Group&) const {}
    __device__ void flush(const Group&) const {}
};

template <class T, int N, view_layout Layout, class Group, std::size_t Number>
struct held<view_parameter<T, N, Layout>, Group, Number> {
    static constexpr bool loads_tile = false, stores_tile = false;
    const view_parameter<T, N, Layout>& parameter;

    __device__ held(const view_parameter<T, N, Layout>& given, const Group&) : parameter(given) {}
    __device__ bool is_inside(const Group&) const { return true; }
    __device__ view<T, N> together(const Group&, int) const { return parameter.view(); }
    __device__ view<T, N> alone(const Group&, int) const { return parameter.view(); }
    template <bool AsksEach> __device__ void store(const Group&) const {}
    __device__ void flush(const Group&) const {}
};

template <class T, int N, view_layout Layout, task_access Access, int... Axes, int Rank, class Rows, std::size_t Number>
struct held<task_parameter<T, N, Layout, Access, Axes...>, task_group<Rank, Rows>, Number> {
    using parameter_type = task_parameter<T, N, Layout, Access, Axes...>;
    using rows = Rows;
    using group = task_group<Rank, rows>;
    using element = std::remove_const_t<T>;

    __device__ static constexpr int followed(int axis) {
        constexpr int all[] = {Axes...};
        return all[axis];
    }
    static constexpr bool loads = Access == task_access::reads || Access == task_access::updates;
    static constexpr bool stores = Access == task_access::writes || Access == task_access::updates;
    static constexpr bool is_staged =
        rows::is_staged && Access != task_access::near && followed(N - 1) == rows::row && ((Axes == Rank - 1) || ...);
    static constexpr bool loads_tile = is_staged && loads, stores_tile = is_staged && stores;
    /// Whether the own elements of the thread's tasks are loaded into registers before any of them runs.
    static constexpr bool loads_ahead = loads && !is_staged;

    __device__ held(const parameter_type& given, const group& tasks) : parameter(given) {
        if constexpr (loads_tile) {
            if (tasks.is_block_whole() && has_tiles(tasks))
                load_tiles<true>(tasks);
            else
                load_tiles<false>(tasks);
        }
        if constexpr (loads_ahead)
            if (group::asks_each || (tasks.is_whole() && is_inside(tasks)))
                for (int k = 0; k < rows::tasks; ++k)
                    if (!group::asks_each || (tasks.exists(k) && is_in_view(tasks.at(k))))
                        elements[k] = own(tasks.at(k));
    }

    /// Returns whether all elements within reach of the thread's tasks are inside the view, and those that it loads
    /// ahead: tasks that read their own element only sometimes need not have one.
    __device__ bool is_inside(const group& tasks) const {
        bool inside = true;
        for (int axis = 0; axis < N; ++axis) {
            const int from = followed(axis);
            if (from < 0 || (rows::reach(from) == 0 && (stores || !loads_ahead))) continue;
            const int reach = rows::reach(from);
            inside &= tasks.coordinate(from, 0) >= reach;
            inside &= tasks.coordinate(from, rows::tasks - 1) < parameter.extents[axis] - reach;
        }
        return inside;
    }

    /// Returns the view for the k-th task of a thread all of whose tasks exist and are inside, or for one that exists
    /// if the thread asks each; k must be a constant.
    __device__ view<T, N> together(const group& tasks, int k) {
        const view<T, N> whole = parameter.view();
        tell_what_is_inside(whole, tasks.at(k));
        if constexpr (loads_tile && stores) elements[k] = *staged(tasks.place(k));
        if constexpr (stores || loads_ahead)
            return view_of_own<T, N>(&elements[k], whole);
        else if constexpr (is_staged)
            return view_of_own<T, N>(staged(tasks.place(k)), whole);
        else
            return whole;
    }
    /// Returns the view for the k-th task where other tasks of the thread need not exist.
    __device__ view<T, N> alone(const group& tasks, int k) {
        if constexpr (is_staged)
            return view_of_own<T, N>(staged(tasks.place(k)), parameter.view());
        else
            return parameter.view();
    }

    /// Stores what the thread's tasks have assigned in registers; with AsksEach, those of them that exist.
    template <bool AsksEach> __device__ void store(const group& tasks) const {
        if constexpr (stores)
            for (int k = 0; k < rows::tasks; ++k) {
                if (AsksEach && !tasks.exists(k)) continue;
                if constexpr (is_staged)
                    *staged(tasks.place(k)) = elements[k];
                else
                    own(tasks.at(k)) = elements[k];
            }
    }
    /// Stores what the block's tasks have assigned in its tiles.
    __device__ void flush(const group& tasks) const {
        if constexpr (stores_tile) {
            if (tasks.is_block_whole())
                store_tiles<true>(tasks);
            else
                store_tiles<false>(tasks);
        }
    }

  private:
    /// Where the compiler knows that all elements within reach exist, it removes what users write for the edges.
    __device__ static void tell_what_is_inside(const view<T, N>& whole, const index<Rank>& at) {
        for (int axis = 0; axis < N; ++axis) {
            if (followed(axis) < 0) continue;
            const std::int64_t coordinate = at[followed(axis)], extent = whole.extent(axis);
            for (int distance = 1; distance <= rows::reach(followed(axis)); ++distance) {
                assume(coordinate >= distance);
                assume(coordinate - distance >= 0);
                assume(coordinate + distance < extent);
                assume(coordinate < extent - distance);
            }
        }
    }

    /// The element of the view's memory that is a task's own.
    __device__ T& own(const index<Rank>& at) const {
        const view<T, N> whole = parameter.view();
        return whole(at[Axes]...);
    }

    /// How many of its shares of tiles a thread copies together: where tasks are missing, one tile after the other, for
    /// less code.
    template <bool AllExist> static constexpr int together_of = AllExist ? rows::tasks : tasks_of_thread;

    /// Copies the block's tiles to shared memory. All loads come before what waits for them.
    template <bool AllExist> __device__ void load_tiles(const group& tasks) const {
        constexpr int together = together_of<AllExist>;
        FOLDWISE_NOT_UNROLLED
        for (int tile = 0; tile < rows::tiles; tile += together / tasks_of_thread) {
            pack<element, together> loaded;
            tasks.template each_across<AllExist, together>(tile, [&](int k, const index<Rank>& at, int) {
                if (AllExist || is_in_view(at)) loaded[k] = own(at);
            });
            tasks.template each_across<AllExist, together>(tile, [&](int k, const index<Rank>& at, int place) {
                if (AllExist || is_in_view(at)) *staged(place) = loaded[k];
            });
        }
    }
    /// Copies the block's tiles back.
    template <bool AllExist> __device__ void store_tiles(const group& tasks) const {
        constexpr int together = together_of<AllExist>;
        FOLDWISE_NOT_UNROLLED
        for (int tile = 0; tile < rows::tiles; tile += together / tasks_of_thread) {
            pack<element, together> loaded;
            tasks.template each_across<AllExist, together>(
                tile, [&](int k, const index<Rank>&, int place) { loaded[k] = *staged(place); });
            tasks.template each_across<AllExist, together>(
                tile, [&](int k, const index<Rank>& at, int) { own(at) = loaded[k]; });
        }
    }

    /// Returns whether the view has the elements of all tasks of the block.
    __device__ bool has_tiles(const group& tasks) const {
        bool inside = true;
        for (int axis = 0; axis < N; ++axis)
            inside &= tasks.end_of_block(followed(axis)) <= static_cast<std::uint32_t>(parameter.extents[axis]);
        return inside;
    }

    /// Returns whether a task's own element exists: tasks that read it only sometimes need not have one.
    __device__ bool is_in_view(const index<Rank>& at) const {
        const view<T, N> whole = parameter.view();
        bool inside = true;
        for (int axis = 0; axis < N; ++axis) inside &= at[followed(axis)] < whole.extent(axis);
        return inside;
    }

    /// The element at a place of the block's tiles.
    __device__ static element* staged(int place) {
        alignas(element) __shared__ unsigned char tiles[rows::tiles * detail::staged_elements * sizeof(element)];
        return reinterpret_cast<element*>(tiles) + place;
    }

    struct nothing {};
    const parameter_type& parameter;
    std::conditional_t<stores || loads_ahead, pack<element, rows::tasks>, nothing> elements;
};

template <class Parameter> inline constexpr bool is_view = false;
template <class T, int N, view_layout Layout> inline constexpr bool is_view<view_parameter<T, N, Layout>> = true;
template <class T, int N, view_layout Layout, task_access Access, int... Axes>
inline constexpr bool is_view<task_parameter<T, N, Layout, Access, Axes...>> = true;

/// The task of a thread, or of lanes of a warp, of a kernel that may have a `several` or a `warps` instance.
template <int N, view_layout Layout, class Rows = task_rows<far_apart>> class thread_tasks {
  public:
    __device__ explicit thread_tasks(const forall_grid<N>& grid) : own_(grid) {}

    /// Calls call(index, views and values...) for the task, if it exists.
    template <class Call, class... Parameter> __device__ void run(const Call& call, const Parameter&... all) const {
        if (own_.exists()) call(own_.at(), passed(all)...);
    }

    /// Calls call(index, views and values...) for the task, if it exists; or with_loops(loops, index, views and
    /// values...), which does the same, where others than the task's thread run its loops.
    template <class Call, class WithLoops, class... Parameter>
    __device__ void run_loops(const Call& call, const WithLoops& with_loops, const Parameter&... all) const {
        if constexpr (Layout == view_layout::warps) {
            if (own_.exists()) with_loops(loops_of_lanes{own_.lanes()}, own_.at(), passed(all)...);
        } else {
            run(call, all...);
        }
    }

  private:
    template <class Parameter> __device__ static decltype(auto) passed(const Parameter& parameter) {
        if constexpr (is_view<Parameter>)
            return parameter.view();
        else
            return (parameter);
    }

    task<N, Layout> own_;
};

/// The tasks of a thread of a `several` kernel.
template <int N, class Rows> class thread_tasks<N, view_layout::several, Rows> {
  public:
    __device__ explicit thread_tasks(const forall_grid<N>& grid) : own_(grid) {}

    /// Calls call(index, views and values...) for each of the tasks that exist. All threads of a block must call this.
    template <class Call, class... Parameter> __device__ void run(const Call& call, const Parameter&... all) const {
        const auto together = [&](auto&... held) {
            FOLDWISE_UNROLL_FULLY
            for (int k = 0; k < group::tasks; ++k)
                if (!group::asks_each || own_.exists(k)) call(own_.at(k), held.together(own_, k)...);
        };
        number<group::asks_each>(call, together, std::index_sequence_for<Parameter...>(), all...);
    }

    /// As run(); with_loops(loops, index, views and values...) does the same, and runs the loops of the thread's tasks
    /// in step if all of these exist.
    template <class Call, class WithLoops, class... Parameter>
    __device__ void run_loops(const Call& call, const WithLoops& with_loops, const Parameter&... all) const {
        const auto together = [&](auto&... held) {
            run_in_step<group::tasks>(
                [&](auto k, const auto& loops) { with_loops(loops, own_.at(k), held.together(own_, k)...); });
        };
        number<false>(call, together, std::index_sequence_for<Parameter...>(), all...);
    }

  private:
    using group = task_group<N, Rows>;

    template <bool AsksEach, class Call, class Together, std::size_t... Number, class... Parameter>
    __device__ void number(const Call& call, const Together& together, std::index_sequence<Number...>,
                           const Parameter&... all) const {
        run_all<AsksEach>(call, together, held<Parameter, group, Number>(all, own_)...);
    }

    /// Calls together(views and values...) if all tasks exist, or if it asks each; otherwise call(index, views and
    /// values...) for each that exists.
    template <bool AsksEach, class Call, class Together, class... Held>
    __device__ void run_all(const Call& call, const Together& together, Held... all) const {
        if constexpr ((Held::loads_tile || ...)) __syncthreads();
        if (AsksEach || (own_.is_whole() && (all.is_inside(own_) && ...))) {
            together(all...);
            (all.template store<AsksEach>(own_), ...);
        } else {
            FOLDWISE_NOT_UNROLLED
            for (int k = 0; k < group::tasks; ++k)
                if (own_.exists(k)) call(own_.at(k), all.alone(own_, k)...);
        }
        if constexpr ((Held::stores_tile || ...)) {
            __syncthreads();
            (all.flush(own_), ...);
        }
    }

    group own_;
};

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
