// foldwise/detail/distributed_scan.hpp: scans of arrays that are spread over processes. Included by
// foldwise/detail/distributed_call.hpp.
#pragma once

#include <foldwise/detail/distributed_call.hpp>
#include <foldwise/detail/process_folds.hpp>
#include <foldwise/detail/scan_kernel.hpp>
#include <foldwise/scan_options.hpp>

#include <algorithm>

namespace foldwise::detail {

template <class Signatures, class Local> struct scan_fits;
template <class... S, class Local> struct scan_fits<signatures<S...>, Local> {
    using type = type_list<scan_fit<false, Local, S>...>;
};
template <class... S, class Local> struct scan_fits<shaped_signatures<S...>, Local> {
    using type = type_list<scan_fit<true, Local, S>...>;
};

template <class Accumulator, class Signature>
struct operands_of_first<scanning<Accumulator, Signature>> : operands_of_first<Signature> {};

template <bool TakesShape, class Arguments, class Accumulator, class Result, class... I>
struct fold_types<scan_fit<TakesShape, Arguments, scanning<Accumulator, Result(I...)>>> {
    using accumulator = Accumulator;
    using result = Result;
};

/// A scan: every process folds its own rows, learns what the rows of the processes before it combine to, and scans its
/// own from there. Along other axes than the first, processes do without one another.
template <class Signatures, class Fit> struct distributed_scan {
    static constexpr bool is_chosen_here = true;
    using operands = operands_of_first<Signatures>;
    using accumulator = typename fold_types<Fit>::accumulator;
    using value = typename fold_types<Fit>::result;
    using result = std::conditional_t<Fit::has_output, void, distributed<value>>;

    /// Whether an argument at a position is written, if it is an array.
    static constexpr bool writes_at(std::size_t position) { return position >= operands::inputs; }

    template <class Function, class... A> static result make(const Function& function, A&&... arguments) {
        const communicator world = group_of(arguments...);
        std::tuple<local_argument<std::remove_reference_t<A>>...> all(arguments...);
        return run(function, all, world, are_replicated(arguments...), options_of(arguments...),
                   executor_among(world, arguments...), std::make_index_sequence<operands::inputs>());
    }

  private:
    using option = scan_option<accumulator>;

    /// The options of a call but its executor; those that are not given are empty.
    struct options_of {
        axes along_axes;
        option along, is_exclusive, is_reverse, first, restarts;
        bool has_axes = false, excludes = false, reverses = false, restarts_at = false;
        std::optional<accumulator> initial_value;

        template <class... A> explicit options_of(const A&... arguments) { (look(arguments), ...); }

      private:
        void look(const axes& given) {
            along_axes = given;
            along = given;
            has_axes = true;
        }
        void look(exclusive_t given) { is_exclusive = given, excludes = true; }
        void look(reverse_t given) { is_reverse = given, reverses = true; }
        template <class T> void look(const foldwise::initial_value<T>& given) {
            first = given;
            initial_value = kept<accumulator>(given.value, "foldwise::initial");
        }
        void look(const key_range& given) { restarts = given, restarts_at = true; }
        void look(const offset_range& given) { restarts = given, restarts_at = true; }
        void look(const auto&) {}
    };

    /// Returns the output of a call, if there is one, and otherwise nothing in memory.
    template <class All> static view<value> nowhere(const All&, const shape& extents) {
        return without_memory<value>(extents);
    }

    template <class Function, class All, std::size_t... N>
    static result run(const Function& function, All& all, const communicator& world, bool is_replicated,
                      const options_of& options, const executor& where, std::index_sequence<N...>) {
        const std::optional<shape> common = broadcast_of(shapes_among<operands, 0, operands::inputs>(all));
        const auto refuse = [&](const auto&... output) {
            refuse_shapes(function, std::get<N>(all).without_memory()..., output..., options.along,
                          options.is_exclusive, options.is_reverse, options.first, options.restarts, option(where));
        };
        if (!common) refuse();
        const shape whole = *common;
        if constexpr (Fit::has_output) {
            const auto& output = std::get<operands::inputs>(all);
            if (!(*output.shape() == whole)) refuse(output.without_memory());
            check_spread_alike(output.is_spread(), !is_replicated);
        }
        const bool is_valid = !options.has_axes || folded_axes_of(whole, options.along_axes, false).are_valid;
        if (!is_valid || (options.has_axes && options.along_axes.count() != 1)) refuse(nowhere(all, whole));
        const bool scans_rows =
            !options.has_axes || options.along_axes[0] == 0 || options.along_axes[0] == -whole.rank();
        constexpr std::size_t count = operands::inputs + (Fit::has_output ? 1 : 0);
        const local_rows rows = rows_of_call<operands, count>(all, whole, world, is_replicated);
        const executor part = where.from_row(rows.own.begin);
        const std::tuple<decltype(passed_on<operands, N>(std::get<N>(all), rows))...> local{
            passed_on<operands, N>(std::get<N>(all), rows)...};
        option begin = options.first;
        array<accumulator> starts;
        scan_part of_whole;
        if (!is_replicated && scans_rows) {
            const auto fold = [&](const executor& run_where, const scan_part& ends) {
                const shape own = with_rows(whole, rows.own.count());
                function(std::get<N>(local)..., nowhere(all, own), options.along, options.is_reverse, option(ends),
                         option(run_where), option(), option());
            };
            const void* found = nullptr;
            fold(part.asking(&found), {});
            const auto& kernel = *static_cast<const scan_kernel*>(found);
            if (options.restarts_at)
                throw std::invalid_argument(
                    std::string(kernel.name) +
                    ": a scan of rows that are spread over processes takes neither by_key() nor "
                    "segments(); it does along other axes");
            if (options.excludes && !options.initial_value && !kernel.has_identity) refuse(nowhere(all, whole));
            if (starts_of(kernel, world, rows, options, fold, part, starts)) {
                of_whole.starts = starts.data();
                begin = starts.size() == 1 ? option(foldwise::initial_value<accumulator>{starts.data()[0]})
                                           : option(of_whole);
            }
        }
        const auto scan = [&](auto&&... output) {
            return function(std::get<N>(local)..., output..., options.along, options.is_exclusive, options.is_reverse,
                            begin, options.restarts, option(part));
        };
        if constexpr (Fit::has_output) {
            auto output = std::get<operands::inputs>(all).of(rows);
            run_alone(world, [&] { scan(output); });
        } else {
            return spread(run_alone(world, [&] { return scan(); }), world, rows);
        }
    }

    /// Finds out what the rows of this process begin with; returns false if that is what the call begins with.
    template <class Fold>
    static bool starts_of(const scan_kernel& kernel, const communicator& world, const local_rows& rows,
                          const options_of& options, const Fold& fold, const executor& part,
                          array<accumulator>& starts) {
        const std::int64_t columns = !options.has_axes ? 1 : rows.whole[0] == 0 ? 0 : rows.whole.size() / rows.whole[0];
        if (rows.whole.size() == 0) return false;
        std::vector<int> order;
        for (int rank = 0; rank < world.size(); ++rank)
            if (rows.split.of(rank).count() > 0) order.push_back(rank);
        if (options.reverses) std::reverse(order.begin(), order.end());
        together(world, call_of_shape(rows.whole, &typeid(Fold)), [&] {
            check_combines(kernel.name, kernel.cpu != nullptr);
            starts = array<accumulator>(shape{columns}, cpu());
            if (rows.own.count() > 0 && order.size() > 1) fold(part, {nullptr, starts.data()});
        });
        return run_alone(world, [&] {
            if (!combine_before(world, order, {starts.data(), columns, sizeof(accumulator)}, kernel.cpu->join))
                return false;
            for (std::int64_t i = 0; options.initial_value && i < columns; ++i) {
                accumulator both = *options.initial_value;
                kernel.cpu->join(&both, starts.data() + i);
                std::memcpy(starts.data() + i, &both, sizeof both);
            }
            return true;
        });
    }
};

template <class Signatures, class... A> struct rank_call_of<scan_call_of, Signatures, A...> {
    static constexpr auto find() {
        using local = call_arguments<typename local_of<A>::type...>;
        if constexpr ((std::is_same_v<std::remove_cvref_t<A>, shape> || ...))
            return std::type_identity<wrong_call::a_call_with_distributed_arrays_takes_no_shape<type_list<A&&...>>>();
        else
            return first_call_that_fits<distributed_scan, Signatures>(local(),
                                                                      typename scan_fits<Signatures, local>::type());
    }
    using type = typename decltype(find())::type;
};

}  // namespace foldwise::detail
