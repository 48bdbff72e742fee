// foldwise/detail/distributed_vectorize.hpp: elementwise calls with arrays that are spread over processes. Included by
// foldwise/detail/distributed_call.hpp.
#pragma once

#include <foldwise/detail/distributed_call.hpp>

namespace foldwise::detail {

template <class Signatures, class Local> struct vectorize_fits;
template <class... S, class Local> struct vectorize_fits<signatures<S...>, Local> {
    using type = type_list<vectorize_fit<false, Local, S>...>;
};
template <class... S, class Local> struct vectorize_fits<shaped_signatures<S...>, Local> {
    using type = type_list<vectorize_fit<true, Local, S>...>;
};

/// An elementwise call: every process computes its own rows, and waits for no other unless an input's rows are needed
/// by all.
template <class Signatures, class Fit> struct distributed_vectorize {
    static constexpr bool is_chosen_here = true;
    using operands = operands_of_first<Signatures>;
    using result = typename distributed_result<typename Fit::result>::type;

    /// Whether an argument at a position is written, if it is an array.
    static constexpr bool writes_at(std::size_t position) { return position >= operands::inputs; }

    template <class Function, class... A> static result make(const Function& function, A&&... arguments) {
        const communicator world = group_of(arguments...);
        std::tuple<local_argument<std::remove_reference_t<A>>...> all(arguments...);
        constexpr auto numbers = std::make_index_sequence<Fit::count>();
        const local_rows rows = check_rows(function, all, world, are_replicated(arguments...), numbers);
        const executor where = executor_among(world, arguments...).from_row(rows.own.begin);
        return run(function, all, world, rows, where, numbers);
    }

  private:
    template <class Function, class All, std::size_t... N>
    static local_rows check_rows(const Function& function, All& all, const communicator& world, bool is_replicated,
                                 std::index_sequence<N...>) {
        const std::vector<shape> inputs = shapes_among<operands, 0, operands::inputs>(all);
        const std::vector<shape> outputs = shapes_among<operands, operands::inputs, Fit::count>(all);
        const std::optional<shape> common = broadcast_of(inputs);
        bool fits = common.has_value();
        const shape whole = !fits ? shape() : inputs.empty() ? outputs[0] : *common;
        for (const shape& output : outputs) fits = fits && output == whole;
        if (!fits) refuse_shapes(function, std::get<N>(all).without_memory()...);
        each_of(std::index_sequence<N...>(), all, [&](auto index, const auto& one) {
            if (index() >= operands::inputs) check_spread_alike(one.is_spread(), !is_replicated);
        });
        return rows_of_call<operands, Fit::count>(all, whole, world, is_replicated);
    }

    template <class Function, class All, std::size_t... N>
    static result run(const Function& function, All& all, const communicator& world, const local_rows& rows,
                      const executor& where, std::index_sequence<N...>) {
        // In braces, so that all processes gather inputs in the same order.
        const std::tuple<decltype(passed_on<operands, N>(std::get<N>(all), rows))...> local{
            passed_on<operands, N>(std::get<N>(all), rows)...};
#ifdef FOLDWISE_CHECKS_CALLS
        // A checked build finds calls that differ where processes would go on with what does not fit. CMake defines
        // this for all that may call the kernels of a CHECKED target.
        agree(world, call_of_shape(rows.whole, &typeid(Function)), {});
#endif
        const auto run_local = [&] { return function(std::get<N>(local)..., where); };
        if constexpr (std::is_void_v<result>)
            run_alone(world, run_local);
        else
            return spread(run_alone(world, run_local), world, rows);
    }
};

template <class Signatures, class... A> struct rank_call_of<vectorize_call_of, Signatures, A...> {
    static constexpr auto find() {
        using local = call_arguments<typename local_of<A>::type...>;
        using fits = typename vectorize_fits<Signatures, local>::type;
        if constexpr ((std::is_same_v<std::remove_cvref_t<A>, shape> || ...))
            return std::type_identity<wrong_call::a_call_with_distributed_arrays_takes_no_shape<type_list<A&&...>>>();
        else
            return choose(local(), fits());
    }
    template <class Local, class... Fits> static constexpr auto choose(Local local, type_list<Fits...> all) {
        if constexpr (!(Fits::fits || ...)) {
            return diagnose<Signatures>(local, all);
        } else {
            constexpr int best = best_of(all);
            if constexpr (best < 0)
                return std::type_identity<
                    wrong_call::single_values_fit_several_signatures_equally_well<type_list<A&&...>, Signatures>>();
            else
                return std::type_identity<
                    distributed_vectorize<Signatures, typename type_list<Fits...>::template at<std::size_t{best}>>>();
        }
    }
    using type = typename decltype(find())::type;
};

}  // namespace foldwise::detail
