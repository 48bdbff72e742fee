// runtime/src/forall/forall_arguments.hpp: the checked arguments of a call of a forall kernel.
#pragma once

#include "memory_finder.hpp"

#include <foldwise/detail/forall.hpp>

#include <cstdint>
#include <initializer_list>
#include <vector>

namespace foldwise::detail {

/// Whole sectors are what a GPU's memory transfers.
constexpr std::int64_t sector_bytes = 32;

/// The checked arguments of one call. Lives on the call's stack.
struct forall_arguments {
    std::int64_t count;                        ///< The number of tasks.
    const std::int64_t* tasks;                 ///< The number of tasks along each axis.
    const operand_ref* sources[max_operands];  ///< The arguments as the caller passed them, with their places.
    forall_argument arguments[max_operands];   ///< The arguments as the kernel receives them.
    int gpu;                                   ///< The GPU whose memory some views are in, or no_gpu.
    bool on_host;                              ///< Whether some view is in host memory.
    forall_walk walk{};                        ///< How the elements of neighbouring tasks lie in memory.
    std::uint32_t shared_bytes = 0;            ///< As in forall_call.
    bool is_apart = false;                     ///< As in forall_call.
    std::int64_t looped_elements = 0;          ///< As in forall_call.
    std::int64_t most_turns = INT64_MAX;       ///< As in forall_call.
    bool has_elements = false;                 ///< As in forall_call.

    std::int64_t first_row = 0;  ///< The first index along axis 0; views whose rows tasks own begin with its row.

    memory_finder memory;  ///< Owns what `sources` points to where a view's place had to be corrected.

    forall_arguments() = default;
    explicit forall_arguments(const executor& requested) : first_row(requested.first_row()), memory(requested) {}

    /// Returns the call as backends take it. It refers to this object.
    forall_call call(const forall_kernel& kernel);
    /// The same for GPUs, which may number the tasks otherwise: in the order in which a `vectors` instance has
    /// them, and with axes merged if the kernel is elementwise.
    forall_call gpu_call(const forall_kernel& kernel);

  private:
    forall_argument placed_[max_operands];  ///< Arguments, with addresses as if views began at row 0.
    std::int64_t ends_[max_axes];
    forall_call merged_;  ///< The call with axes merged, with its own extents:
    forall_argument merged_arguments_[max_operands];
    std::int64_t merged_tasks_[max_axes];
};

/// Checks the number of tasks, the ranks and the places, and fills `result`. Throws std::invalid_argument, shape_error
/// or device_error, whose messages name the kernel and the parameter.
void check_forall(const forall_kernel& kernel, const task_extents& tasks, std::initializer_list<operand_ref> given,
                  forall_arguments& result);

/// Returns the number of a view's elements.
std::int64_t element_count(const forall_parameter& parameter, const forall_argument& view);

/// Returns how far apart in a view, in elements, those are that tasks touch which follow one another along an axis of
/// the index; 0 if the same ones. The view's `moves` have to be known.
std::int64_t stride_along(const forall_parameter& parameter, const forall_argument& view, int index_axis);

/// Returns whether a view's elements are contiguous in row-major order.
bool is_row_major(const forall_parameter& parameter, const forall_argument& view);

/// Returns along which axes the elements of neighbouring tasks are neighbours in memory. Of several axes besides the
/// last, it is that of the view whose neighbours are nearest, and of a written one before those that are read: what is
/// read incompletely at first may still be in the cache when the rest is needed.
forall_walk walk_of(const forall_kernel& kernel, const std::int64_t* tasks, const forall_argument* arguments);
/// The same, if the index had `last` as its last axis.
forall_walk walk_of(const forall_kernel& kernel, const std::int64_t* tasks, const forall_argument* arguments, int last);

/// Returns whether every view has the elements of all tasks, touched or not, along the axes that the index names.
bool have_elements_of_all(const forall_kernel& kernel, const forall_arguments& all);

/// Makes one axis of those along which tasks follow one another in all views of an `is_elementwise` kernel, wherever
/// that is so, as far as 32 bits count the tasks along it: the one whose tasks are nearest has all of them, and the
/// other ones have a single one. Changes the extents of tasks and views accordingly; returns whether it changed any.
bool merge_axes(const forall_kernel& kernel, std::int64_t* tasks, forall_argument* views);

/// Returns the number of tasks with the same index along an axis and those before it.
std::int64_t tasks_within(const forall_kernel& kernel, const forall_arguments& all, int axis);

/// Returns how many tasks along walk.across a tile has on the CPU: as many as share a cache line of the view that is
/// contiguous there. Returns 0 if there is no such view, or if its lines stay in the cache from one row of tasks to the
/// next.
std::int64_t tile_rows_on_cpu(const forall_kernel& kernel, const forall_arguments& all);

/// Places the sums that each block could form in its shared memory, and returns their size in bytes. Returns 0 if there
/// are none, if they are too many, or if what tasks do to other views could change their elements.
std::uint32_t place_sums(const forall_kernel& kernel, forall_arguments& all);

/// Returns how many copies of its own sums a thread of the CPU is to have that runs so many tasks: none where they are
/// too many, or where what tasks do to other views could change their elements; most_own_copies where they are few.
int own_copies(const forall_kernel& kernel, const forall_call& call, std::int64_t tasks_of_thread);

/// Returns whether no view that tasks write shares memory with another one that they read or write.
bool is_apart(const forall_kernel& kernel, const forall_arguments& all);

/// Returns the number of elements per task in the view whose rows tasks loop along; of several, in the one that has
/// most. Returns 0 if they loop along none.
std::int64_t looped_elements(const forall_kernel& kernel, const forall_arguments& all);

/// Returns the most turns of a task's loops if all of them end at extents of views and none takes long for a turn;
/// otherwise INT64_MAX.
std::int64_t most_turns(const forall_kernel& kernel, const forall_arguments& all);

/// Copies views on the host to the GPU that `where` names, launches the kernel, and copies back what it wrote.
void run_forall_on_cuda(const forall_kernel& kernel, forall_arguments& all, const executor& where);

}  // namespace foldwise::detail
