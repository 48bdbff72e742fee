// foldwise/detail/distributed_forall.hpp: tasks on arrays that are spread over processes. Included by
// foldwise/detail/distributed_call.hpp.
#pragma once

#include <foldwise/detail/distributed_call.hpp>
#include <foldwise/detail/forall_kernel.hpp>
#include <foldwise/tasks.hpp>

#include <algorithm>

namespace foldwise::detail {

template <class Signatures, class Local> struct forall_fits;
template <class... S, class Local> struct forall_fits<signatures<S...>, Local> {
    using type = type_list<forall_fit<Local, S>...>;
};

/// What a distributed call has to know of a view that tasks are given.
struct task_view {
    int parameter;
    std::optional<shape> extents;  ///< Nothing for a value.
    bool is_spread;
    const row_split* split;
};

/// Returns which tasks along axis 0 a process runs: those whose rows it has, or an even part. Throws shape_error for
/// arrays that are split in different ways or have fewer rows than there are tasks, and std::invalid_argument for views
/// that tasks write and that are not spread, or where they write elsewhere than in their own rows.
row_split split_of_tasks(const forall_kernel& kernel, std::int64_t tasks, std::span<const task_view> views,
                         const communicator& world);

/// A call of tasks: each process runs those whose rows it has. Views that are read elsewhere are gathered.
template <class Signatures, class Fit> struct distributed_forall {
    static constexpr bool is_chosen_here = true;
    using result = void;
    /// Whether an argument at a position is written, if it is an array.
    static constexpr bool writes_at(std::size_t position) { return Fit::role_at(position) == role::output; }

    template <class Function, class First, class... A>
    static void make(const Function& function, const First& given_tasks, A&&... arguments) {
        const communicator world = group_of(arguments...);
        std::tuple<local_argument<std::remove_reference_t<A>>...> all(arguments...);
        const tasks<Fit::index_axes> range(given_tasks);
        run(function, given_tasks, range.extents(), all, world, are_replicated(arguments...),
            executor_among(world, arguments...), std::make_index_sequence<Fit::count - 1>());
    }

  private:
    template <class Function, class Tasks, class All, std::size_t... N>
    static void run(const Function& function, const Tasks& given, const task_extents& extents, All& all,
                    const communicator& world, bool is_replicated, const executor& where, std::index_sequence<N...>) {
        const void* found = nullptr;
        function(given, std::get<N>(all).without_memory()..., where.asking(&found));
        const auto& kernel = *static_cast<const forall_kernel*>(found);
        const task_view views[] = {
            {static_cast<int>(N), std::get<N>(all).shape(), std::get<N>(all).is_spread(), std::get<N>(all).split()}...};
        if (is_replicated) return run_alone(world, [&] { function(given, std::get<N>(all).as_whole()..., where); });
        const bool is_valid =
            extents.rank == kernel.index_rank && std::all_of(extents.extents, extents.extents + extents.rank,
                                                             [](std::int64_t extent) { return extent >= 0; });
        if (!is_valid) refuse_shapes(function, given, std::get<N>(all).without_memory()..., where);
        const row_split split = split_of_tasks(kernel, extents.extents[0], views, world);
        const row_range mine = split.of(world.rank());
        const std::int64_t end = std::min(mine.end, extents.extents[0]), begin = std::min(mine.begin, end);
        std::int64_t own[max_rank];
        std::copy_n(extents.extents, extents.rank, own);
        own[0] = end - begin;
        const shape range(std::span<const std::int64_t>(own, static_cast<std::size_t>(extents.rank)));
        // In braces, so that all processes gather views in the same order.
        const std::tuple<decltype(std::get<N>(all).rows_or_all(mine, false))...> local{
            std::get<N>(all).rows_or_all(mine, kernel.parameters[N].own_rows)...};
        run_alone(world, [&] { function(range, std::get<N>(local)..., where.from_row(mine.begin)); });
    }
};

template <class Signatures, class... A> struct rank_call_of<forall_call_of, Signatures, A...> {
    using local = call_arguments<typename local_of<A>::type...>;
    using type = typename decltype(first_call_that_fits<distributed_forall, Signatures>(
        local(), typename forall_fits<Signatures, local>::type()))::type;
};

}  // namespace foldwise::detail
