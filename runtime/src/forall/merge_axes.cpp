// runtime/src/forall/merge_axes.cpp: numbers the tasks along several axes as if these were one.
#include "forall/forall_arguments.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace foldwise::detail {

namespace {

/// Returns whether a step along the outer axis is in all views as far as the tasks along the inner one reach.
bool follow_one_another(const forall_kernel& kernel, const forall_argument* views, int outer, int inner,
                        std::int64_t inner_tasks) {
    for (int i = 0; i < kernel.parameter_count; ++i) {
        const forall_parameter& parameter = kernel.parameters[i];
        if (parameter.rank > 0 &&
            stride_along(parameter, views[i], outer) != inner_tasks * stride_along(parameter, views[i], inner))
            return false;
    }
    return true;
}

}  // namespace

bool have_elements_of_all(const forall_kernel& kernel, const forall_arguments& all) {
    for (int i = 0; i < kernel.parameter_count; ++i)
        for (int axis = 0; kernel.parameters[i].moves && axis < kernel.parameters[i].rank; ++axis)
            if (const int followed = kernel.parameters[i].moves[axis];
                followed >= 0 && all.arguments[i].extents[axis] < all.tasks[followed])
                return false;
    return true;
}

bool merge_axes(const forall_kernel& kernel, std::int64_t* tasks, forall_argument* views) {
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    bool are_merged = false;
    const auto merge = [&](int outer, int inner) {
        if (outer == inner || tasks[outer] == 1 || tasks[inner] == 1 || tasks[outer] > most / tasks[inner] ||
            !follow_one_another(kernel, views, outer, inner, tasks[inner]))
            return;
        tasks[inner] *= tasks[outer];
        tasks[outer] = 1;
        for (int i = 0; i < kernel.parameter_count; ++i)
            for (int axis = 0; axis < kernel.parameters[i].rank; ++axis) {
                const int followed = kernel.parameters[i].moves[axis];
                if (followed == outer || followed == inner) views[i].extents[axis] = tasks[followed];
            }
        are_merged = true;
    };
    // From the innermost axes on, so that one that has been merged can be merged again with the next.
    for (int inner = kernel.index_rank - 1; inner >= 0; --inner)
        for (int outer = kernel.index_rank - 1; outer >= 0; --outer) merge(outer, inner);
    return are_merged;
}

}  // namespace foldwise::detail
