// foldwise/detail/call_fits.hpp: which signatures of a generated function its arguments fit, and what is wrong if they
// fit none.
#pragma once

#include <foldwise/array.hpp>
#include <foldwise/detail/conversions.hpp>
#include <foldwise/detail/wrong_call.hpp>
#include <foldwise/executor.hpp>
#include <foldwise/operand.hpp>
#include <foldwise/reduce_options.hpp>
#include <foldwise/scan_options.hpp>
#include <foldwise/shape.hpp>
#include <foldwise/steps.hpp>
#include <foldwise/tasks.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace foldwise {

/// The signatures of a kernel: `Output(Input...)`, with a std::tuple of several outputs; `reduction<Accumulator,
/// Result(Input...)>`; or `void(tasks<N>, Parameter...)`.
template <class... Signature> struct signatures {};
/// The signatures of a kernel whose calls may begin with a shape: an elementwise kernel's result, or what is reduced.
template <class... Signature> struct shaped_signatures {};
/// One signature of a reduction.
template <class Accumulator, class Signature> struct reduction;
/// One signature of a scan.
template <class Accumulator, class Signature> struct scanning;
/// One signature of a guvectorize or stencil kernel. Calls allocate the outputs if the inputs say what shape they have.
template <bool Allocates, class Signature> struct items;

namespace detail {

template <class... T> struct type_list {
    static constexpr std::size_t size = sizeof...(T);
    template <std::size_t I> using at = typename std::tuple_element_t<I, std::tuple<std::type_identity<T>...>>::type;
};

/// The arguments of a call as references, and how many there are without an executor at the end.
template <class... A> struct call_arguments : type_list<A&&...> {
    using types = type_list<A&&...>;
    static constexpr bool ends_with_executor = [] {
        if constexpr (sizeof...(A) == 0)
            return false;
        else
            return std::convertible_to<typename types::template at<sizeof...(A) - 1>, executor>;
    }();
    static constexpr std::size_t count = sizeof...(A) - (ends_with_executor ? 1 : 0);
};

template <class T>
inline constexpr bool is_option =
    std::is_same_v<T, axes> || std::is_same_v<T, keepdims_t> || std::is_same_v<T, exclusive_t> ||
    std::is_same_v<T, reverse_t> || std::is_base_of_v<restarts, T>;
template <class T> inline constexpr bool is_option<initial_value<T>> = true;

template <class T> inline constexpr bool is_tuple = false;
template <class... T> inline constexpr bool is_tuple<std::tuple<T...>> = true;
template <class A, class B> inline constexpr bool is_tuple<std::pair<A, B>> = true;

/// Anything but a class that Foldwise knows nothing of, which may be meant for an overload of the user's own.
template <class A, class Value = std::remove_cvref_t<A>>
concept familiar =
    !std::is_class_v<Value> || contiguous<std::remove_reference_t<A>> || container<std::remove_reference_t<A>> ||
    std::same_as<Value, executor> || std::same_as<Value, shape> || is_option<Value> || iterator_class<A> ||
    function_class<A> || thrust_policy<A> || zipped<A> || is_tuple<Value>;

/// Whether all arguments of a call are familiar, or what some signature has at their place.
template <std::size_t P, class... Fits> constexpr bool all_familiar_from(call_arguments<>, type_list<Fits...>) {
    return true;
}
template <std::size_t P, class First, class... A, class... Fits>
constexpr bool all_familiar_from(call_arguments<First, A...>, type_list<Fits...> all) {
    return (familiar<First> || (Fits::template fits_at<P> || ...)) &&
           all_familiar_from<P + 1>(call_arguments<A...>(), all);
}

/// What a position of a call can be in some signature.
enum class role { shape, input, whole, output, output_or_shape, result, tasks, value, option };

/// What a signature has at each position of a call, as far as it has anything there, and whether the arguments fit.
/// `Parameters` are types to which the arguments have to convert.
template <class Arguments, class Parameters> struct positions;
template <class... A, class... P> struct positions<call_arguments<A...>, type_list<P...>> {
    using arguments = call_arguments<A...>;

    template <std::size_t I> static constexpr bool fits_at() {
        if constexpr (I < sizeof...(P) && I < arguments::count)
            return std::convertible_to<typename arguments::types::template at<I>,
                                       typename type_list<P...>::template at<I>>;
        else
            return false;
    }
    /// Whether the first `count` arguments fit.
    template <std::size_t Count> static constexpr bool fit_until() {
        return []<std::size_t... I>(std::index_sequence<I...>) { return (fits_at<I>() && ...); }
        (std::make_index_sequence<Count>());
    }
};

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

    /// The type of the value or the elements that an argument brings to an input.
    template <std::size_t N> static constexpr auto brought_to() {
        using input_type = typename inputs::template at<N>;
        using given = std::remove_cvref_t<typename arguments::template at<first + N>>;
        if constexpr (is_whole<input_type>)
            return std::type_identity<input_type>();
        else if constexpr (scalar_for<const given&, input_type>)
            return std::type_identity<given>();
        else
            return std::type_identity<input_type>();
    }
    /// Calls `each(type of the argument, type of the input)` for each input and returns whether all are true.
    static constexpr bool all_inputs(auto each) {
        return [&]<std::size_t... N>(std::index_sequence<N...>) {
            return (each(brought_to<N>(), std::type_identity<typename inputs::template at<N>>()) && ...);
        }
        (std::make_index_sequence<sizeof...(I)>());
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

    /// How well the inputs fit: 3 if all have exactly the signature's types, 2 if all keep their values, 1 if they
    /// convert, 0 if they do not fit.
    static constexpr int rank() {
        if constexpr (!fits)
            return 0;
        else if (all_inputs(
                     []<class F, class T>(std::type_identity<F>, std::type_identity<T>) { return std::same_as<F, T>; }))
            return 3;
        else
            return all_inputs([]<class F, class T>(std::type_identity<F>, std::type_identity<T>) {
                return keeps_values<F, T>();
            })
                       ? 2
                       : 1;
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
    template <std::size_t P> static constexpr auto expected_at() {
        return base::template expected_or<P, reduce_option<Accumulator>>();
    }
};

/// A signature of a scan and the arguments of a call.
template <bool TakesShape, class Arguments, class Scan> struct scan_fit;
template <bool TakesShape, class... A, class Accumulator, class Result, class... I>
struct scan_fit<TakesShape, call_arguments<A...>, scanning<Accumulator, Result(I...)>>
    : fold_fit<TakesShape, call_arguments<A...>, Result, I...> {
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

/// Returns the mistake in an argument. `Fits` are those of the signatures that have as many arguments.
template <std::size_t P, class A, class Fit, class... Expected> constexpr auto mistake_at() {
    constexpr role is = Fit::role_at(P);
    constexpr bool gives_number_for_shape = [] {
        if constexpr (requires { Fit::gives_number_for_shape; })
            return Fit::gives_number_for_shape;
        else
            return false;
    }();
    if constexpr (is == role::tasks && Fit::index_axes > 1 &&
                  (std::is_integral_v<std::remove_cvref_t<A>> || is_tuple<std::remove_cvref_t<A>>))
        return std::type_identity<
            wrong_call::the_extents_of_several_axes_are_given_as_a_foldwise_shape<P + 1, A, Expected...>>();
    else if constexpr (is == role::tasks)
        return std::type_identity<wrong_call::the_first_argument_is_not_a_number_of_tasks<P + 1, A, Expected...>>();
    else if constexpr (is == role::shape)
        return std::type_identity<wrong_call::the_first_argument_is_not_a_shape<P + 1, A, Expected...>>();
    else if constexpr (gives_number_for_shape)
        return std::type_identity<
            wrong_call::the_first_argument_is_not_a_shape<1, typename Fit::types::template at<0>, shape>>();
    else if constexpr ((is == role::input || is == role::output) && Fit::index_axes > 0 &&
                       std::is_arithmetic_v<std::remove_cvref_t<A>>)
        return std::type_identity<
            wrong_call::a_view_of_a_task_is_given_an_array_and_no_single_value<P + 1, A, Expected...>>();
    else if constexpr (is == role::output && std::same_as<std::remove_cvref_t<A>, axes>)
        return std::type_identity<wrong_call::the_axis_is_an_option_of_reductions_and_scans_alone<P + 1, A>>();
    else if constexpr (is == role::output && std::is_integral_v<std::remove_cvref_t<A>> &&
                       requires { Fit::takes_steps; })
        return std::type_identity<wrong_call::the_number_of_steps_is_given_as_foldwise_steps<P + 1, A, steps>>();
    else if constexpr (is == role::value)
        return std::type_identity<
            wrong_call::an_argument_does_not_convert_to_the_value_of_a_task<P + 1, A, Expected...>>();
    else if constexpr ((is == role::option || is == role::result) && std::is_integral_v<std::remove_cvref_t<A>>)
        return std::type_identity<wrong_call::an_axis_is_given_as_foldwise_axis<P + 1, A, axes>>();
    else if constexpr ((is == role::option || is == role::result) && std::is_floating_point_v<std::remove_cvref_t<A>>)
        return std::type_identity<wrong_call::an_initial_value_is_given_as_foldwise_initial<P + 1, A>>();
    else if constexpr (is == role::output_or_shape && std::is_integral_v<std::remove_cvref_t<A>>)
        return std::type_identity<wrong_call::the_shape_of_a_new_output_is_given_as_foldwise_shape<P + 1, A, shape>>();
    else if constexpr (is == role::option && function_class<A>)
        return std::type_identity<wrong_call::a_function_is_part_of_the_spec_and_no_argument_of_calls<P + 1, A>>();
    else if constexpr (is == role::option)
        return std::type_identity<wrong_call::an_argument_is_no_output_or_axes_or_option<P + 1, A, Expected...>>();
    else if constexpr (is == role::whole)
        return mistake_of_whole<P + 1, A, Expected...>();
    else if constexpr (is == role::input)
        return mistake_of_input<P + 1, A, Expected...>();
    else
        return mistake_of_output<P + 1, A, Expected...>();
}

/// Returns the first mistake of a call, for signatures that have as many arguments.
template <std::size_t P, class Signatures, class... A, class First, class... Fits>
constexpr auto first_mistake(call_arguments<A...>, type_list<First, Fits...>) {
    if constexpr (P == First::count)
        return std::type_identity<wrong_call::no_one_signature_takes_all_arguments<type_list<A&&...>, Signatures>>();
    else if constexpr (First::template fits_at<P> || (Fits::template fits_at<P> || ...))
        return first_mistake<P + 1, Signatures>(call_arguments<A...>(), type_list<First, Fits...>());
    else
        return mistake_at<P, typename type_list<A&&...>::template at<P>, First,
                          typename decltype(First::template expected_at<P>())::type,
                          typename decltype(Fits::template expected_at<P>())::type...>();
}

template <class... Lists> struct joined { using type = type_list<>; };
template <class... T, class... Lists> struct joined<type_list<T...>, Lists...> {
    template <class List> struct before;
    template <class... U> struct before<type_list<U...>> { using type = type_list<T..., U...>; };
    using type = typename before<typename joined<Lists...>::type>::type;
};
template <class... Fits>
using fits_with_count = typename joined<std::conditional_t<Fits::has_count, type_list<Fits>, type_list<>>...>::type;

template <class... A> inline constexpr bool begins_with_range = false;
template <class First, class... A>
inline constexpr bool begins_with_range<First, A...> = contiguous<std::remove_reference_t<First>>;

/// Whether a call begins with as many whole numbers as a task's index has axes, for several axes.
template <class... A, std::size_t Signatures>
constexpr bool gives_extents(const std::array<int, Signatures>& index_axes) {
    int numbers = 0;
    bool is_leading = true;
    ((is_leading = is_leading && std::is_integral_v<std::remove_cvref_t<A>>, numbers += is_leading ? 1 : 0), ...);
    for (int axes : index_axes)
        if (axes > 1 && numbers >= axes) return true;
    return false;
}

/// Whether a call of a task with one axis begins with two whole numbers and has an argument too many, as where a launch
/// has numbers of blocks and threads.
template <class Fit, class... A> constexpr bool gives_blocks_and_threads() {
    const bool are_integers[] = {std::is_integral_v<std::remove_cvref_t<A>>..., false, false};
    return Fit::index_axes == 1 && call_arguments<A...>::count == Fit::most_arguments + 1 && are_integers[0] &&
           are_integers[1];
}

/// Returns the mistake of an argument that is wrong whatever the signatures are, or void.
template <std::size_t P, std::size_t Count, class A> constexpr auto mistake_anywhere() {
    if constexpr (P == 0 && Count > 1 && std::same_as<std::remove_cvref_t<A>, executor>)
        return std::type_identity<wrong_call::an_executor_is_the_last_argument<P + 1, A>>();
    else if constexpr (iterator_class<A>)
        return std::type_identity<
            wrong_call::an_iterator_has_no_size_so_pass_the_container_or_foldwise_host_or_device<P + 1, A>>();
    else if constexpr (zipped<A>)
        return std::type_identity<wrong_call::ranges_are_arguments_of_their_own_and_not_zipped<P + 1, A>>();
    else if constexpr (executor_like<A>)
        return std::type_identity<wrong_call::an_executor_is_made_by_foldwise_cpu_or_cuda_or_automatic<P + 1, A>>();
    else if constexpr (std::is_pointer_v<std::remove_cvref_t<A>>)
        return std::type_identity<wrong_call::a_pointer_has_no_size_so_pass_foldwise_host_or_device_of_it<P + 1, A>>();
    else if constexpr (thrust_policy<A>)
        return std::type_identity<
            wrong_call::a_policy_is_an_executor_such_as_foldwise_cuda_at_the_end_of_the_call<P + 1, A>>();
    else
        return std::type_identity<void>();
}

/// Returns the first of these mistakes, or void.
template <std::size_t P, std::size_t Count> constexpr auto first_anywhere() { return std::type_identity<void>(); }
template <std::size_t P, std::size_t Count, class First, class... A> constexpr auto first_anywhere() {
    using found = typename decltype(mistake_anywhere<P, Count, First>())::type;
    if constexpr (std::is_void_v<found>)
        return first_anywhere<P + 1, Count, A...>();
    else
        return std::type_identity<found>();
}

/// Returns the position, from 0, of the first executor in a call, or the number of its arguments.
template <class... A> constexpr std::size_t place_of_executor() {
    const bool ends[] = {std::same_as<std::remove_cvref_t<A>, executor>..., true};
    std::size_t place = 0;
    while (!ends[place]) ++place;
    return place;
}

/// Whether an output is missing that a call cannot make, because nothing else says what shape it has.
template <class Fit> constexpr bool leaves_shape_to_outputs() {
    if constexpr (requires { Fit::leaves_shape_to_outputs; })
        return Fit::leaves_shape_to_outputs;
    else
        return false;
}
/// Whether a scattered fold's call ends with its inputs.
template <class Fit> constexpr bool lacks_output() {
    if constexpr (requires { Fit::lacks_output; })
        return Fit::lacks_output;
    else
        return false;
}

/// Whether a number stands where foldwise::steps would, behind the outputs of a stencil.
template <class Fit, class... A> constexpr bool ends_with_number_of_steps() {
    const bool are_integers[] = {false, std::is_integral_v<std::remove_cvref_t<A>>...};
    if constexpr (requires { Fit::takes_steps; })
        return Fit::count == Fit::most_arguments + 1 && are_integers[Fit::count];
    else
        return false;
}

/// Returns what is wrong with a call that no signature fits.
template <class Signatures, class... A, class... Fits>
constexpr auto diagnose(call_arguments<A...> call, type_list<Fits...>) {
    using alike = fits_with_count<Fits...>;
    constexpr std::size_t count = sizeof...(A);
    using anywhere = typename decltype(first_anywhere<0, count, A...>())::type;
    if constexpr (!std::is_void_v<anywhere>)
        return std::type_identity<anywhere>();
    else if constexpr (alike::size > 0)
        return first_mistake<0, Signatures>(call, alike());
    else if constexpr (gives_extents<A...>(std::array<int, sizeof...(Fits)>{Fits::index_axes...}))
        return std::type_identity<wrong_call::the_extents_of_several_axes_are_given_as_a_foldwise_shape<
            1, typename type_list<A&&...>::template at<0>, shape>>();
    else if constexpr ((gives_blocks_and_threads<Fits, A...>() || ...))
        return std::type_identity<wrong_call::a_call_begins_with_the_number_of_tasks_alone_without_blocks_and_threads<
            2, typename type_list<A&&...>::template at<1>>>();
    else if constexpr (((Fits::index_axes > 0 && call_arguments<A...>::count + 1 == Fits::most_arguments) || ...) &&
                       begins_with_range<A...>)
        return std::type_identity<wrong_call::the_number_of_tasks_or_their_foldwise_shape_comes_first<
            1, typename type_list<A&&...>::template at<0>, shape>>();
    else if constexpr ((Fits::lacks_shape || ...) && count > 0)
        return std::type_identity<
            wrong_call::the_first_argument_is_not_a_shape<1, typename type_list<A&&...>::template at<0>, shape>>();
    else if constexpr ((ends_with_number_of_steps<Fits, A...>() || ...))
        return std::type_identity<wrong_call::the_number_of_steps_is_given_as_foldwise_steps<
            call_arguments<A...>::count, typename type_list<A&&...>::template at<call_arguments<A...>::count - 1>,
            steps>>();
    else if constexpr ((leaves_shape_to_outputs<Fits>() || ...))
        return std::type_identity<
            wrong_call::only_the_outputs_say_what_shape_results_have_so_pass_them<count, Signatures>>();
    else if constexpr ((lacks_output<Fits>() || ...))
        return std::type_identity<
            wrong_call::behind_the_inputs_comes_an_output_or_the_foldwise_shape_of_a_new_one<count, Signatures>>();
    else if constexpr ((Fits::misses_outputs || ...))
        return std::type_identity<
            wrong_call::outputs_are_missing_so_pass_all_of_them_or_none_to_be_given_arrays<count, Signatures>>();
    else if constexpr (((count == Fits::most_arguments + 1) || ...) && place_of_executor<A...>() + 1 < count)
        return std::type_identity<
            wrong_call::an_executor_is_the_last_argument<place_of_executor<A...>() + 1, executor>>();
    else if constexpr (((count == Fits::most_arguments + 1) || ...))
        return std::type_identity<wrong_call::an_executor_is_made_by_foldwise_cpu_or_cuda_or_automatic<
            count, typename type_list<A&&...>::template at<count - 1>, executor>>();
    else
        return std::type_identity<wrong_call::the_number_of_arguments_is_wrong<count, Signatures>>();
}

template <class From, class To> struct keeps_inputs;
template <class... From, class... To> struct keeps_inputs<type_list<From...>, type_list<To...>> {
    static constexpr bool value = [] {
        if constexpr (sizeof...(From) == sizeof...(To))
            return (keeps_values<From, To>() && ...);
        else
            return false;
    }();
};

/// Whether the inputs of `One` keep their values as those of each other signature.
template <class One, class... Fits>
inline constexpr std::array<bool, sizeof...(Fits)> keeps_inputs_of = {
    keeps_inputs<typename One::inputs, typename Fits::inputs>::value...};

/// Returns the number of the signature that fits best, or -1 if there is no best one. Exact types come first, then the
/// narrowest signature that keeps all values, then the only one that fits at all.
template <class... Fits> constexpr int best_of(type_list<Fits...>) {
    constexpr std::size_t count = sizeof...(Fits);
    const std::array<int, count> ranks = {Fits::rank()...};
    int best = 0;
    for (int rank : ranks) best = rank > best ? rank : best;
    const std::array<std::array<bool, count>, count> keeps = {keeps_inputs_of<Fits, Fits...>...};
    int found = -1;
    for (std::size_t one = 0; one < count; ++one) {
        if (ranks[one] != best) continue;
        bool is_best = true;
        for (std::size_t other = 0; other < count; ++other) {
            const bool competes = other != one && ranks[other] == best;
            if (competes && (best < 2 || !keeps[one][other])) is_best = false;
        }
        if (is_best) found = static_cast<int>(one);
    }
    return found;
}

}  // namespace detail
}  // namespace foldwise
