// foldwise/detail/call_fits.hpp: whether the arguments of a call fit a signature, for each pattern of kernels.
#pragma once

#include <foldwise/array.hpp>
#include <foldwise/detail/call_arguments.hpp>
#include <foldwise/detail/conversions.hpp>
#include <foldwise/operand.hpp>
#include <foldwise/reduce_options.hpp>
#include <foldwise/scan_options.hpp>
#include <foldwise/shape.hpp>
#include <foldwise/steps.hpp>
#include <foldwise/tasks.hpp>

#include <concepts>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace foldwise::detail {

/// Whether an argument leaves the call's shape to the other ones: a single value, or an array that is passed as a
/// whole.
template <class A, class Input> constexpr bool has_no_shape() {
    if constexpr (is_whole<Input>)
        return true;
    else
        return scalar_for<const std::remove_cvref_t<A>&, Input>;
}

/// Whether one of the inputs has elements that the call's shape follows from, unless it is given single values.
template <class... Input> inline constexpr bool has_elements = (!is_whole<Input> || ...);

/// The role of the input of that number.
template <class... Input> constexpr role role_of_input(std::size_t number) {
    constexpr bool are_whole[] = {is_whole<Input>..., false};
    return are_whole[number] ? role::whole : role::input;
}

/// Whether a call begins with a number where a shape may stand, and the inputs follow it.
template <class Types, class... I> constexpr bool begins_with_number_for_shape() {
    if constexpr (Types::size > sizeof...(I) && sizeof...(I) > 0)
        return std::is_integral_v<std::remove_cvref_t<typename Types::template at<0>>>&&[]<std::size_t... N>(
            std::index_sequence<N...>) {
            return (std::convertible_to<typename Types::template at<N + 1>, operand<const I>> && ...);
        }
    (std::make_index_sequence<sizeof...(I)>());
    else return false;
}

/// Returns, as a type, the value or the elements that an argument of type Given brings to an input.
template <class Given, class Input> constexpr auto brought_to() {
    using value = std::remove_cvref_t<Given>;
    if constexpr (!is_whole<Input> && scalar_for<const value&, Input>)
        return std::type_identity<value>();
    else
        return std::type_identity<Input>();
}

/// Returns how well the arguments of a call that fits are for the inputs of its signature: 3 if all have exactly the
/// inputs' types, 2 if all keep their values, 1 if they convert.
template <class Fit, std::size_t... N> constexpr int rank_of(std::index_sequence<N...>) {
    using from = type_list<typename decltype(brought_to<typename Fit::types::template at<Fit::first + N>,
                                                        typename Fit::inputs::template at<N>>())::type...>;
    if constexpr (std::same_as<from, typename Fit::inputs>)
        return 3;
    else
        return (keeps_values<typename from::template at<N>, typename Fit::inputs::template at<N>>() && ...) ? 2 : 1;
}

/// An elementwise signature and the arguments of a call.
template <bool TakesShape, class Arguments, class Signature> struct vectorize_fit;

template <bool TakesShape, class Arguments, class Inputs, class Outputs, class Value, class Arrays>
struct vectorize_fit_of;
template <bool TakesShape, class... A, class... I, class... O, class Value, class Arrays>
struct vectorize_fit_of<TakesShape, call_arguments<A...>, type_list<I...>, type_list<O...>, Value, Arrays> {
    using arguments = call_arguments<A...>;
    using types = typename arguments::types;
    using inputs = type_list<I...>;
    using outputs = type_list<O...>;
    static constexpr std::size_t count = arguments::count;
    static constexpr bool has_shape = [] {
        if constexpr (TakesShape && count > 0)
            return std::same_as<std::remove_cvref_t<typename arguments::template at<0>>, shape>;
        else
            return false;
    }();
    static constexpr std::size_t first = has_shape ? 1 : 0, behind = first + sizeof...(I);
    using all =
        std::conditional_t<has_shape, positions<arguments, type_list<const shape&, operand<const I>..., operand<O>...>>,
                           positions<arguments, type_list<operand<const I>..., operand<O>...>>>;

    static constexpr std::size_t most_arguments = behind + sizeof...(O);
    static constexpr bool makes_arrays = count == behind && (has_shape || has_elements<I...>);
    /// Whether the call has to begin with a shape, because no input has elements, and does not.
    static constexpr bool lacks_shape = sizeof...(I) > 0 && !has_elements<I...> && !has_shape && count == behind;
    /// Whether the call has to be given its shape, which is all that it takes, and is not.
    static constexpr bool takes_shape_alone = TakesShape && sizeof...(I) == 0 && !has_shape;
    static constexpr bool writes_outputs = !has_shape && count == behind + sizeof...(O);
    static constexpr bool misses_outputs =
        !has_shape && !lacks_shape && count >= behind && count < behind + sizeof...(O);
    static constexpr bool gives_number_for_shape =
        TakesShape && !has_shape && count == sizeof...(I) + 1 && begins_with_number_for_shape<types, I...>();
    static constexpr int index_axes = 0;
    static constexpr bool has_count = makes_arrays || writes_outputs;
    static constexpr bool fits = [] {
        if constexpr (has_count)
            return all::template fit_until<count>();
        else
            return false;
    }();

    template <std::size_t P> static constexpr bool fits_at = all::template fits_at<P>();
    static constexpr role role_at(std::size_t position) {
        return has_shape && position == 0 ? role::shape
               : position < behind        ? role_of_input<I...>(position - first)
                                          : role::output;
    }
    template <std::size_t P> static constexpr auto expected_at() {
        if constexpr (P < first)
            return std::type_identity<shape>();
        else if constexpr (P < behind)
            return std::type_identity<typename inputs::template at<P - first>>();
        else
            return std::type_identity<typename outputs::template at<P - behind>>();
    }

    static constexpr bool has_values_alone = [] {
        if constexpr (fits) return []<std::size_t... N>(std::index_sequence<N...>) {
                return (has_no_shape<typename arguments::template at<first + N>, typename inputs::template at<N>>() &&
                        ...);
            }
        (std::make_index_sequence<sizeof...(I)>());
        else return false;
    }();
    static constexpr bool makes_value = fits && makes_arrays && !has_shape && has_values_alone;
    using result = std::conditional_t<makes_value, Value, std::conditional_t<makes_arrays, Arrays, void>>;

    /// How well the inputs fit; 0 if they do not.
    static constexpr int rank() {
        if constexpr (fits)
            return rank_of<vectorize_fit_of>(std::index_sequence_for<I...>());
        else
            return 0;
    }
};

template <bool TakesShape, class Arguments, class Output, class... Inputs>
struct vectorize_fit<TakesShape, Arguments, Output(Inputs...)>
    : vectorize_fit_of<TakesShape, Arguments, type_list<Inputs...>, type_list<Output>, Output, array<Output>> {};
template <bool TakesShape, class Arguments, class... Outputs, class... Inputs>
struct vectorize_fit<TakesShape, Arguments, std::tuple<Outputs...>(Inputs...)>
    : vectorize_fit_of<TakesShape, Arguments, type_list<Inputs...>, type_list<Outputs...>, std::tuple<Outputs...>,
                       std::tuple<array<Outputs>...>> {};

template <class Arguments, class Items> struct guvectorize_fit;
template <class Arguments, bool Allocates, class Signature>
struct guvectorize_fit<Arguments, items<Allocates, Signature>> : vectorize_fit<false, Arguments, Signature> {
    using base = vectorize_fit<false, Arguments, Signature>;
    static constexpr bool leaves_shape_to_outputs = !Allocates && base::count == base::behind;
    static constexpr bool makes_arrays = Allocates && base::makes_arrays;
    static constexpr bool has_count = makes_arrays || base::writes_outputs;
    static constexpr bool misses_outputs =
        base::count >= base::behind && base::count < base::most_arguments && !has_count;
    static constexpr bool fits = base::fits && has_count;
    static constexpr bool makes_value = false;
    template <class> struct arrays_of;
    template <class Output> struct arrays_of<type_list<Output>> { using type = array<Output>; };
    template <class First, class Second, class... Others> struct arrays_of<type_list<First, Second, Others...>> {
        using type = std::tuple<array<First>, array<Second>, array<Others>...>;
    };
    using result = std::conditional_t<makes_arrays, typename arrays_of<typename base::outputs>::type, void>;
};

/// A signature of a stencil kernel, whose arrays around it has as whole arrays.
template <class Arguments, class Items> struct stencil_fit;
template <class Arguments, bool Allocates, class Signature>
struct stencil_fit<Arguments, items<Allocates, Signature>> : guvectorize_fit<Arguments, items<Allocates, Signature>> {
    using base = vectorize_fit<false, Arguments, Signature>;
    using results = guvectorize_fit<Arguments, items<Allocates, Signature>>;
    static constexpr bool takes_steps = true;
    static constexpr bool makes_arrays = Allocates && base::count == base::behind;
    static constexpr bool lacks_shape = false;
    static constexpr bool has_count = makes_arrays || base::writes_outputs;
    static constexpr bool misses_outputs =
        base::count >= base::behind && base::count < base::most_arguments && !has_count;
    static constexpr bool fits = [] {
        if constexpr (has_count)
            return base::all::template fit_until<base::count>();
        else
            return false;
    }();
    using result =
        std::conditional_t<makes_arrays, typename results::template arrays_of<typename base::outputs>::type, void>;
};

/// What a fold's call begins with: a shape if it is given one, the inputs, and then perhaps an output.
template <bool TakesShape, class Arguments, class Result, class... I> struct fold_fit;
template <bool TakesShape, class... A, class Result, class... I>
struct fold_fit<TakesShape, call_arguments<A...>, Result, I...> {
    using types = type_list<A&&...>;
    using inputs = type_list<I...>;
    using made = Result;
    static constexpr bool has_shape = [] {
        if constexpr (TakesShape && sizeof...(A) > 0)
            return std::same_as<std::remove_cvref_t<typename types::template at<0>>, shape>;
        else
            return false;
    }();
    // Executors are options like others.
    static constexpr std::size_t count = sizeof...(A), first = has_shape ? 1 : 0, behind = first + sizeof...(I);
    static constexpr std::size_t most_arguments = sizeof...(A);
    /// Whether the call has to begin with a shape, because there are no inputs to have one, and does not.
    static constexpr bool lacks_shape = !has_elements<I...> && !has_shape;
    static constexpr bool has_count = count >= behind && count > 0, misses_outputs = false;
    static constexpr int index_axes = 0;

    template <std::size_t P, class Parameter> static constexpr bool converts_at() {
        if constexpr (P < count)
            return std::convertible_to<typename types::template at<P>, Parameter>;
        else
            return false;
    }
    static constexpr bool has_output = converts_at<behind, operand<Result>>();
    static constexpr bool option_follows_inputs = [] {
        if constexpr (behind < count)
            return is_option<std::remove_cvref_t<typename types::template at<behind>>>;
        else
            return false;
    }();
    static constexpr std::size_t after_output = behind + (has_output ? 1 : 0);
    static constexpr bool gives_number_for_shape =
        TakesShape && !has_shape && begins_with_number_for_shape<types, I...>();

    /// Whether an argument before the options fits.
    template <std::size_t P> static constexpr bool leads_at() {
        if constexpr (P == 0 && (has_shape || lacks_shape))
            return has_shape;
        else if constexpr (P < behind)
            return converts_at<P, operand<const typename inputs::template at<P - first>>>();
        else
            return P < after_output;
    }
    static constexpr role role_at(std::size_t position) {
        const bool is_output = position == behind && !option_follows_inputs;
        if (position == 0 && (has_shape || lacks_shape)) return role::shape;
        return position < behind ? role_of_input<I...>(position - first) : is_output ? role::result : role::option;
    }
    /// Returns whether there are enough arguments, and all of them fit according to Fit::fits_at.
    template <class Fit> static constexpr bool all_fit() {
        if constexpr (has_count) return []<std::size_t... P>(std::index_sequence<P...>) {
                return (Fit::template fits_at<P> && ...);
            }
        (std::make_index_sequence<count>());
        else return false;
    }
    /// Returns the type that the signature has at a position, where that is not an option.
    template <std::size_t P, class Option> static constexpr auto expected_or() {
        if constexpr (P == 0 && (has_shape || lacks_shape))
            return std::type_identity<shape>();
        else if constexpr (P < behind)
            return std::type_identity<typename inputs::template at<P - first>>();
        else if constexpr (P == behind)
            return std::type_identity<Result>();
        else
            return std::type_identity<Option>();
    }
};

/// A signature of a reduction and the arguments of a call.
template <bool TakesShape, class Arguments, class Reduction> struct reduce_fit;
template <bool TakesShape, class... A, class Accumulator, class Result, class... I>
struct reduce_fit<TakesShape, call_arguments<A...>, reduction<Accumulator, Result(I...)>>
    : fold_fit<TakesShape, call_arguments<A...>, Result, I...> {
    using accumulator = Accumulator;
    using base = fold_fit<TakesShape, call_arguments<A...>, Result, I...>;
    static constexpr bool has_axes = base::template converts_at<base::after_output, axes>();
    static constexpr bool has_segments = base::template converts_at<base::after_output, offset_range>();
    static constexpr std::size_t options = base::after_output + (has_axes || has_segments ? 1 : 0);
    static constexpr std::size_t most_options = has_axes ? 3 : 2;

    template <std::size_t P>
    static constexpr bool fits_at = [] {
        if constexpr (P == 0 || P < base::after_output)
            return base::template leads_at<P>();
        else if constexpr (P < options)
            return true;
        else if constexpr (has_axes)
            return P < options + most_options && base::template converts_at<P, axes_option<Accumulator>>();
        else
            return P < options + most_options && base::template converts_at<P, reduce_option<Accumulator>>();
    }();
    static constexpr bool fits = base::template all_fit<reduce_fit>();
    using result =
        std::conditional_t<base::has_output, void, std::conditional_t<has_axes || has_segments, array<Result>, Result>>;

    /// How well the inputs fit; 0 if they do not.
    static constexpr int rank() {
        if constexpr (fits)
            return rank_of<reduce_fit>(std::index_sequence_for<I...>());
        else
            return 0;
    }
    template <std::size_t P> static constexpr auto expected_at() {
        return base::template expected_or<P, reduce_option<Accumulator>>();
    }
};

/// A signature of a scan and the arguments of a call.
template <bool TakesShape, class Arguments, class Scan> struct scan_fit;
template <bool TakesShape, class... A, class Accumulator, class Result, class... I>
struct scan_fit<TakesShape, call_arguments<A...>, scanning<Accumulator, Result(I...)>>
    : fold_fit<TakesShape, call_arguments<A...>, Result, I...> {
    using accumulator = Accumulator;
    using base = fold_fit<TakesShape, call_arguments<A...>, Result, I...>;
    static constexpr std::size_t options = base::after_output, most_options = 6;

    template <std::size_t P>
    static constexpr bool fits_at = [] {
        if constexpr (P == 0 || P < options)
            return base::template leads_at<P>();
        else
            return P < options + most_options && base::template converts_at<P, scan_option<Accumulator>>();
    }();
    static constexpr bool fits = base::template all_fit<scan_fit>();
    template <std::size_t P> static constexpr auto expected_at() {
        return base::template expected_or<P, scan_option<Accumulator>>();
    }
};

/// A signature of a scattered fold and the arguments of a call, which ends with the output or its shape.
template <class Arguments, class Signature> struct scatter_fit;
template <class... A, class Output, class... I> struct scatter_fit<call_arguments<A...>, Output(I...)> {
    using arguments = call_arguments<A...>;
    using inputs = type_list<I...>;
    static constexpr std::size_t count = arguments::count, behind = sizeof...(I), most_arguments = behind + 1;
    static constexpr bool has_count = count == most_arguments, misses_outputs = false, lacks_shape = false;
    static constexpr bool lacks_output = count == behind && count > 0;
    static constexpr int index_axes = 0;
    static constexpr bool ends_with_shape = [] {
        if constexpr (has_count)
            return std::same_as<std::remove_cvref_t<typename arguments::types::template at<behind>>, shape>;
        else
            return false;
    }();
    using all =
        positions<arguments,
                  type_list<operand<const I>..., std::conditional_t<ends_with_shape, const shape&, operand<Output>>>>;
    static constexpr bool fits = [] {
        if constexpr (has_count)
            return all::template fit_until<count>();
        else
            return false;
    }();
    template <std::size_t P> static constexpr bool fits_at = all::template fits_at<P>();
    static constexpr role role_at(std::size_t position) {
        return position < behind ? role_of_input<I...>(position) : role::output_or_shape;
    }
    template <std::size_t P> static constexpr auto expected_at() {
        if constexpr (P < behind)
            return std::type_identity<typename inputs::template at<P>>();
        else
            return std::type_identity<Output>();
    }
};

/// What a parameter of a forall kernel behind the number of tasks is.
template <class T> inline constexpr role role_of_parameter = role::value;
template <class T> inline constexpr role role_of_parameter<elements<T>> = role::output;
template <class T> inline constexpr role role_of_parameter<elements<const T>> = role::input;
template <class T> struct element_of_elements { using type = T; };
template <class T> struct element_of_elements<elements<T>> { using type = T; };

template <class T> inline constexpr int axes_of_tasks = 0;
template <int N> inline constexpr int axes_of_tasks<tasks<N>> = N;

/// A signature of a forall kernel and the arguments of a call.
template <class Arguments, class Signature> struct forall_fit;
template <class... A, class... P> struct forall_fit<call_arguments<A...>, void(P...)> {
    using all = positions<call_arguments<A...>, type_list<P...>>;
    using parameters = type_list<P...>;
    static constexpr std::size_t count = call_arguments<A...>::count;
    static constexpr std::size_t most_arguments = sizeof...(P);
    static constexpr bool has_count = count == most_arguments, misses_outputs = false, lacks_shape = false;
    static constexpr int index_axes = axes_of_tasks<std::remove_cvref_t<typename parameters::template at<0>>>;
    static constexpr bool fits = [] {
        if constexpr (has_count)
            return all::template fit_until<count>();
        else
            return false;
    }();
    template <std::size_t I> static constexpr bool fits_at = all::template fits_at<I>();
    static constexpr role role_at(std::size_t position) {
        constexpr role roles[] = {role_of_parameter<P>...};
        return position == 0 ? role::tasks : roles[position];
    }
    template <std::size_t I> static constexpr auto expected_at() {
        return std::type_identity<typename element_of_elements<typename parameters::template at<I>>::type>();
    }
};

}  // namespace foldwise::detail
