// foldwise/call.hpp: the calls of generated functions that their overloads do not serve: elementwise calls with single
// values alone or whose values fit several signatures, and mistaken calls, which are explained in a few lines.
#pragma once

#include <foldwise/detail/cxx20.hpp>
#if __cplusplus >= 202002L

#include <foldwise/detail/best_fit.hpp>
#include <foldwise/detail/call_fits.hpp>
#include <foldwise/detail/call_mistakes.hpp>
#include <foldwise/detail/likely_result.hpp>
#include <foldwise/detail/wrong_call.hpp>
#include <foldwise/operand.hpp>
#include <foldwise/shape.hpp>
#include <foldwise/view.hpp>

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace foldwise {

template <class T> class distributed;

namespace detail {

template <class T> inline constexpr bool is_distributed = false;
template <class T> inline constexpr bool is_distributed<distributed<T>> = true;

/// A call with arrays that are spread over processes (foldwise/distributed.hpp, which includes the definition). `Local`
/// is how a process's own part is called, one of the templates below.
template <template <class, class...> class Local, class Signatures, class... A> struct distributed_call_of;

template <template <class, class...> class Local, class Signatures, class... A>
using call_of = typename std::conditional_t<
    (std::is_same_v<std::remove_cvref_t<A>, no_result> || ...), std::type_identity<call_of_no_result>,
    std::conditional_t<(is_distributed<std::remove_cvref_t<A>> || ...), distributed_call_of<Local, Signatures, A...>,
                       Local<Signatures, A...>>>::type;

/// A call that the overloads serve.
struct overloaded_call {
    static constexpr bool is_chosen_here = false;
    using result = void;
};

/// An element that need not have a default constructor.
template <class T> union element_slot {
    T value;
    element_slot() {}
};

/// A call of the signature that fits its arguments best.
template <class Fit> struct chosen_call {
    static constexpr bool is_chosen_here = true;
    using result = typename Fit::result;

    /// Calls `function`, an overload set, with inputs of exactly the signature's types, which select it.
    template <class Function, class... A> static result make(const Function& function, A&&... arguments) {
        const std::tuple<A&&...> all(std::forward<A>(arguments)...);
        constexpr auto inputs = std::make_index_sequence<Fit::inputs::size>();
        if constexpr (!Fit::makes_value)
            return call(function, all, inputs, std::make_index_sequence<sizeof...(A) - Fit::behind>());
        else if constexpr (Fit::arguments::ends_with_executor)
            return value(function, all, inputs, typename Fit::outputs(), std::get<Fit::behind>(all));
        else
            return value(function, all, inputs, typename Fit::outputs(), executor());
    }

  private:
    template <std::size_t N> using input = operand<const typename Fit::inputs::template at<N>>;

    template <class Function, class All, std::size_t... N, std::size_t... Behind>
    static result call(const Function& function, const All& all, std::index_sequence<N...>,
                       std::index_sequence<Behind...>) {
        if constexpr (Fit::has_shape)
            return function(std::get<0>(all), input<N>(std::get<N + 1>(all))...,
                            std::get<Fit::behind + Behind>(all)...);
        else
            return function(input<N>(std::get<N>(all))..., std::get<Fit::behind + Behind>(all)...);
    }

    template <class Function, class All, std::size_t... N, class... Outputs>
    static result value(const Function& function, const All& all, std::index_sequence<N...>, type_list<Outputs...>,
                        const executor& where) {
        std::tuple<element_slot<Outputs>...> slots;
        return std::apply(
            [&](element_slot<Outputs>&... slot) {
                function(input<N>(std::get<N>(all))..., operand<Outputs>(view<Outputs>(&slot.value, shape()))...,
                         where);
                return result(slot.value...);
            },
            slots);
    }
};

/// A reduction of single values by the signature that fits them best.
template <class Fit> struct chosen_fold {
    static constexpr bool is_chosen_here = true;
    using result = typename Fit::result;

    /// Calls `function`, an overload set, with inputs of exactly the signature's types, which select it.
    template <class Function, class... A> static result make(const Function& function, A&&... arguments) {
        const std::tuple<A&&...> all(std::forward<A>(arguments)...);
        return [&]<std::size_t... N, std::size_t... Behind>(std::index_sequence<N...>, std::index_sequence<Behind...>) {
            return function(operand<const typename Fit::inputs::template at<N>>(std::get<N>(all))...,
                            std::get<Fit::behind + Behind>(all)...);
        }
        (std::make_index_sequence<Fit::inputs::size>(), std::make_index_sequence<sizeof...(A) - Fit::behind>());
    }
};

/// Returns a call that no signature fits, as a type.
template <class Signatures, class... A, class... Fits>
constexpr auto mistaken(call_arguments<A...> call, type_list<Fits...> all) {
    return std::type_identity<mistaken_call<typename decltype(diagnose<Signatures>(call, all))::type,
                                            typename decltype(likely_result(call, all))::type>>();
}

/// Returns which kind of call the arguments make, as a type, of functions whose overloads serve all calls.
template <class Signatures, class... A, class... Fits>
constexpr auto resolve_others(call_arguments<A...> call, type_list<Fits...> all) {
    if constexpr ((Fits::fits || ...))
        return std::type_identity<overloaded_call>();
    else if constexpr (all_familiar_from<0>(call, all))
        return mistaken<Signatures>(call, all);
    else
        return std::type_identity<overloaded_call>();
}

/// Returns which kind of call the arguments of an elementwise function make, as a type.
template <class Signatures, class... A, class... Fits>
constexpr auto resolve_vectorize(call_arguments<A...> call, type_list<Fits...> all) {
    constexpr int fitting = (0 + ... + (Fits::fits ? 1 : 0));
    if constexpr (fitting == 0) {
        return resolve_others<Signatures>(call, all);
    } else if constexpr (fitting == 1 && !(Fits::makes_value || ...)) {
        return std::type_identity<overloaded_call>();
    } else {
        constexpr int best = best_of(all);
        if constexpr (best < 0)
            return std::type_identity<
                wrong_call::single_values_fit_several_signatures_equally_well<type_list<A&&...>, Signatures>>();
        else
            return std::type_identity<chosen_call<typename type_list<Fits...>::template at<std::size_t{best}>>>();
    }
}

/// Returns which kind of call the arguments of a reduction make, as a type: where arrays do not, single values select
/// the signature.
template <class Signatures, class... A, class... Fits>
constexpr auto resolve_reduce(call_arguments<A...> call, type_list<Fits...> all) {
    if constexpr ((0 + ... + (Fits::fits ? 1 : 0)) < 2) {
        return resolve_others<Signatures>(call, all);
    } else {
        constexpr int best = best_of(all);
        if constexpr (best < 0)
            return std::type_identity<mistaken_call<
                wrong_call::single_values_fit_several_signatures_equally_well<type_list<A&&...>, Signatures>,
                no_result>>();
        else
            return std::type_identity<chosen_fold<typename type_list<Fits...>::template at<std::size_t{best}>>>();
    }
}

template <class Signatures, class... A> struct vectorize_call_of;
template <class... S, class... A> struct vectorize_call_of<signatures<S...>, A...> {
    using type = typename decltype(resolve_vectorize<signatures<S...>>(
        call_arguments<A...>(), type_list<vectorize_fit<false, call_arguments<A...>, S>...>()))::type;
};
template <class... S, class... A> struct vectorize_call_of<shaped_signatures<S...>, A...> {
    using type = typename decltype(resolve_vectorize<signatures<S...>>(
        call_arguments<A...>(), type_list<vectorize_fit<true, call_arguments<A...>, S>...>()))::type;
};
template <class Signatures, class... A> struct guvectorize_call_of;
template <class... S, class... A> struct guvectorize_call_of<signatures<S...>, A...> {
    using type = typename decltype(resolve_vectorize<signatures<S...>>(
        call_arguments<A...>(), type_list<guvectorize_fit<call_arguments<A...>, S>...>()))::type;
};
template <class Signatures, class... A> struct stencil_call_of;
template <class... S, class... A> struct stencil_call_of<signatures<S...>, A...> {
    using type = typename decltype(resolve_vectorize<signatures<S...>>(
        call_arguments<A...>(), type_list<stencil_fit<call_arguments<A...>, S>...>()))::type;
};
/// The arguments of a call with foldwise::steps without these, and the position where they were.
template <class Before, class... A> struct without_steps;
template <class... B, class First, class... A>
struct without_steps<type_list<B...>, First, A...> : without_steps<type_list<B..., First>, A...> {};
template <class... B, class First, class... A>
requires std::is_same_v<std::remove_cvref_t<First>, steps>
struct without_steps<type_list<B...>, First, A...> {
    template <class Signatures> using call = typename stencil_call_of<Signatures, B..., A...>::type;
    template <class Signature> using fit = stencil_fit<call_arguments<B..., A...>, Signature>;
    static constexpr std::size_t position = sizeof...(B);
    using given = First&&;
};

/// A call with foldwise::steps: the overloads serve it if they serve it without, and the steps are behind all operands.
template <class... S, class... A>
requires(std::is_same_v<std::remove_cvref_t<A>, steps> || ...) struct stencil_call_of<signatures<S...>, A...> {
    using others = without_steps<type_list<>, A...>;
    using call = typename others::template call<signatures<S...>>;
    static constexpr bool is_behind = ((others::template fit<S>::count == others::position) || ...);
    using type =
        std::conditional_t<std::is_base_of_v<wrong_call::mistake, call> || is_behind, call,
                           mistaken_call<wrong_call::foldwise_steps_come_behind_the_outputs_or_the_inputs_alone<
                                             others::position + 1, typename others::given>,
                                         no_result>>;
};
template <class Signatures, class... A> struct reduce_call_of;
template <class... S, class... A> struct reduce_call_of<signatures<S...>, A...> {
    using type = typename decltype(resolve_reduce<signatures<S...>>(
        call_arguments<A...>(), type_list<reduce_fit<false, call_arguments<A...>, S>...>()))::type;
};
template <class... S, class... A> struct reduce_call_of<shaped_signatures<S...>, A...> {
    using type = typename decltype(resolve_reduce<signatures<S...>>(
        call_arguments<A...>(), type_list<reduce_fit<true, call_arguments<A...>, S>...>()))::type;
};
template <class Signatures, class... A> struct scan_call_of;
template <class... S, class... A> struct scan_call_of<signatures<S...>, A...> {
    using type = typename decltype(resolve_others<signatures<S...>>(
        call_arguments<A...>(), type_list<scan_fit<false, call_arguments<A...>, S>...>()))::type;
};
template <class... S, class... A> struct scan_call_of<shaped_signatures<S...>, A...> {
    using type = typename decltype(resolve_others<signatures<S...>>(
        call_arguments<A...>(), type_list<scan_fit<true, call_arguments<A...>, S>...>()))::type;
};
template <class Signatures, class... A> struct scatter_call_of;
template <class... S, class... A> struct scatter_call_of<signatures<S...>, A...> {
    using type = typename decltype(resolve_others<signatures<S...>>(
        call_arguments<A...>(), type_list<scatter_fit<call_arguments<A...>, S>...>()))::type;
};
template <class Signatures, class... A> struct forall_call_of;
template <class... S, class... A> struct forall_call_of<signatures<S...>, A...> {
    using type = typename decltype(resolve_others<signatures<S...>>(
        call_arguments<A...>(), type_list<forall_fit<call_arguments<A...>, S>...>()))::type;
};

template <class Signatures, class... A> struct blocks_call_of : forall_call_of<Signatures, A...> {};

}  // namespace detail

/// For generated headers: how a function with these signatures is called with arguments of these types, which are
/// deduced from forwarding references.
template <class Signatures, class... Arguments>
using vectorize_call = detail::call_of<detail::vectorize_call_of, Signatures, Arguments...>;
template <class Signatures, class... Arguments>
using guvectorize_call = detail::call_of<detail::guvectorize_call_of, Signatures, Arguments...>;
template <class Signatures, class... Arguments>
using stencil_call = detail::call_of<detail::stencil_call_of, Signatures, Arguments...>;
template <class Signatures, class... Arguments>
using reduce_call = detail::call_of<detail::reduce_call_of, Signatures, Arguments...>;
template <class Signatures, class... Arguments>
using scan_call = detail::call_of<detail::scan_call_of, Signatures, Arguments...>;
template <class Signatures, class... Arguments>
using scatter_call = detail::call_of<detail::scatter_call_of, Signatures, Arguments...>;
template <class Signatures, class... Arguments>
using forall_call = detail::call_of<detail::forall_call_of, Signatures, Arguments...>;
template <class Signatures, class... Arguments>
using blocks_call = detail::call_of<detail::blocks_call_of, Signatures, Arguments...>;

}  // namespace foldwise

#endif
