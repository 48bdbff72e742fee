// foldwise/cpu/forall.hpp: how emitted forall kernels run their tasks on a CPU thread.
#pragma once

#include <foldwise/cpu/kernel.hpp>  // first: it sets what the rest is compiled for
#include <foldwise/cpu/operands.hpp>
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

/// Calls run(layout) with the layout of the call's views.
template <class Run> __attribute__((always_inline)) inline void with_layout(const detail::forall_call& call, Run run) {
    if (call.is_plain)
        run(plain_layout{});
    else
        run(strided_layout{});
}

/// Calls task(index) for the tasks [begin, end) in row-major order.
template <int N, class Task>
__attribute__((always_inline)) inline void each_task(const detail::forall_call& call, std::int64_t begin,
                                                     std::int64_t end, Task task) {
    index<N> first;
    for (std::int64_t axis = N - 1, rest = begin; axis >= 0; --axis) {
        const std::int64_t extent = call.tasks[axis];
        first[static_cast<int>(axis)] = rest % extent;
        rest /= extent;
    }
    const std::int64_t row = call.tasks[N - 1];
    while (begin < end) {
        const std::int64_t left = row - first[N - 1], count = left < end - begin ? left : end - begin;
        const auto run = [&](std::int64_t i) {
            index<N> at = first;
            at[N - 1] += i;
            task(at);
        };
#ifndef FOLDWISE_LOOKS
        FOLDWISE_CPU_SIMD
        for (std::int64_t i = 0; i < count; ++i) run(i);
#else
        for (std::int64_t i = 0; i < count; ++i) {
            try {
                run(i);
            } catch (detail::check_failed& failed) {
                failed.found.task_rank = N;
                for (int axis = 0; axis < N; ++axis) failed.found.task[axis] = first[axis] + (axis == N - 1 ? i : 0);
                throw;
            }
        }
#endif
        begin += count;
        first[N - 1] = 0;
        for (int axis = N - 2; axis >= 0; --axis) {
            if (++first[axis] < call.tasks[axis]) break;
            if (axis > 0) first[axis] = 0;
        }
    }
}

}  // namespace foldwise::cpu
