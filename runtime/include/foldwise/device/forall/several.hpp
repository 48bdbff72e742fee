// foldwise/device/forall/several.hpp: threads that run several tasks each, and load what all of them need before they
// store anything.
//
// A forall kernel is written once. In its `several` instance, tasks assign their own elements in registers, so that
// nothing is stored between the loads of a thread's tasks: the compiler moves the loads together and loads what two
// tasks read only once. Views that are contiguous along another axis than the index go through tiles in shared memory.
#pragma once

#include <foldwise/detail/loop_hints.hpp>
#include <foldwise/device/forall/held.hpp>
#include <foldwise/device/forall/in_order.hpp>
#include <foldwise/device/forall/task.hpp>
#include <foldwise/device/forall/task_group.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

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
        by_group([&](const auto& own) {
            using group = std::remove_cvref_t<decltype(own)>;
            const auto together = [&](auto&... held) {
                FOLDWISE_UNROLL_FULLY
                for (int k = 0; k < group::tasks; ++k)
                    if (!group::asks_each || own.exists(k)) call(own.at(k), held.together(own, k)...);
            };
            number<group::asks_each>(own, call, together, std::index_sequence_for<Parameter...>(), all...);
        });
    }

    /// As run(); with_loops(loops, index, views and values...) does the same, and runs the loops of the thread's tasks
    /// in step if all of these exist.
    template <class Call, class WithLoops, class... Parameter>
    __device__ void run_loops(const Call& call, const WithLoops& with_loops, const Parameter&... all) const {
        by_group([&](const auto& own) {
            const auto together = [&](auto&... held) {
                run_in_step<std::remove_cvref_t<decltype(own)>::tasks>(
                    [&](auto k, const auto& loops) { with_loops(loops, own.at(k), held.together(own, k)...); });
            };
            number<false>(own, call, together, std::index_sequence_for<Parameter...>(), all...);
        });
    }

  private:
    /// Calls run(the thread's tasks). If none are moved to sectors, that is other code with fewer instructions.
    template <class Run> __device__ void by_group(const Run& run) const {
        if constexpr (Rows::begins_at_sectors)
            if (!own_.are_moved()) return run(task_group<N, typename Rows::unmoved>(own_));
        run(own_);
    }

    template <bool AsksEach, class Group, class Call, class Together, std::size_t... Number, class... Parameter>
    __device__ void number(const Group& own, const Call& call, const Together& together, std::index_sequence<Number...>,
                           const Parameter&... all) const {
        run_all<AsksEach>(own, call, together, held<Parameter, Group, Number>(all, own)...);
    }

    /// Calls together(views and values...) if all tasks exist, or if it asks each; otherwise call(index, views and
    /// values...) for each that exists.
    template <bool AsksEach, class Group, class Call, class Together, class... Held>
    __device__ void run_all(const Group& own, const Call& call, const Together& together, Held... all) const {
        if constexpr ((Held::loads_tile || ...)) __syncthreads();
        if (AsksEach || (own.is_whole() && (all.is_inside(own) && ...))) {
            together(all...);
            (all.template store<AsksEach>(own), ...);
        } else {
            FOLDWISE_NOT_UNROLLED
            for (int k = 0; k < Group::tasks; ++k)
                if (own.exists(k)) call(own.at(k), all.alone(own, k)...);
        }
        if constexpr ((Held::stores_tile || ...)) {
            __syncthreads();
            (all.flush(own), ...);
        }
    }

    task_group<N, Rows> own_;
};

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
