// foldwise/detail/distributed_reduce.hpp: reductions of arrays that are spread over processes. Included by
// foldwise/detail/distributed_call.hpp.
#pragma once

#include <foldwise/detail/distributed_call.hpp>
#include <foldwise/detail/reduce_kernel.hpp>

#include <algorithm>
#include <cstring>
#include <new>
#include <optional>
#include <utility>
#include <vector>

namespace foldwise::detail {

template <class Signatures, class Local> struct reduce_fits;
template <class... S, class Local> struct reduce_fits<signatures<S...>, Local> {
    using type = type_list<reduce_fit<false, Local, S>...>;
};
template <class... S, class Local> struct reduce_fits<shaped_signatures<S...>, Local> {
    using type = type_list<reduce_fit<true, Local, S>...>;
};

template <class Fit> struct fold_types;
template <bool TakesShape, class Arguments, class Accumulator, class Result, class... I>
struct fold_types<reduce_fit<TakesShape, Arguments, foldwise::reduction<Accumulator, Result(I...)>>> {
    using accumulator = Accumulator;
    using result = Result;
};

/// What a process brings to a fold of all rows: its accumulator, if it has rows.
template <class Accumulator> struct brought {
    std::byte bytes[sizeof(Accumulator)];
    bool is_some;
};

/// A reduction: every process folds its own rows, all gather the accumulators, and each of them combines these in the
/// order of ranks. Along other axes than the first, processes do without one another.
template <class Signatures, class Fit> struct distributed_reduce {
    static constexpr bool is_chosen_here = true;
    using operands = operands_of_first<Signatures>;
    using accumulator = typename fold_types<Fit>::accumulator;
    using value = typename fold_types<Fit>::result;
    using result =
        std::conditional_t<Fit::has_output, void, std::conditional_t<Fit::has_axes, distributed<value>, value>>;

    /// Whether an argument at a position is written, if it is an array.
    static constexpr bool writes_at(std::size_t position) { return position >= operands::inputs; }

    template <class Function, class... A> static result make(const Function& function, A&&... arguments) {
        const communicator world = group_of(arguments...);
        std::tuple<local_argument<std::remove_reference_t<A>>...> all(arguments...);
        constexpr auto inputs = std::make_index_sequence<operands::inputs>();
        const std::optional<shape> whole = broadcast_of(shapes_among<operands, 0, operands::inputs>(all));
        if (!whole) refuse(function, all, std::index_sequence_for<A...>());
        const bool is_replicated = are_replicated(arguments...);
        const local_rows rows = rows_of_call<operands, operands::inputs>(all, *whole, world, is_replicated);
        return [&]<std::size_t... N>(std::index_sequence<N...>) {
            const std::tuple<decltype(passed_on<operands, N>(std::get<N>(all), rows))...> local{
                passed_on<operands, N>(std::get<N>(all), rows)...};
            const executor where = executor_among(world, arguments...);
            const executor part = where.from_row(rows.own.begin);
            const auto fold = [&](const auto&... more) { return function(std::get<N>(local)..., more..., part); };
            const options_of<A...> options(arguments...);
            if constexpr (Fit::has_axes) {
                const folded_axes along = folded_axes_of(*whole, options.along, options.keepdims);
                if (!along.are_valid) refuse(function, all, std::index_sequence_for<A...>());
                const bool is_local = is_replicated || !along.fold_rows;
                if constexpr (Fit::has_output) {
                    auto& output = std::get<operands::inputs>(all);
                    if (!(*output.shape() == along.results)) refuse(function, all, std::index_sequence_for<A...>());
                    check_spread_alike(output.is_spread(), !is_replicated && is_local);
                    if (output.split() && !(*output.split() == rows.split)) refuse_splits(*output.split(), rows.split);
                    const view<value> to = output.own_view();
                    const auto fold_to = [&](const auto&... more) {
                        function(std::get<N>(local)..., to, more..., part);
                    };
                    if (is_local) return run_alone(world, [&] { options.along_axes(fold_to); });
                    const distributed<value> made =
                        along_rows(function, fold, options, along.results, world, rows, where);
                    return run_alone(world, [&] { copy(made.local(), to, where.stream()); });
                } else if (is_local) {
                    return spread(run_alone(world, [&] { return options.along_axes(fold); }), world,
                                  {along.results, rows.split, {}, is_replicated});
                } else {
                    return along_rows(function, fold, options, along.results, world, rows, where);
                }
            } else {
                const auto folded = [&] {
                    if (is_replicated) return run_alone(world, [&] { return options.of_all(fold); });
                    return of_all_rows(function, fold, options, world, rows, where);
                };
                if constexpr (Fit::has_output) {
                    auto& output = std::get<operands::inputs>(all);
                    if (output.shape()->size() != 1) refuse(function, all, std::index_sequence_for<A...>());
                    check_spread_alike(output.is_spread(), false);
                    const value made = folded();
                    run_alone(world, [&] { copy(host(&made, 1), output.own_view(), where.stream()); });
                } else {
                    return folded();
                }
            }
        }
        (inputs);
    }

  private:
    /// The options of a call but its executor.
    template <class... A> struct options_of {
        axes along;
        bool keepdims = false;
        std::optional<accumulator> first;

        explicit options_of(const A&... arguments) { (look(arguments), ...); }
        void look(const axes& given) { along = given; }
        void look(keepdims_t) { keepdims = true; }
        template <class T> void look(const initial_value<T>& given) {
            first = kept<accumulator>(given.value, "foldwise::initial");
        }
        void look(const auto&) {}

        /// Calls the fold with the initial value, if there is one, behind other options.
        template <class Fold, class... More> auto beginning(const Fold& fold, const More&... more) const {
            return first ? fold(more..., initial(*first)) : fold(more...);
        }
        template <class Fold> auto of_all(const Fold& fold) const { return beginning(fold); }
        template <class Fold> auto along_axes(const Fold& fold) const {
            return keepdims ? beginning(fold, along, foldwise::keepdims) : beginning(fold, along);
        }
    };

    template <class Function, class All, std::size_t... N>
    [[noreturn]] static void refuse(const Function& function, All& all, std::index_sequence<N...>) {
        refuse_shapes(function, std::get<N>(all).without_memory()...);
    }

    /// Combines accumulators, of all of which this process has a copy.
    template <class Function, class Options, class... Along>
    static auto combined(const Function& function, const Options& options, view<const accumulator> parts,
                         const executor& where, const Along&... along) {
        return options.beginning([&](const auto&... more) { return function(parts, from_partials, more...); }, along...,
                                 where);
    }

    /// Returns the code of the function's kernel on the CPU, or null if it has not been generated for the backend cpu.
    template <class Function> static const reduce_on_cpu* cpu_code_of(const Function& function) {
        static const reduce_on_cpu* const code = [&] {
            const void* kernel = nullptr;
            function(view<const accumulator>(nullptr, shape{0}), from_partials, executor().asking(&kernel));
            return static_cast<const reduce_kernel*>(kernel)->cpu;
        }();
        return code;
    }

    /// Returns what a call with from_partials makes of accumulators, of which there is one at least, without the call.
    static value finished(const reduce_on_cpu& code, const std::vector<brought<accumulator>>& all,
                          const std::optional<accumulator>& first) {
        alignas(accumulator) std::byte both[2][sizeof(accumulator)];
        std::byte *sum = both[0], *next = both[1];
        bool is_begun = false;
        for (const brought<accumulator>& one : all) {
            if (!one.is_some) continue;
            std::memcpy(is_begun ? next : sum, one.bytes, sizeof(accumulator));
            if (is_begun) code.join(sum, next, 1);
            is_begun = true;
        }
        if (first) {
            std::memcpy(next, &*first, sizeof(accumulator));
            code.join(next, sum, 1);
            std::swap(sum, next);
        }
        alignas(value) std::byte result[sizeof(value)];
        code.finish(sum, result, 1, 1);
        return *std::launder(reinterpret_cast<value*>(result));
    }

    template <class Function, class Fold, class Options>
    static value of_all_rows(const Function& function, const Fold& fold, const Options& options,
                             const communicator& world, const local_rows& rows, const executor& where) {
        static_assert(sizeof(brought<accumulator>) <= most_agreed_bytes);
        brought<accumulator> mine{};
        std::exception_ptr error;
        try {
            if (rows.own.count() > 0) {
                const accumulator folded = fold(partial);
                std::memcpy(mine.bytes, &folded, sizeof folded);
                mine.is_some = true;
            }
        } catch (...) {
            error = std::current_exception();
        }
        std::vector<brought<accumulator>> all(static_cast<std::size_t>(world.size()));
        agree_and_gather(world, call_of_shape(rows.whole, &typeid(Function)), error, &mine, all.data(), sizeof mine);
        const reduce_on_cpu* const on_cpu = cpu_code_of(function);
#ifndef FOLDWISE_CHECKS_CALLS  // a call says what its kernel's checks find
        if (on_cpu && std::ranges::any_of(all, [](const auto& one) { return one.is_some; }))
            return run_alone(world, [&] { return finished(*on_cpu, all, options.first); });
#endif
        return run_alone(world, [&] {
            array<accumulator> parts(shape{rows.split.processes_with_rows()}, cpu());
            std::int64_t count = 0;
            for (const brought<accumulator>& one : all)
                if (one.is_some && count < parts.size())
                    std::memcpy(parts.data() + count++, one.bytes, sizeof(accumulator));
            // A launch would take longer than combining a few accumulators.
            return combined(function, options, view<const accumulator>(parts), on_cpu ? cpu() : where);
        });
    }

    template <class Function, class Fold, class Options>
    static distributed<value> along_rows(const Function& function, const Fold& fold, const Options& options,
                                         const shape& results, const communicator& world, const local_rows& rows,
                                         const executor& where) {
        array<accumulator> mine;
        place there;
        std::exception_ptr error;
        try {
            there = place_of(where);
            if (rows.own.count() > 0) {
                mine = options.keepdims ? fold(partial, options.along, keepdims) : fold(partial, options.along);
                there = mine.place();
            }
        } catch (...) {
            error = std::current_exception();
        }
        const bool are_on_gpus =
            agree(world, call_of_shape(rows.whole, &typeid(Function)), error, there.kind == memory::host);
        const executor here = executor_of(there);
        return run_alone(world, [&] {
            // The accumulators of a process, if it has rows, are a row of a matrix.
            const std::int64_t parts = rows.split.processes_with_rows();
            const bool is_cut =
                are_on_gpus && world.transport().between_gpus() && is_worth_cutting(results, world, parts);
            array<value> finished =
                is_cut ? finished_in_parts(function, options, world, mine, rows.split, results.size(), where, here)
                       : combined(function, options,
                                  view<const accumulator>(
                                      gathered(world, mine, rows.split, results.size(), here, are_on_gpus)),
                                  where, axis(0));
            return distributed<value>(results, world, row_split(), std::move(finished).reshape(results), true);
        });
    }

    /// Returns whether each process is to combine a part of the results, which all then gather, rather than all of
    /// them: whether that saves a process more bytes than a link carries in the time that the second exchange takes.
    static bool is_worth_cutting(const shape& results, const communicator& world, std::int64_t parts) {
        constexpr std::int64_t carried = std::int64_t{8} << 20;  // 40 microseconds of 200 GB/s
        const std::int64_t bytes = results.size() * static_cast<std::int64_t>(sizeof(accumulator)), size = world.size(),
                           others = parts - 1;
        return bytes * others - 2 * (bytes / size * others) > carried;
    }

    /// Returns the accumulators of all processes that have rows.
    static array<accumulator> gathered(const communicator& world, const array<accumulator>& mine,
                                       const row_split& split, std::int64_t count, const executor& here,
                                       bool are_on_gpus) {
        array<accumulator> all({split.processes_with_rows(), count}, here);
        std::vector<std::size_t> bytes;
        for (const std::int64_t rows : split.counts())
            bytes.push_back(rows > 0 ? static_cast<std::size_t>(count) * sizeof(accumulator) : 0);
        gather(world, mine.data(), all.data(), bytes, all.place(), rows_stream(mine, all), are_on_gpus);
        return all;
    }

    /// Returns the stream that what is sent and what is received follow.
    template <class A, class B> static CUstream_st* rows_stream(const array<A>& sent, array<B>& received) {
        if (sent.size() == 0) return received.stream();
        received.follow(sent.stream());
        return sent.stream();
    }

    /// Lets each process combine the accumulators of some of the results, and gathers what is finished. GPUs alone
    /// send.
    template <class Function, class Options>
    static array<value> finished_in_parts(const Function& function, const Options& options, const communicator& world,
                                          const array<accumulator>& mine, const row_split& split, std::int64_t count,
                                          const executor& where, const executor& here) {
        const row_split columns_split = row_split::even(count, world.size());
        const std::int64_t own = columns_split.of(world.rank()).count();
        array<accumulator> columns({split.processes_with_rows(), own}, here);
        std::vector<sent_message> sent;
        std::vector<received_message> received;
        for (int rank = 0; rank < world.size(); ++rank) {
            const row_range part = columns_split.of(rank);
            if (mine.size() > 0)
                sent.push_back(
                    {mine.data() + part.begin, static_cast<std::size_t>(part.count()) * sizeof(accumulator), rank});
            if (split.of(rank).count() > 0)
                received.push_back({columns.data() + static_cast<std::int64_t>(received.size()) * own,
                                    static_cast<std::size_t>(own) * sizeof(accumulator), rank});
        }
        gpu_transport& between = *world.transport().between_gpus();
        between.begin_exchange(sent, received, rows_stream(mine, columns))->wait();
        const array<value> part = combined(function, options, view<const accumulator>(columns), where, axis(0));
        array<value> finished(shape{count}, here);
        std::vector<std::size_t> bytes;
        for (const std::int64_t one : columns_split.counts())
            bytes.push_back(static_cast<std::size_t>(one) * sizeof(value));
        between.all_gather(part.data(), finished.data(), bytes, rows_stream(part, finished));
        return finished;
    }
};

template <class Signatures, class... A> struct rank_call_of<reduce_call_of, Signatures, A...> {
    static constexpr auto find() {
        using local = call_arguments<typename local_of<A>::type...>;
        using fits = typename reduce_fits<Signatures, local>::type;
        if constexpr ((std::is_same_v<std::remove_cvref_t<A>, shape> || ...))
            return std::type_identity<wrong_call::a_call_with_distributed_arrays_takes_no_shape<type_list<A&&...>>>();
        else
            return choose(local(), fits());
    }
    template <class Local> static constexpr auto choose(Local local, type_list<>) {
        return diagnose<Signatures>(local, type_list<>());
    }
    template <class Local, class First, class... Fits>
    static constexpr auto choose(Local local, type_list<First, Fits...>) {
        if constexpr (!First::fits && sizeof...(Fits) > 0)
            return choose(local, type_list<Fits...>());
        else if constexpr (!First::fits)
            return diagnose<Signatures>(local, typename reduce_fits<Signatures, Local>::type());
        else if constexpr (First::has_segments)
            return std::type_identity<wrong_call::a_distributed_reduction_takes_no_segments<type_list<A&&...>>>();
        else
            return std::type_identity<distributed_reduce<Signatures, First>>();
    }
    using type = typename decltype(find())::type;
};

}  // namespace foldwise::detail
