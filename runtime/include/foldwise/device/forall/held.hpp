// foldwise/device/forall/held.hpp: how a thread that runs several tasks holds a kernel's parameters meanwhile: elements
// in registers, and tiles of them in shared memory.
#pragma once

#include <foldwise/detail/loop_hints.hpp>
#include <foldwise/device/forall/task_group.hpp>
#include <foldwise/device/pack.hpp>
#include <foldwise/spec/view.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

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

/// The shared memory of a parameter's tiles.
template <class Element, int Tiles, std::size_t Number> __device__ Element* tiles_of() {
    alignas(Element) __shared__ unsigned char tiles[Tiles * detail::staged_elements * sizeof(Element)];
    return reinterpret_cast<Element*>(tiles);
}

/// What a thread has of a parameter while it runs its tasks. A value, and a view of which nothing is known, are passed
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
    __device__ static element* staged(int place) { return tiles_of<element, rows::tiles, Number>() + place; }

    struct nothing {};
    const parameter_type& parameter;
    std::conditional_t<stores || loads_ahead, pack<element, rows::tasks>, nothing> elements;
};

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
