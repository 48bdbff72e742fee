// foldwise/detail/call_mistakes.hpp: what is wrong with a call whose arguments fit no signature.
#pragma once

#include <foldwise/detail/call_fits.hpp>
#include <foldwise/detail/wrong_call.hpp>
#include <foldwise/executor.hpp>
#include <foldwise/shape.hpp>
#include <foldwise/steps.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace foldwise::detail {

/// Anything but a class that Foldwise knows nothing of, which may be meant for an overload of the user's own.
template <class A, class Value = std::remove_cvref_t<A>>
concept familiar =
    !std::is_class_v<Value> || contiguous<std::remove_reference_t<A>> || container<std::remove_reference_t<A>> ||
    std::same_as<Value, executor> || std::same_as<Value, shape> || std::same_as<Value, steps> || is_option<Value> ||
    iterator_class<A> || function_class<A> || thrust_policy<A> || zipped<A> || is_tuple<Value> ||
    is_part_of_spec<Value> || pointer_to_elements<A> || optional_class<A>;

/// Whether calls of a signature take options, as those of reductions and scans do.
template <class Fit> inline constexpr bool takes_options = requires { typename Fit::accumulator; };
/// Whether a signature is a reduction's.
template <class Fit> inline constexpr bool is_reduction = requires { Fit::has_segments; };
/// Whether a signature is a stencil's.
template <class Fit> inline constexpr bool takes_steps = requires { Fit::takes_steps; };

/// Whether all arguments of a call are familiar, or what some signature has at their place.
template <std::size_t P, class... Fits> constexpr bool all_familiar_from(call_arguments<>, type_list<Fits...>) {
    return true;
}
template <std::size_t P, class First, class... A, class... Fits>
constexpr bool all_familiar_from(call_arguments<First, A...>, type_list<Fits...> all) {
    return (familiar<First> || (is_stage<std::remove_cvref_t<First>> && !(is_reduction<Fits> || ...)) ||
            (Fits::template fits_at<P> || ...)) &&
           all_familiar_from<P + 1>(call_arguments<A...>(), all);
}

template <class A> inline constexpr bool is_initial_value = false;
template <class T> inline constexpr bool is_initial_value<initial_value<T>> = true;

/// Options that scans have and reductions do not.
template <class A>
inline constexpr bool is_option_of_scans =
    std::is_same_v<A, key_range> || std::is_same_v<A, exclusive_t> || std::is_same_v<A, reverse_t>;
/// Options of a reduction of which it has one.
template <class A>
inline constexpr bool says_what_is_reduced = std::is_same_v<A, axes> || std::is_same_v<A, offset_range>;

/// Whether an argument is a variable that could be meant to be written to.
template <class A>
inline constexpr bool is_variable = std::is_lvalue_reference_v<A> && !std::is_const_v<std::remove_reference_t<A>>;

/// Whether an argument is rather an output than keys or offsets, which are whole numbers in most programs.
template <class A> inline constexpr bool is_output_of_numbers = false;
template <class A>
requires contiguous<std::remove_reference_t<A>>
inline constexpr bool is_output_of_numbers<A> =
    is_variable<A> && !std::is_integral_v<range_value<std::remove_reference_t<A>>>;

/// Returns the mistake of a bool among the options of a fold: NumPy's keepdims behind an axis, or an option of a scan,
/// which are switched on by their names.
template <std::size_t P, class A, class Fit> constexpr auto mistake_of_bool() {
    if constexpr (!requires { Fit::has_axes; })
        return std::type_identity<wrong_call::an_option_is_given_by_its_name_such_as_foldwise_exclusive<P + 1, A>>();
    else if constexpr (Fit::has_axes)
        return std::type_identity<wrong_call::keepdims_is_given_as_foldwise_keepdims<P + 1, A, keepdims_t>>();
    else
        return std::type_identity<wrong_call::an_initial_value_is_given_as_foldwise_initial<P + 1, A>>();
}

/// Whether arguments of a fold at P and behind it are a number and a function, in any order, as other libraries' folds
/// take what they begin with and how they combine.
template <std::size_t P, class Fit> constexpr bool gives_initial_value_and_function() {
    if constexpr (takes_options<Fit>) {
        using types = typename Fit::types;
        if constexpr (P + 1 < types::size) {
            using first = typename types::template at<P>;
            using second = typename types::template at<P + 1>;
            return (std::is_arithmetic_v<std::remove_cvref_t<first>> && function_class<second>) ||
                   (function_class<first> && std::is_arithmetic_v<std::remove_cvref_t<second>>);
        }
    }
    return false;
}

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
    else if constexpr (is == role::output && std::is_integral_v<std::remove_cvref_t<A>> && takes_steps<Fit>)
        return std::type_identity<wrong_call::the_number_of_steps_is_given_as_foldwise_steps<P + 1, A, steps>>();
    else if constexpr (is == role::value)
        return std::type_identity<
            wrong_call::an_argument_does_not_convert_to_the_value_of_a_task<P + 1, A, Expected...>>();
    else if constexpr ((is == role::option || is == role::result) && gives_initial_value_and_function<P, Fit>())
        return std::type_identity<
            wrong_call::the_function_is_part_of_the_spec_and_an_initial_value_is_given_as_foldwise_initial<P + 1, A>>();
    else if constexpr ((is == role::option || (is == role::result && !is_variable<A>)) &&
                       std::same_as<std::remove_cvref_t<A>, bool>)
        return mistake_of_bool<P, A, Fit>();
    else if constexpr ((is == role::option || is == role::result) && std::is_integral_v<std::remove_cvref_t<A>>)
        return std::type_identity<wrong_call::an_axis_is_given_as_foldwise_axis<P + 1, A, axes>>();
    else if constexpr (is == role::result && std::is_floating_point_v<std::remove_cvref_t<A>> && is_variable<A>)
        return std::type_identity<
            wrong_call::a_single_result_is_returned_and_an_initial_value_is_given_as_foldwise_initial<P + 1, A>>();
    else if constexpr ((is == role::option || is == role::result) && std::is_floating_point_v<std::remove_cvref_t<A>>)
        return std::type_identity<wrong_call::an_initial_value_is_given_as_foldwise_initial<P + 1, A>>();
    else if constexpr (is == role::output_or_shape && std::is_integral_v<std::remove_cvref_t<A>>)
        return std::type_identity<wrong_call::the_shape_of_a_new_output_is_given_as_foldwise_shape<P + 1, A, shape>>();
    else if constexpr (is == role::option && is_initial_value<std::remove_cvref_t<A>>)
        return std::type_identity<wrong_call::an_initial_value_has_the_type_of_the_accumulator<
            P + 1, A, initial_value<typename Fit::accumulator>>>();
    else if constexpr ((is == role::option || is == role::result) && is_option_of_scans<std::remove_cvref_t<A>>)
        return std::type_identity<wrong_call::keys_and_exclusive_and_reverse_are_options_of_scans_alone<P + 1, A>>();
    else if constexpr (is == role::option && says_what_is_reduced<std::remove_cvref_t<A>>)
        return std::type_identity<wrong_call::a_reduction_is_along_axes_or_of_segments_and_not_both<P + 1, A>>();
    else if constexpr (is == role::option && std::same_as<std::remove_cvref_t<A>, keepdims_t>)
        return std::type_identity<wrong_call::keepdims_comes_behind_the_axis_of_a_reduction<P + 1, A>>();
    else if constexpr (is == role::option && text<A>)
        return std::type_identity<
            wrong_call::an_executor_is_made_by_foldwise_cpu_or_cuda_or_automatic<P + 1, A, executor>>();
    else if constexpr (is == role::option && is_output_of_numbers<A>)
        return std::type_identity<wrong_call::an_output_stands_in_front_of_the_axes_and_options<P + 1, A>>();
    else if constexpr (is == role::option && contiguous<std::remove_reference_t<A>>)
        return std::type_identity<wrong_call::keys_and_offsets_are_given_as_foldwise_by_key_and_segments<P + 1, A>>();
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

/// Whether the last argument of a call is an array, and no text.
template <class... A> constexpr bool ends_with_range() {
    const bool are_ranges[] = {false, contiguous<std::remove_reference_t<A>> && !text<A>...};
    return are_ranges[sizeof...(A)];
}

/// The type of the last argument of a call that is no executor, or void.
template <class... A> constexpr auto last_before_executor() {
    constexpr std::size_t count = call_arguments<A...>::count;
    if constexpr (count == 0)
        return std::type_identity<void>();
    else
        return std::type_identity<typename type_list<A&&...>::template at<count - 1>>();
}

/// Whether the last argument of a call is a closure or a function object.
template <class... A> constexpr bool ends_with_function() {
    const bool are_functions[] = {false, function_class<A>...};
    return are_functions[sizeof...(A)];
}

/// Whether a call begins with as many whole numbers as one of these numbers of axes, which are 0 for none.
template <class... A, std::size_t Signatures>
constexpr bool gives_extents(const std::array<int, Signatures>& index_axes) {
    int numbers = 0;
    bool is_leading = true;
    ((is_leading = is_leading && std::is_integral_v<std::remove_cvref_t<A>>, numbers += is_leading ? 1 : 0), ...);
    for (int axes : index_axes)
        if (axes > 0 && numbers >= axes) return true;
    return false;
}

/// Whether a call of tasks begins with two shapes, or two whole numbers if they have one axis, and has an argument too
/// many, as where a launch has numbers of blocks and threads.
template <class Fit, class... A> constexpr bool gives_blocks_and_threads() {
    const bool are_integers[] = {std::is_integral_v<std::remove_cvref_t<A>>..., false, false};
    const bool are_shapes[] = {std::is_same_v<std::remove_cvref_t<A>, shape>..., false, false};
    return Fit::index_axes > 0 && call_arguments<A...>::count == Fit::most_arguments + 1 &&
           ((Fit::index_axes == 1 && are_integers[0] && are_integers[1]) || (are_shapes[0] && are_shapes[1]));
}

/// Whether all that an elementwise call is given is its shape.
template <class Fit> constexpr bool takes_shape_alone() {
    if constexpr (requires { Fit::takes_shape_alone; })
        return Fit::takes_shape_alone;
    else
        return false;
}

/// What stands for the signatures of a function that are not known.
struct any_signature {
    using accumulator = void;
    static constexpr bool has_segments = true, takes_steps = true;
};

/// Returns the mistake of an argument that is wrong whatever types the signatures have, or void.
template <std::size_t P, std::size_t Count, class Fit, class A> constexpr auto mistake_anywhere() {
    if constexpr (!takes_steps<Fit> && std::same_as<std::remove_cvref_t<A>, steps>)
        return std::type_identity<wrong_call::foldwise_steps_are_an_option_of_stencils_alone<P + 1, A>>();
    else if constexpr (!is_reduction<Fit> && is_stage<std::remove_cvref_t<A>>)
        return std::type_identity<wrong_call::partial_and_from_partials_are_options_of_reductions_alone<P + 1, A>>();
    else if constexpr (!takes_options<Fit> && std::same_as<std::remove_cvref_t<A>, axes>)
        return std::type_identity<wrong_call::the_axis_is_an_option_of_reductions_and_scans_alone<P + 1, A>>();
    else if constexpr (!takes_options<Fit> && is_option<std::remove_cvref_t<A>>)
        return std::type_identity<wrong_call::an_option_of_reductions_and_scans_is_none_of_this_function<P + 1, A>>();
    else if constexpr (P == 0 && Count > 1 && std::same_as<std::remove_cvref_t<A>, executor>)
        return std::type_identity<wrong_call::an_executor_is_the_last_argument<P + 1, A>>();
    else if constexpr (P == 0 && Count > 1 && is_option<std::remove_cvref_t<A>>)
        return std::type_identity<wrong_call::an_option_comes_behind_the_arrays<P + 1, A>>();
    else if constexpr (is_identity<std::remove_cvref_t<A>>)
        return std::type_identity<
            wrong_call::an_identity_is_part_of_the_spec_and_calls_of_folds_take_foldwise_initial<P + 1, A>>();
    else if constexpr (is_part_of_spec<std::remove_cvref_t<A>>)
        return std::type_identity<wrong_call::a_part_of_the_spec_is_no_argument_of_calls<P + 1, A>>();
    else if constexpr (iterator_class<A>)
        return std::type_identity<
            wrong_call::an_iterator_has_no_size_so_pass_the_container_or_foldwise_host_or_device<P + 1, A>>();
    else if constexpr (zipped<A>)
        return std::type_identity<wrong_call::ranges_are_arguments_of_their_own_and_not_zipped<P + 1, A>>();
    else if constexpr (executor_like<A>)
        return std::type_identity<wrong_call::an_executor_is_made_by_foldwise_cpu_or_cuda_or_automatic<P + 1, A>>();
    else if constexpr (std::is_pointer_v<std::remove_cvref_t<A>> || pointer_to_elements<A>)
        return std::type_identity<wrong_call::a_pointer_has_no_size_so_pass_foldwise_host_or_device_of_it<P + 1, A>>();
    else if constexpr (optional_class<A>)
        return std::type_identity<wrong_call::an_optional_may_have_no_value_so_pass_what_it_holds<P + 1, A>>();
    else if constexpr (thrust_policy<A>)
        return std::type_identity<
            wrong_call::a_policy_is_an_executor_such_as_foldwise_cuda_at_the_end_of_the_call<P + 1, A>>();
    else
        return std::type_identity<void>();
}

/// Returns the first of these mistakes, or void.
template <std::size_t P, std::size_t Count, class Fit> constexpr auto first_anywhere() {
    return std::type_identity<void>();
}
template <std::size_t P, std::size_t Count, class Fit, class First, class... A> constexpr auto first_anywhere() {
    using found = typename decltype(mistake_anywhere<P, Count, Fit, First>())::type;
    if constexpr (std::is_void_v<found>)
        return first_anywhere<P + 1, Count, Fit, A...>();
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
    if constexpr (takes_steps<Fit>)
        return Fit::count == Fit::most_arguments + 1 && are_integers[Fit::count];
    else
        return false;
}

/// Returns the first mistake before the last argument of a call, for signatures that have one argument less, or void.
template <std::size_t P, class... A, class... Fits>
constexpr auto mistake_before_end(call_arguments<A...> call, type_list<Fits...> all) {
    if constexpr (P + 1 >= call_arguments<A...>::count || sizeof...(Fits) == 0)
        return std::type_identity<void>();
    else if constexpr ((Fits::template fits_at<P> || ...))
        return mistake_before_end<P + 1>(call, all);
    else
        return mistake_at<P, typename type_list<A&&...>::template at<P>, typename type_list<Fits...>::template at<0>,
                          typename decltype(Fits::template expected_at<P>())::type...>();
}
template <std::size_t Count, class... Fits>
using fits_with_one_less =
    typename joined<std::conditional_t<Count == Fits::most_arguments + 1, type_list<Fits>, type_list<>>...>::type;

/// Returns what is wrong with a call that no signature fits.
template <class Signatures, class... A, class... Fits>
constexpr auto diagnose(call_arguments<A...> call, type_list<Fits...>) {
    using alike = fits_with_count<Fits...>;
    constexpr std::size_t count = sizeof...(A);
    constexpr std::size_t arguments = call_arguments<A...>::count;
    using last = typename decltype(last_before_executor<A...>())::type;
    // All signatures of a function are of one pattern.
    using pattern = typename type_list<Fits..., any_signature>::template at<0>;
    using anywhere = typename decltype(first_anywhere<0, count, pattern, A...>())::type;
    using earlier = typename decltype(mistake_before_end<0>(call, fits_with_one_less<count, Fits...>()))::type;
    if constexpr (!std::is_void_v<anywhere>)
        return std::type_identity<anywhere>();
    else if constexpr ((takes_shape_alone<Fits>() || ...) && gives_extents<A...>(std::array<int, 1>{2}))
        return std::type_identity<wrong_call::the_extents_of_several_axes_are_given_as_a_foldwise_shape<
            1, typename type_list<A&&...>::template at<0>, shape>>();
    else if constexpr ((takes_shape_alone<Fits>() || ...) && count > 0 && gives_extents<A...>(std::array<int, 1>{1}))
        return std::type_identity<
            wrong_call::the_first_argument_is_not_a_shape<1, typename type_list<A&&...>::template at<0>, shape>>();
    else if constexpr (alike::size > 0)
        return first_mistake<0, Signatures>(call, alike());
    else if constexpr (gives_extents<A...>(
                           std::array<int, sizeof...(Fits)>{(Fits::index_axes > 1 ? Fits::index_axes : 0)...}))
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
    else if constexpr ((Fits::misses_outputs || ...) && text<last>)
        return std::type_identity<
            wrong_call::an_executor_is_made_by_foldwise_cpu_or_cuda_or_automatic<arguments, last, executor>>();
    else if constexpr ((Fits::misses_outputs || ...))
        return std::type_identity<
            wrong_call::outputs_are_missing_so_pass_all_of_them_or_none_to_be_given_arrays<count, Signatures>>();
    else if constexpr (((count == Fits::most_arguments + 1) || ...) && place_of_executor<A...>() + 1 < count)
        return std::type_identity<
            wrong_call::an_executor_is_the_last_argument<place_of_executor<A...>() + 1, executor>>();
    else if constexpr (!std::is_void_v<earlier>)
        return std::type_identity<earlier>();
    else if constexpr (((count == Fits::most_arguments + 1) || ...) && ends_with_function<A...>())
        return std::type_identity<wrong_call::a_function_is_part_of_the_spec_and_no_argument_of_calls<
            count, typename type_list<A&&...>::template at<count - 1>>>();
    else if constexpr (((count == Fits::most_arguments + 1) || ...) && !ends_with_range<A...>())
        return std::type_identity<wrong_call::an_executor_is_made_by_foldwise_cpu_or_cuda_or_automatic<
            count, typename type_list<A&&...>::template at<count - 1>, executor>>();
    else
        return std::type_identity<wrong_call::the_number_of_arguments_is_wrong<count, Signatures>>();
}

}  // namespace foldwise::detail
