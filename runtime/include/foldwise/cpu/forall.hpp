// foldwise/cpu/forall.hpp: how emitted forall kernels run their tasks on a CPU thread.
#pragma once

#include <foldwise/cpu/kernel.hpp>  // first: it sets what the rest is compiled for
#include <foldwise/cpu/operands.hpp>
#include <foldwise/cpu/own_sum.hpp>
#include <foldwise/detail/checks.hpp>
#include <foldwise/detail/forall_kernel.hpp>
#include <foldwise/spec/index.hpp>
#include <foldwise/spec/view.hpp>

#include <cstdint>

namespace foldwise::cpu {

/// Every view has elements and unit stride along its last axis. Compilers can make vector code of tasks that have loops
/// over its extents if they know that these loops run at least once.
struct plain_layout {
    template <class T, int N> static foldwise::view<T, N> view(const detail::forall_call& call, int argument) {
        const detail::forall_argument& given = call.arguments[argument];
        std::int64_t strides[N];
        for (int axis = 0; axis < N; ++axis) {
            strides[axis] = axis == N - 1 ? 1 : given.strides[axis];
            if (given.extents[axis] <= 0) __builtin_unreachable();  // by is_plain
        }
        return {static_cast<T*>(given.data), given.extents, strides};
    }
};

/// Views may have any strides.
struct strided_layout {
    template <class T, int N> static foldwise::view<T, N> view(const detail::forall_call& call, int argument) {
        const detail::forall_argument& given = call.arguments[argument];
        return {static_cast<T*>(given.data), given.extents, given.strides};
    }
};

/// Calls run(layout) with the layout of the call's views. Strided views are hardly ever worth vectors: all versions of
/// a kernel share one function for them, which is compiled for any machine.
template <class Run> __attribute__((always_inline)) inline void with_layout(const detail::forall_call& call, Run run) {
    if (call.is_plain) return run(plain_layout{});
    const auto run_strided = [&]() __attribute__((noinline)) { run(strided_layout{}); };
    run_strided();
}

/// The runs of neighbours along the last axis that make up the tasks [begin, end), which are numbered in row-major
/// order: rows, one after the other; or, if the call has tiles, the rows of one tile after those of another. Tiles have
/// call.tile_rows tasks along call.walk.across, where the range then begins and ends at whole rows.
template <int N> class task_runs {
  public:
    __attribute__((noinline)) task_runs(const detail::forall_call& call, std::int64_t begin, std::int64_t end)
        : call_(call), left_(end - begin) {
        for (std::int64_t axis = N - 1, rest = begin; axis >= 0; --axis) {
            first[static_cast<int>(axis)] = rest % call.tasks[axis];
            rest /= call.tasks[axis];
        }
        if (is_tiled()) begin_tiles();
        find_count();
    }

    bool is_done() const { return left_ <= 0; }

    /// Moves to the next run.
    void advance() {
        left_ -= count;
        if (is_tiled())
            advance_in_tiles();
        else if (N == 1 || count + first[N - 1] == call_.tasks[N - 1])
            advance_along(N - 2, 0);
        find_count();
    }

    index<N> first;      ///< The run's first task.
    std::int64_t count;  ///< The number of its tasks.

  private:
    /// More cache lines of a view with large strides would evict each other.
    static constexpr std::int64_t tile_columns = 32;

    bool is_tiled() const { return N > 1 && call_.tile_rows > 0; }

    void find_count() {
        count = call_.tasks[N - 1] - first[N - 1];
        if (count > left_) count = left_;
        if (is_tiled() && count > tile_columns) count = tile_columns;
    }

    /// Moves to the next index along an axis, or along the next one outside of it, but not outside of `outermost`; the
    /// last axis begins anew. Returns whether there was one.
    bool advance_along(int axis, int outermost) {
        first[N - 1] = 0;
        for (; axis >= outermost; --axis) {
            if (++first[axis] < call_.tasks[axis]) return true;
            if (axis > 0) first[axis] = 0;
        }
        return false;
    }

    void begin_tiles() {
        row_ = 0;
        first_row_ = first[call_.walk.across];
        std::int64_t inner = 1;
        for (int axis = call_.walk.across + 1; axis < N; ++axis) inner *= call_.tasks[axis];
        rows_ = call_.tasks[call_.walk.across] - first_row_;
        if (rows_ > call_.tile_rows) rows_ = call_.tile_rows;
        if (rows_ > left_ / inner) rows_ = left_ / inner;
    }

    __attribute__((noinline)) void advance_in_tiles() {
        const int across = call_.walk.across;
        if (++row_ < rows_) {
            first[across] = first_row_ + row_;
            return;
        }
        row_ = 0;
        first[across] = first_row_;
        first[N - 1] += count;
        if (first[N - 1] < call_.tasks[N - 1] || advance_along(N - 2, across + 1) || left_ <= 0) return;
        first[across] = first_row_ + rows_ - 1;
        advance_along(across, 0);
        begin_tiles();
    }

    const detail::forall_call& call_;
    std::int64_t left_;
    std::int64_t row_ = 0, rows_ = 0;  ///< The current row of the tile, and the number of its rows.
    std::int64_t first_row_ = 0;       ///< The index of the tile's first row along call.walk.across.
};

#ifdef FOLDWISE_LOOKS
/// Calls run() for the task that is `i` behind another along the last axis. What fails is told which task it was.
template <int N, class Run> void look(const index<N>& first, std::int64_t i, const Run& run) {
    try {
        run();
    } catch (detail::check_failed& failed) {
        failed.found.task_rank = N;
        for (int axis = 0; axis < N; ++axis) failed.found.task[axis] = first[axis] + (axis == N - 1 ? i : 0);
        throw;
    }
}
#endif

/// Calls task(index) for the tasks [begin, end), in the order of task_runs.
template <int N, class Task>
__attribute__((always_inline)) inline void each_task(const detail::forall_call& call, std::int64_t begin,
                                                     std::int64_t end, Task task) {
    for (task_runs<N> runs(call, begin, end); !runs.is_done(); runs.advance()) {
        const index<N> first = runs.first;
        const std::int64_t count = runs.count;
        const auto run = [&](std::int64_t i) {
            index<N> at = first;
            at[N - 1] += i;
            task(at);
        };
#ifndef FOLDWISE_LOOKS
        FOLDWISE_CPU_SIMD
        for (std::int64_t i = 0; i < count; ++i) run(i);
#else
        for (std::int64_t i = 0; i < count; ++i) look(first, i, [&] { run(i); });
#endif
    }
}

/// Stands for a condition whose value is known, which is not computed then.
template <bool Value> constexpr bool known(bool) { return Value; }

/// The tasks away from all edges, for which conditions at edges have the same values: a box.
template <int N> struct inner_tasks {
    index<N> begin, end;

    /// All tasks.
    inner_tasks() {
        for (int axis = 0; axis < N; ++axis) end[axis] = INT64_MAX;
    }
    /// Leaves out the tasks before `place` along an axis, or those from there on.
    void from(int axis, std::int64_t place) {
        if (place > begin[axis]) begin[axis] = place;
    }
    void until(int axis, std::int64_t place) {
        if (place < end[axis]) end[axis] = place;
    }
    /// Whether some tasks of a row, of which this is one, may be in the box.
    bool has_row(const index<N>& at) const {
        bool is_inside = true;
        for (int axis = 0; axis + 1 < N; ++axis)
            is_inside = is_inside && at[axis] >= begin[axis] && at[axis] < end[axis];
        return is_inside;
    }
};

/// As each_task, but calls inner_task(index) for tasks in a box where that is worth the beginning of another loop.
template <int N, class Task, class Inner>
__attribute__((always_inline)) inline void each_task_by_edges(plain_layout, const detail::forall_call& call,
                                                              std::int64_t begin, std::int64_t end,
                                                              const inner_tasks<N>& box, Task task, Inner inner_task) {
    constexpr std::int64_t few = 8;         // tasks that are not worth vectors
    constexpr std::int64_t short_row = 32;  // rows that are not worth several loops
    const bool are_long = call.tasks[N - 1] > short_row;
    for (task_runs<N> runs(call, begin, end); !runs.is_done(); runs.advance()) {
        const index<N> first = runs.first;
        const std::int64_t count = runs.count;
        const auto run = [&](std::int64_t i, const auto& one) FOLDWISE_CPU_FLAT {
            index<N> at = first;
            at[N - 1] += i;
            one(at);
        };
        std::int64_t next = 0;
        if (are_long && box.has_row(first)) {
            std::int64_t from = box.begin[N - 1] - first[N - 1], to = box.end[N - 1] - first[N - 1];
            if (from < 0) from = 0;
            if (to > count) to = count;
            if (to - from >= few) {
                // Those before the box, and those behind it if they are few, in a loop that compilers make no vectors
                // of: these would take longer to begin.
                next = count - to < few ? count : to;
                for (std::int64_t i = from > 0 ? 0 : to; i < next; i = i + 1 == from ? to : i + 1) run(i, task);
                FOLDWISE_CPU_SIMD
                for (std::int64_t i = from; i < to; ++i) run(i, inner_task);
            }
        }
        FOLDWISE_CPU_SIMD
        for (std::int64_t i = next; i < count; ++i) run(i, task);
    }
}
template <int N, class Task, class Inner>
__attribute__((always_inline)) inline void each_task_by_edges(strided_layout, const detail::forall_call& call,
                                                              std::int64_t begin, std::int64_t end,
                                                              const inner_tasks<N>&, Task task, Inner) {
    each_task<N>(call, begin, end, task);
}

/// Calls task(index, copy) for the tasks [begin, end), one after the other: they may change one element of the thread's
/// own sums without atomic operations. Neighbouring tasks have different copies, so that none has to wait for the sum
/// of the one before it.
template <int N, class Task>
__attribute__((always_inline)) inline void each_task_in_turn(const detail::forall_call& call, std::int64_t begin,
                                                             std::int64_t end, Task task) {
    for (task_runs<N> runs(call, begin, end); !runs.is_done(); runs.advance()) {
        const index<N> first = runs.first;
        const std::int64_t count = runs.count;
        const auto run = [&](std::int64_t i, int copy) {
            index<N> at = first;
            at[N - 1] += i;
            task(at, copy);
        };
#ifndef FOLDWISE_LOOKS
        constexpr int copies = detail::most_own_copies;
        std::int64_t i = 0;
        for (; i + copies <= count; i += copies) {
            FOLDWISE_UNROLL_FULLY
            for (int copy = 0; copy < copies; ++copy) run(i + copy, copy);
        }
        for (; i < count; ++i) run(i, 0);
#else
        for (std::int64_t i = 0; i < count; ++i) look(first, i, [&] { run(i, 0); });
#endif
    }
}

/// A copy of the thread's own sums, of which `first` is the view of the first one.
template <class T, int N>
__attribute__((always_inline)) inline view<T, N> own_copy(const detail::forall_call& call, const view<T, N>& first,
                                                          int copy) {
    std::int64_t extents[N], strides[N];
    for (int axis = 0; axis < N; ++axis) {
        extents[axis] = first.extent(axis);
        strides[axis] = first.stride(axis);
    }
    char* const begin = reinterpret_cast<char*>(first.data());
    return {reinterpret_cast<T*>(begin + copy * call.own_copy_bytes), extents, strides};
}

}  // namespace foldwise::cpu
