// foldwise/detail/likely_result.hpp: what a mistaken call would give without its mistake, so that what the program does
// with the result is no error of its own.
#pragma once

#include <foldwise/array.hpp>
#include <foldwise/detail/call_arguments.hpp>
#include <foldwise/detail/call_fits.hpp>
#include <foldwise/detail/call_mistakes.hpp>
#include <foldwise/detail/no_result.hpp>
#include <foldwise/detail/wrong_call.hpp>
#include <foldwise/reduce_options.hpp>
#include <foldwise/restarts.hpp>

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace foldwise::detail {

/// Whether an argument stands for an array, well or badly.
template <class A>
concept array_like = contiguous<std::remove_reference_t<A>> || container<std::remove_reference_t<A>> ||
    std::is_pointer_v<std::decay_t<A>> || iterator_class<A> || zipped<A>;

template <class... T> struct values_of { using type = std::tuple<T...>; };
template <class T> struct values_of<T> { using type = T; };

/// Returns, as a type, what an elementwise call gives: single values if it is given no array.
template <class Fit, class... A, class... Output>
constexpr auto likely_of_elements(call_arguments<A...>, type_list<Output...>) {
    if constexpr (!Fit::makes_arrays)
        return std::type_identity<no_result>();
    else if constexpr (Fit::has_shape || requires { Fit::leaves_shape_to_outputs; } || (array_like<A> || ...))
        return std::type_identity<typename Fit::result>();
    else
        return std::type_identity<typename values_of<Output...>::type>();
}

/// What an argument behind the inputs of a fold says of its result.
enum class says { nothing, along_axes, unknown };

template <class A, class Value = std::remove_cvref_t<A>> constexpr says said_by() {
    if constexpr (std::is_same_v<Value, axes> || std::is_same_v<Value, offset_range>)
        return says::along_axes;
    else if constexpr (contiguous<std::remove_reference_t<A>> || std::is_integral_v<Value> || is_stage<Value>)
        return says::unknown;  // an output, the number of an axis, accumulators
    else
        return says::nothing;
}

/// Returns, as a type, what a reduction or a scan gives.
template <class Fit, class... A> constexpr auto likely_of_fold(call_arguments<A...>) {
    using result = typename Fit::made;
    constexpr bool is_reduction = requires { Fit::has_axes; };
    constexpr says most = [] {
        const says all[] = {said_by<A>()..., says::nothing};
        const std::size_t behind = Fit::behind + (Fit::lacks_shape ? 1 : 0);  // something stands for the shape
        says found = sizeof...(A) < behind ? says::unknown : says::nothing;
        for (std::size_t i = behind; i < sizeof...(A); ++i)
            if (all[i] > found) found = all[i];
        return found;
    }();
    if constexpr (most == says::unknown)
        return std::type_identity<no_result>();
    else if constexpr (is_reduction && most == says::nothing)
        return std::type_identity<result>();
    else
        return std::type_identity<array<result>>();
}

/// Returns, as a type, what a call would give that is meant for this signature; no_result if there is no telling.
template <class Fit, class... A> constexpr auto likely_of(call_arguments<A...> call) {
    if constexpr (requires { typename Fit::outputs; })
        return likely_of_elements<Fit>(call, typename Fit::outputs());
    else if constexpr (requires { Fit::after_output; })
        return likely_of_fold<Fit>(call);
    else if constexpr (requires { Fit::ends_with_shape; })
        return std::type_identity<
            std::conditional_t<Fit::ends_with_shape || Fit::lacks_output,
                               array<typename decltype(Fit::template expected_at<Fit::behind>())::type>, no_result>>();
    else
        return std::type_identity<no_result>();
}

/// Returns how many of a call's arguments fit a signature.
template <class Fit, std::size_t... P> constexpr std::size_t fitting_arguments(std::index_sequence<P...>) {
    return (std::size_t{0} + ... + (Fit::template fits_at<P> ? 1 : 0));
}

/// What two signatures have in common of what they give: of numbers, which convert to each other, the first.
template <class A, class B> struct common_result {
    using type = std::conditional_t<std::is_arithmetic_v<A> && std::is_arithmetic_v<B>, A, no_result>;
};
template <class A> struct common_result<A, A> { using type = A; };
template <class... A, class... B>
requires(sizeof...(A) == sizeof...(B) &&
         !std::is_same_v<std::tuple<A...>, std::tuple<B...>>) struct common_result<std::tuple<A...>, std::tuple<B...>> {
    using type = std::tuple<typename common_result<A, B>::type...>;
};
template <class List> struct common_of_all;
template <class First> struct common_of_all<type_list<First>> { using type = First; };
template <class A, class B, class... Others>
struct common_of_all<type_list<A, B, Others...>>
    : common_of_all<type_list<typename common_result<A, B>::type, Others...>> {};

/// Returns, as a type, what those of the signatures would give that fit most arguments.
template <class... A, class... Fits> constexpr auto likely_result(call_arguments<A...> call, type_list<Fits...>) {
    constexpr auto all = std::make_index_sequence<call_arguments<A...>::count>();
    constexpr std::size_t most = [all] {
        std::size_t found = 0;
        for (const std::size_t one : {fitting_arguments<Fits>(all)...})
            if (one > found) found = one;
        return found;
    }();
    using likely = typename joined<
        std::conditional_t<fitting_arguments<Fits>(all) == most,
                           type_list<typename decltype(likely_of<Fits>(call))::type>, type_list<>>...>::type;
    return std::type_identity<typename common_of_all<likely>::type>();
}

}  // namespace foldwise::detail
