// runtime/src/communication/distributed_tasks.cpp: which tasks a process runs, and which views it cannot run them on.
#include <foldwise/distributed.hpp>

#include <algorithm>
#include <stdexcept>
#include <string>

namespace foldwise::detail {

row_split split_of_tasks(const forall_kernel& kernel, std::int64_t tasks, std::span<const task_view> views,
                         const communicator& world) {
    const row_split* found = nullptr;
    for (const task_view& view : views) {
        const forall_parameter& parameter = kernel.parameters[view.parameter];
        if (!view.extents || parameter.rank == 0) continue;
        const std::string name = std::string(kernel.name) + ": " + parameter.name;
        if (parameter.writes && !parameter.own_rows)
            throw std::invalid_argument(
                name +
                " is written elsewhere than in the rows of the tasks' own index, and other processes have those: "
                "add up with foldwise::scatter, or pass arrays that are all replicated()");
        if (parameter.writes && !view.is_spread)
            throw std::invalid_argument(
                name + " is written, and each process would write some of its rows: pass a distributed array that is "
                       "spread as the others are");
        if (!view.is_spread || !parameter.own_rows || view.extents->rank() == 0) continue;
        if (found && !(*found == *view.split)) refuse_splits(*found, *view.split);
        found = view.split;
        if (found->rows() < tasks)
            throw shape_error(name + " has shape " + to_string(*view.extents) + ", and the " + std::to_string(tasks) +
                              " tasks along axis 0 each have a row of it");
    }
    return found ? *found : row_split::even(tasks, world.size());
}

}  // namespace foldwise::detail
