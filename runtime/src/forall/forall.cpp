// runtime/src/forall/forall.cpp: runs one call of a forall kernel, from its arguments to its backend.
#include "forall/forall_arguments.hpp"
#include "forall/own_sums.hpp"

#include "arguments.hpp"
#include "call.hpp"
#include "parallel.hpp"

#include <foldwise/error.hpp>

#include <algorithm>
#include <cassert>
#include <limits>
#include <stdexcept>
#include <string>

namespace foldwise::detail {

namespace {

/// Formats a number of tasks as "8" or "(3, 4)".
std::string in_words(const task_extents& tasks) {
    if (tasks.rank == 1) return std::to_string(tasks.extents[0]);
    std::string text = "(";
    for (int axis = 0; axis < tasks.rank; ++axis) text += (axis > 0 ? ", " : "") + std::to_string(tasks.extents[axis]);
    return text + ")";
}

/// Checks the tasks and returns their number.
std::int64_t count_tasks(const forall_kernel& kernel, const task_extents& tasks) {
    if (tasks.rank != kernel.index_rank)
        throw shape_error(std::string(kernel.name) + ": tasks of shape " + in_words(tasks) + " have " +
                          std::to_string(tasks.rank) + (tasks.rank == 1 ? " axis" : " axes") +
                          ", and the lambda's index has " + std::to_string(kernel.index_rank));
    const auto begin = tasks.extents, end = begin + tasks.rank;
    if (std::any_of(begin, end, [](std::int64_t extent) { return extent < 0; }))
        throw std::invalid_argument(std::string(kernel.name) + ": there cannot be " + in_words(tasks) + " tasks");
    if (std::find(begin, end, 0) != end) return 0;
    std::int64_t count = 1;
    bool is_too_many = false;
    for (int axis = 0; axis < tasks.rank; ++axis)
        is_too_many = __builtin_mul_overflow(count, tasks.extents[axis], &count) || count > max_tasks || is_too_many;
    if (is_too_many)
        throw std::invalid_argument(std::string(kernel.name) + ": " + in_words(tasks) + " tasks are more than " +
                                    std::to_string(max_tasks) + ", the most that one call can have");
    return count;
}

/// Throws shape_error unless a view has the rank of its parameter.
void check_rank(const forall_kernel& kernel, int index, const operand_ref& given) {
    const forall_parameter& parameter = kernel.parameters[index];
    if (given.layout.shape.rank() == parameter.rank) return;
    throw shape_error(std::string(kernel.name) + ": " + parameter.name + " has shape " + to_string(given.layout.shape) +
                      ", of rank " + std::to_string(given.layout.shape.rank()) +
                      ", and the lambda takes a view of rank " + std::to_string(parameter.rank));
}

/// Throws shape_error if a view has no element for some of the tasks that each read or write one of their own.
void check_own_elements(const forall_kernel& kernel, int index, const operand_ref& given, const task_extents& tasks) {
    const forall_parameter& parameter = kernel.parameters[index];
    if (!parameter.follows) return;
    for (int axis = 0; axis < parameter.rank; ++axis) {
        const std::int64_t elements = given.layout.shape[axis], needed = tasks.extents[parameter.follows[axis]];
        if (elements >= needed) continue;
        const std::string verb = !parameter.reads ? "write" : parameter.writes ? "read and write" : "read";
        throw shape_error(std::string(kernel.name) + ": " + in_words(tasks) + " tasks each " + verb +
                          " an element of " + parameter.name + ", of shape " + to_string(given.layout.shape) +
                          ": along axis " + std::to_string(axis) + " they " + verb + " " + std::to_string(needed) +
                          ", and there are " + std::to_string(elements));
    }
}

/// Records where a view is. Throws device_error if views are on different GPUs.
void check_place(const forall_kernel& kernel, int index, const operand_ref& given, forall_arguments& all, int& first) {
    if (given.place.kind == memory::host) {
        all.on_host = true;
        return;
    }
    if (all.gpu == no_gpu) {
        first = index;
        all.gpu = given.place.device;
    }
    if (given.place.device == all.gpu) return;
    throw device_error(std::string(kernel.name) + ": " + kernel.parameters[first].name + " and " +
                       kernel.parameters[index].name + " are in the memory of different GPUs, " +
                       std::to_string(all.gpu) + " and " + std::to_string(given.place.device));
}

/// Returns whether a view that is read has the elements of one that is written, each at the same coordinates of the
/// index.
bool has_elements_of(const forall_parameter& read, const forall_argument& from, const forall_parameter& written,
                     const forall_argument& to) {
    if (from.data != to.data || read.size != written.size || read.rank != written.rank || !read.moves) return false;
    for (int axis = 0; axis < read.rank; ++axis) {
        if (read.moves[axis] != written.follows[axis]) return false;
        if (from.extents[axis] > 1 && to.extents[axis] > 1 && from.strides[axis] != to.strides[axis]) return false;
    }
    return true;
}

/// Throws overlap_error if tasks read elements that other tasks certainly write.
void check_neighbours(const forall_kernel& kernel, const forall_arguments& all) {
    const auto has_others = [&](const forall_parameter& parameter) {
        for (int axis = 0; axis < kernel.index_rank; ++axis)
            if (parameter.neighbours >> axis & 1 && all.tasks[axis] > 1) return true;
        return false;
    };
    for (int i = 0; i < kernel.parameter_count; ++i) {
        const forall_parameter& read = kernel.parameters[i];
        if (read.neighbours == 0 || !has_others(read)) continue;
        for (int j = 0; j < kernel.parameter_count; ++j) {
            const forall_parameter& written = kernel.parameters[j];
            if (!written.writes || written.reads || !written.follows ||
                !has_elements_of(read, all.arguments[i], written, all.arguments[j]))
                continue;
            const std::string in = read.name, out = written.name;
            throw overlap_error(std::string(kernel.name) + ": " + in + " and " + out +
                                " are the same memory, and tasks read neighbours in " + in +
                                " that other tasks write to " + out + ": give " + out +
                                " memory of its own, since tasks that read what others write need another array");
        }
    }
}

bool has_32_bits(std::int64_t number) {
    return number >= std::numeric_limits<std::int32_t>::min() && number <= std::numeric_limits<std::int32_t>::max();
}

/// Returns whether a view has elements and unit stride along its last axis, and 32 bits suffice for extents, strides
/// and offsets.
bool is_plain(const forall_parameter& parameter, const forall_argument& argument) {
    const int last = parameter.rank - 1;
    if (last < 0) return true;  // a value
    std::int64_t lowest = 0, highest = 0;
    for (int axis = 0; axis <= last; ++axis) {
        // Neither extents nor strides are conclusive on their own: along an axis of one element, the stride is not
        // used.
        if (argument.extents[axis] <= 0) return false;
        if (!has_32_bits(argument.extents[axis]) || !has_32_bits(argument.strides[axis])) return false;
        const std::int64_t far = (argument.extents[axis] - 1) * argument.strides[axis];
        (far < 0 ? lowest : highest) += far;
    }
    return has_32_bits(lowest) && has_32_bits(highest) && (argument.strides[last] == 1 || argument.extents[last] <= 1);
}

/// Returns whether every view is plain, and 32 bits suffice for the tasks along each axis.
bool are_plain(const forall_kernel& kernel, const std::int64_t* ends, const forall_argument* given) {
    bool all_plain = true;
    for (int axis = 0; axis < kernel.index_rank; ++axis) all_plain = all_plain && has_32_bits(ends[axis]);
    for (int i = 0; i < kernel.parameter_count; ++i) all_plain = all_plain && is_plain(kernel.parameters[i], given[i]);
    return all_plain;
}

/// Returns the axes of the index in the order of the first view that is written, of which kernels with a `vectors`
/// instance have one at least.
const int* order_of_written(const forall_kernel& kernel) {
    int number = 0;
    while (!kernel.parameters[number].writes) ++number;
    return kernel.parameters[number].moves;
}

/// Returns forall_call::across_order.
int across_order(const forall_kernel& kernel, const forall_call& call) {
    const int last = call.order[kernel.index_rank - 1];
    return last == kernel.index_rank - 1 ? call.walk.across : walk_of(kernel, call.tasks, call.arguments, last).across;
}

/// One call of a forall kernel, as run_call() takes it.
struct forall_request {
    const forall_kernel& kernel;
    const task_extents& tasks;
    std::initializer_list<operand_ref> given;
    forall_arguments& all;

    void check() { check_forall(kernel, tasks, given, all); }
    int gpu() const { return all.gpu; }
    std::string operand_on_gpu() const {
        int index = 0;
        while (all.sources[index]->is_scalar || all.sources[index]->place.kind == memory::host) ++index;
        return kernel.parameters[index].name;
    }
    bool has_work() const { return all.count > 0; }
    void run_on_cuda(const executor& where) { run_forall_on_cuda(kernel, all, where); }
    void run_on_simulator() { check_simulated(kernel.name, kernel.simulator(all.gpu_call(kernel), nullptr)); }
    void run_on_cpu() {
        forall_call call = all.call(kernel);
        const std::int64_t first = call.first * (call.count / all.tasks[0]);  // tasks before it
        call.tile_rows = tile_rows_on_cpu(kernel, all);
        const std::int64_t unit = call.tile_rows > 0 ? call.tile_rows * tasks_within(kernel, all, all.walk.across) : 1;
        const std::int64_t units = (call.count + unit - 1) / unit;
        const auto begin_of = [=, &call](std::int64_t one) { return first + std::min(one * unit, call.count); };
        own_sums_choice choice(kernel, call);
        if (!choice.is_open())
            return in_parallel_by_turns(
                units, [&](std::int64_t begin, std::int64_t end) { kernel.cpu(call, begin_of(begin), begin_of(end)); });
        struct turns {
            decltype(begin_of)& place;
            own_sums_choice::thread tasks;
            void operator()(std::int64_t begin, std::int64_t end) { tasks.run(place(begin), place(end)); }
        };
        in_parallel_by_turns_of(units, [&] { return turns{begin_of, own_sums_choice::thread(choice)}; });
    }
};

}  // namespace

forall_call forall_arguments::call(const forall_kernel& kernel) {
    const std::int64_t* ends = tasks;
    const forall_argument* given = arguments;
    if (first_row > 0) {
        std::copy_n(tasks, kernel.index_rank, ends_);
        ends_[0] += first_row;
        ends = ends_;
        std::copy_n(arguments, kernel.parameter_count, placed_);
        for (int i = 0; i < kernel.parameter_count; ++i)
            if (kernel.parameters[i].own_rows) {
                const std::int64_t before = first_row * placed_[i].strides[0] * kernel.parameters[i].size;
                placed_[i].data = reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(placed_[i].data) -
                                                          static_cast<std::uintptr_t>(before));
                placed_[i].extents[0] += first_row;
            }
        given = placed_;
    }
    return {.tasks = ends,
            .first = first_row,
            .count = count,
            .arguments = given,
            .is_plain = are_plain(kernel, ends, given),
            .walk = walk,
            .shared_bytes = shared_bytes,
            .is_apart = is_apart,
            .looped_elements = looped_elements,
            .most_turns = most_turns,
            .has_elements = has_elements};
}

forall_call forall_arguments::gpu_call(const forall_kernel& kernel) {
    forall_call result = call(kernel);
    if (!has_elements) return result;
    result.order = order_of_written(kernel);
    result.across_order = across_order(kernel, result);
    result.parameters = kernel.parameters;
    result.parameter_count = kernel.parameter_count;
    if (!kernel.is_elementwise || kernel.index_rank == 1 || first_row > 0) return result;
    std::copy_n(tasks, kernel.index_rank, merged_tasks_);
    std::copy_n(arguments, kernel.parameter_count, merged_arguments_);
    if (!merge_axes(kernel, merged_tasks_, merged_arguments_)) return result;
    merged_ = result;
    merged_.tasks = merged_tasks_;
    merged_.arguments = merged_arguments_;
    merged_.is_plain = are_plain(kernel, merged_tasks_, merged_arguments_);
    merged_.walk = walk_of(kernel, merged_tasks_, merged_arguments_);
    merged_.across_order = across_order(kernel, merged_);
    result.merged = &merged_;
    return result;
}

void check_forall(const forall_kernel& kernel, const task_extents& tasks, std::initializer_list<operand_ref> given,
                  forall_arguments& result) {
    check_operand_count(kernel.name, given.size(), 0);
    assert(given.size() == static_cast<std::size_t>(kernel.parameter_count));
    result.count = count_tasks(kernel, tasks);
    result.tasks = tasks.extents;
    result.gpu = no_gpu;
    result.on_host = false;
    int first_on_gpu = 0;
    for (int i = 0; i < kernel.parameter_count; ++i) {
        result.sources[i] = result.memory.find(given.begin()[i]);
        const operand_ref& source = *result.sources[i];
        forall_argument& argument = result.arguments[i];
        argument.data = source.data;
        if (kernel.parameters[i].rank == 0) continue;
        check_rank(kernel, i, source);
        if (result.count > 0) check_own_elements(kernel, i, source, tasks);
        check_place(kernel, i, source, result, first_on_gpu);
        for (int axis = 0; axis < kernel.parameters[i].rank; ++axis) {
            argument.extents[axis] = source.layout.shape[axis];
            argument.strides[axis] = source.layout.strides[static_cast<std::size_t>(axis)];
        }
    }
    if (result.count == 0) return;
    check_neighbours(kernel, result);
    result.walk = walk_of(kernel, result.tasks, result.arguments);
    result.shared_bytes = place_sums(kernel, result);
    result.is_apart = is_apart(kernel, result);
    result.looped_elements = looped_elements(kernel, result);
    result.most_turns = most_turns(kernel, result);
    result.has_elements = kernel.has_vectors && have_elements_of_all(kernel, result);
}

void forall(const forall_kernel& kernel, const task_extents& tasks, std::initializer_list<operand_ref> given,
            const executor& requested) {
    forall_arguments all(requested);
    run_call(kernel, forall_request{kernel, tasks, given, all}, requested);
}

}  // namespace foldwise::detail
