// runtime/src/forall/plan_tasks.cpp: what a call's strides say of the tiles and the sums that suit it.
#include "forall/forall_arguments.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <utility>

namespace foldwise::detail {

namespace {

/// The most shared memory for a block's own sums: as many blocks as a multiprocessor has threads for can have them.
constexpr std::int64_t most_sum_bytes = 24 * 1024;
/// How many tasks there are for each sum, at least: with fewer, adding in the memory of the GPU costs less.
constexpr std::int64_t tasks_for_a_sum = 16;

/// The most memory for a thread's own sums on the CPU: to spare memory, for they pay beyond the caches, too.
constexpr std::int64_t most_own_bytes = 64 * 1024 * 1024;
/// How many tasks of a thread there are for each of its own sums, at least. A locked addition takes 2 ns longer than
/// another, or more. A sum takes some 7 ns at most, for new memory, and for an addition to the view at the end.
constexpr std::int64_t tasks_for_an_own_sum = 4;

/// The most memory for several copies of them, half of a second-level cache: random additions to more of it would take
/// longer, if one copy would still fit there.
constexpr std::int64_t most_copied_bytes = 256 * 1024;

/// The size of a cache line, and of the first-level cache of a CPU core as far as it is relied upon. One view may fill
/// half of the cache; the other half is for the other views.
constexpr std::int64_t line_bytes = 64, first_level_bytes = 32 * 1024;

/// Returns by how many bytes the place of the first element that a task touches changes along an axis of the index; 0
/// if it does not, or if that is not known.
std::int64_t step_along(const forall_parameter& parameter, const forall_argument& argument, int index_axis) {
    return std::abs(stride_along(parameter, argument, index_axis)) * static_cast<std::int64_t>(parameter.size);
}

/// Returns how many elements of a view that are `step` bytes apart share a sector.
int tasks_of_sector(std::int64_t step) {
    return step == 0 || step > sector_bytes ? 1 : static_cast<int>(sector_bytes / step);
}

/// Returns whether two views have elements between the same addresses.
bool meet(const forall_parameter& a, const forall_argument& in_a, const forall_parameter& b,
          const forall_argument& in_b) {
    if (element_count(a, in_a) == 0 || element_count(b, in_b) == 0) return false;
    const auto bounds = [](const forall_parameter& parameter, const forall_argument& argument) {
        std::int64_t lowest = 0, highest = 1;
        for (int axis = 0; axis < parameter.rank; ++axis) {
            const std::int64_t far = (argument.extents[axis] - 1) * argument.strides[axis];
            (far < 0 ? lowest : highest) += far;
        }
        const auto first = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(argument.data));
        const auto size = static_cast<std::int64_t>(parameter.size);
        return std::pair(first + lowest * size, first + highest * size);
    };
    const auto [begin_a, end_a] = bounds(a, in_a);
    const auto [begin_b, end_b] = bounds(b, in_b);
    return begin_a < end_b && begin_b < end_a;
}

/// Returns whether a view shares no memory with another one.
bool is_apart_from_others(const forall_kernel& kernel, const forall_argument* arguments, int view) {
    for (int i = 0; i < kernel.parameter_count; ++i)
        if (i != view && kernel.parameters[i].rank > 0 &&
            meet(kernel.parameters[view], arguments[view], kernel.parameters[i], arguments[i]))
            return false;
    return true;
}

}  // namespace

std::int64_t stride_along(const forall_parameter& parameter, const forall_argument& view, int index_axis) {
    std::int64_t stride = 0;
    for (int axis = 0; axis < parameter.rank; ++axis)
        if (parameter.moves[axis] == index_axis && view.extents[axis] > 1) stride += view.strides[axis];
    return stride;
}

std::int64_t element_count(const forall_parameter& parameter, const forall_argument& view) {
    std::int64_t count = 1;
    for (int axis = 0; axis < parameter.rank; ++axis) count *= view.extents[axis];
    return count;
}

bool is_row_major(const forall_parameter& parameter, const forall_argument& view) {
    std::int64_t step = 1;
    for (int axis = parameter.rank - 1; axis >= 0; --axis) {
        if (view.extents[axis] != 1 && view.strides[axis] != step) return false;
        step *= view.extents[axis];
    }
    return true;
}

forall_walk walk_of(const forall_kernel& kernel, const std::int64_t* tasks, const forall_argument* arguments) {
    return walk_of(kernel, tasks, arguments, kernel.index_rank - 1);
}

forall_walk walk_of(const forall_kernel& kernel, const std::int64_t* tasks, const forall_argument* arguments,
                    int last) {
    forall_walk walk;
    bool across_is_written = false;
    for (int i = 0; i < kernel.parameter_count; ++i) {
        const forall_parameter& parameter = kernel.parameters[i];
        if (!parameter.moves) continue;
        int nearest = -1;
        std::int64_t step = 0;
        for (int axis = kernel.index_rank - 1; axis >= 0; --axis) {
            const std::int64_t own = step_along(parameter, arguments[i], axis);
            if (tasks[axis] == 1 || own == 0 || (nearest >= 0 && own >= step)) continue;
            nearest = axis;
            step = own;
        }
        const int together = tasks_of_sector(step);
        // The tasks of a row that touch the same element read it at once.
        const bool is_of_rows = tasks[last] > 1 && step_along(parameter, arguments[i], last) == 0;
        if (nearest < 0 || together == 1 || (is_of_rows && !parameter.writes)) continue;
        if (nearest == last) {
            walk.last_tasks = std::max(walk.last_tasks, together);
            continue;
        }
        const bool is_better = parameter.writes != across_is_written ? parameter.writes : together > walk.across_tasks;
        if (walk.across >= 0 && !is_better) continue;
        walk.across = nearest;
        walk.across_tasks = together;
        across_is_written = parameter.writes;
    }
    return walk;
}

std::int64_t tasks_within(const forall_kernel& kernel, const forall_arguments& all, int axis) {
    std::int64_t count = 1;
    while (++axis < kernel.index_rank) count *= all.tasks[axis];
    return count;
}

std::int64_t tile_rows_on_cpu(const forall_kernel& kernel, const forall_arguments& all) {
    const int across = all.walk.across;
    if (across < 0 || tasks_within(kernel, all, across) <= first_level_bytes / 2 / line_bytes) return 0;
    return all.walk.across_tasks * (line_bytes / sector_bytes);
}

std::uint32_t place_sums(const forall_kernel& kernel, forall_arguments& all) {
    std::int64_t bytes = 0, sums = 0;
    for (int i = 0; i < kernel.parameter_count; ++i) {
        const forall_parameter& parameter = kernel.parameters[i];
        forall_argument& view = all.arguments[i];
        if (!parameter.is_summed) continue;
        if (!is_row_major(parameter, view)) return 0;
        if (!is_apart_from_others(kernel, all.arguments, i)) return 0;
        const std::int64_t elements = element_count(parameter, view);
        if (elements > most_sum_bytes / parameter.size) return 0;
        bytes = (bytes + parameter.alignment - 1) / parameter.alignment * parameter.alignment;
        view.sums = static_cast<std::uint32_t>(bytes);
        bytes += elements * parameter.size;
        sums += elements;
    }
    const bool is_worth_it = bytes <= most_sum_bytes && all.count >= tasks_for_a_sum * sums;
    return is_worth_it ? static_cast<std::uint32_t>(bytes) : 0;
}

int own_copies(const forall_kernel& kernel, const forall_call& call, std::int64_t tasks_of_thread) {
    std::int64_t sums = 0, bytes = 0;
    for (int i = 0; i < kernel.parameter_count; ++i) {
        const forall_parameter& parameter = kernel.parameters[i];
        if (parameter.own_sums == numbers::unknown) continue;
        if (!is_apart_from_others(kernel, call.arguments, i)) return 0;
        const std::int64_t elements = element_count(parameter, call.arguments[i]);
        if (elements > most_own_bytes / parameter.size) return 0;
        sums += elements;
        bytes += elements * parameter.size;
    }
    if (sums == 0 || bytes > most_own_bytes) return 0;
    const std::int64_t most = tasks_of_thread / (tasks_for_an_own_sum * sums);
    if (most >= most_own_copies && bytes <= most_copied_bytes / most_own_copies) return most_own_copies;
    return most > 0 ? 1 : 0;
}

bool is_apart(const forall_kernel& kernel, const forall_arguments& all) {
    for (int i = 0; i < kernel.parameter_count; ++i) {
        const forall_parameter& written = kernel.parameters[i];
        if (written.rank == 0 || !written.writes) continue;
        for (int j = 0; j < kernel.parameter_count; ++j) {
            const forall_parameter& other = kernel.parameters[j];
            const bool is_touched = other.rank > 0 && (other.reads || other.writes);
            if (j != i && is_touched && meet(written, all.arguments[i], other, all.arguments[j])) return false;
        }
    }
    return true;
}

std::int64_t looped_elements(const forall_kernel& kernel, const forall_arguments& all) {
    std::int64_t most = 0;
    for (int i = 0; i < kernel.parameter_count; ++i)
        if (kernel.parameters[i].is_looped)
            most = std::max(most, element_count(kernel.parameters[i], all.arguments[i]));
    return most / all.count;
}

std::int64_t most_turns(const forall_kernel& kernel, const forall_arguments& all) {
    bool are_known = false;
    std::int64_t most = 0;
    for (int i = 0; i < kernel.parameter_count; ++i)
        for (int axis = 0; axis < kernel.parameters[i].rank; ++axis) {
            if ((kernel.parameters[i].loop_axes >> axis & 1u) == 0) continue;
            are_known = true;
            most = std::max(most, all.arguments[i].extents[axis]);
        }
    return are_known ? most : INT64_MAX;
}

}  // namespace foldwise::detail
