// foldwise/detail/wrong_call.hpp: what is wrong with the arguments of a generated function, as names that compilers
// print.
//
// A generated function asserts that its call is possible. If not, the call is one of the classes below, whose name is
// the sentence for the user; their template arguments are what it is about: the argument's position, counted from 1,
// its type, and the types that the signatures have there.
#pragma once

#include <foldwise/detail/call_arguments.hpp>
#include <foldwise/detail/identity_parts.hpp>
#include <foldwise/detail/no_result.hpp>
#include <foldwise/detail/ranges.hpp>
#include <foldwise/detail/same_bits.hpp>
#include <foldwise/executor.hpp>
#include <foldwise/reduce_options.hpp>
#include <foldwise/restarts.hpp>

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace foldwise {

namespace wrong_call {

struct mistake {
    static constexpr bool is_chosen_here = true;
    using result = no_result&&;
    static result make();
};

template <std::size_t Position, class Type, class... Expected>
struct an_input_has_elements_of_another_type : mistake {};
template <std::size_t Position, class Type, class... Expected>
struct an_input_is_neither_a_range_nor_a_value_that_converts : mistake {};
template <std::size_t Position, class Type, class... Expected>
struct a_whole_array_has_elements_of_another_type : mistake {};
template <std::size_t Position, class Type, class... Expected> struct a_whole_array_is_no_range : mistake {};
template <std::size_t Position, class Type, class... Expected>
struct an_output_has_elements_of_another_type : mistake {};
template <std::size_t Position, class Type, class... Expected> struct an_output_is_const : mistake {};
template <std::size_t Position, class Type, class... Expected> struct an_output_is_a_temporary : mistake {};
template <std::size_t Position, class Type, class... Expected> struct an_output_is_not_a_range : mistake {};
template <std::size_t Position, class Type, class... Expected>
struct elements_of_a_container_are_not_contiguous : mistake {};
template <std::size_t Position, class Type, class... Expected>
struct a_pointer_has_no_size_so_pass_foldwise_host_or_device_of_it : mistake {};
template <std::size_t Position, class Type, class... Expected>
struct an_iterator_has_no_size_so_pass_the_container_or_foldwise_host_or_device : mistake {};
template <std::size_t Position, class Type, class... Expected>
struct a_function_is_part_of_the_spec_and_no_argument_of_calls : mistake {};
template <std::size_t Position, class Type, class... Expected>
struct an_identity_is_part_of_the_spec_and_calls_of_folds_take_foldwise_initial : mistake {};
template <std::size_t Position, class Type, class... Expected>
struct a_part_of_the_spec_is_no_argument_of_calls : mistake {};
template <std::size_t Position, class Type, class... Expected>
struct an_optional_may_have_no_value_so_pass_what_it_holds : mistake {};
template <std::size_t Position, class Type, class... Expected>
struct an_executor_is_made_by_foldwise_cpu_or_cuda_or_automatic : mistake {};
template <std::size_t Position, class Type, class... Expected> struct an_executor_is_the_last_argument : mistake {};
template <std::size_t Position, class Type, class... Expected> struct an_option_comes_behind_the_arrays : mistake {};
template <std::size_t Position, class Type, class... Expected>
struct a_policy_is_an_executor_such_as_foldwise_cuda_at_the_end_of_the_call : mistake {};
template <std::size_t Position, class Type, class... Expected>
struct the_first_argument_is_not_a_number_of_tasks : mistake {};
template <std::size_t Position, class Type, class... Expected> struct the_first_argument_is_not_a_shape : mistake {};
template <std::size_t Position, class Type, class... Expected>
struct the_extents_of_several_axes_are_given_as_a_foldwise_shape : mistake {};
template <std::size_t Position, class Type, class... Expected>
struct the_number_of_tasks_or_their_foldwise_shape_comes_first : mistake {};
template <std::size_t Position, class Type, class... Expected>
struct a_call_begins_with_the_number_of_tasks_alone_without_blocks_and_threads : mistake {};
template <std::size_t Position, class Type, class... Expected>
struct the_shape_of_a_new_output_is_given_as_foldwise_shape : mistake {};
template <std::size_t Position, class Type, class... Expected>
struct ranges_are_arguments_of_their_own_and_not_zipped : mistake {};
template <std::size_t Position, class Type, class... Expected> struct an_axis_is_given_as_foldwise_axis : mistake {};
template <std::size_t Position, class Type, class... Expected>
struct an_initial_value_is_given_as_foldwise_initial : mistake {};
template <std::size_t Position, class Type, class... Expected>
struct the_function_is_part_of_the_spec_and_an_initial_value_is_given_as_foldwise_initial : mistake {};
template <std::size_t Position, class Type, class... Expected>
struct a_single_result_is_returned_and_an_initial_value_is_given_as_foldwise_initial : mistake {};
template <std::size_t Position, class Type, class... Expected>
struct an_initial_value_has_the_type_of_the_accumulator : mistake {};
template <std::size_t Position, class Type, class... Expected>
struct the_axis_is_an_option_of_reductions_and_scans_alone : mistake {};
template <std::size_t Position, class Type, class... Expected>
struct an_option_of_reductions_and_scans_is_none_of_this_function : mistake {};
template <std::size_t Position, class Type, class... Expected>
struct keys_and_exclusive_and_reverse_are_options_of_scans_alone : mistake {};
template <std::size_t Position, class Type, class... Expected>
struct a_reduction_is_along_axes_or_of_segments_and_not_both : mistake {};
template <std::size_t Position, class Type, class... Expected>
struct the_number_of_steps_is_given_as_foldwise_steps : mistake {};
template <std::size_t Position, class Type, class... Expected>
struct foldwise_steps_are_an_option_of_stencils_alone : mistake {};
template <std::size_t Position, class Type, class... Expected>
struct partial_and_from_partials_are_options_of_reductions_alone : mistake {};
template <std::size_t Position, class Type, class... Expected>
struct foldwise_steps_come_behind_the_outputs_or_the_inputs_alone : mistake {};
template <std::size_t Position, class Type, class... Expected>
struct a_foldwise_shape_comes_first_and_where_the_lambda_takes_an_index : mistake {};
template <std::size_t Position, class Type, class... Expected>
struct rows_of_their_own_are_no_matrix_so_hold_one_block_and_pass_foldwise_host_with_a_shape : mistake {};
template <std::size_t Position, class Type, class... Expected>
struct keys_and_offsets_are_given_as_foldwise_by_key_and_segments : mistake {};
template <std::size_t Position, class Type, class... Expected>
struct keepdims_comes_behind_the_axis_of_a_reduction : mistake {};
template <std::size_t Position, class Type, class... Expected>
struct keepdims_is_given_as_foldwise_keepdims : mistake {};
template <std::size_t Position, class Type, class... Expected>
struct an_option_is_given_by_its_name_such_as_foldwise_exclusive : mistake {};
template <std::size_t Position, class Type, class... Expected>
struct an_argument_does_not_convert_to_the_value_of_a_task : mistake {};
template <std::size_t Position, class Type, class... Expected>
struct a_view_of_a_task_is_given_an_array_and_no_single_value : mistake {};
template <std::size_t Position, class Type> struct an_output_stands_in_front_of_the_axes_and_options : mistake {};
template <std::size_t Position, class Type, class... Expected>
struct an_argument_is_no_output_or_axes_or_option : mistake {};
template <std::size_t Arguments, class Signatures>
struct outputs_are_missing_so_pass_all_of_them_or_none_to_be_given_arrays : mistake {};
template <std::size_t Arguments, class Signatures>
struct only_the_outputs_say_what_shape_results_have_so_pass_them : mistake {};
template <std::size_t Arguments, class Signatures>
struct behind_the_inputs_comes_an_output_or_the_foldwise_shape_of_a_new_one : mistake {};
template <std::size_t Arguments, class Signatures> struct the_number_of_arguments_is_wrong : mistake {};
template <class Arguments, class Signatures> struct no_one_signature_takes_all_arguments : mistake {};
template <class Values, class Signatures> struct single_values_fit_several_signatures_equally_well : mistake {};
struct write_std_vector_or_its_type_before_a_list_in_braces_and_parentheses_behind_functions_and_no_unknown_class
    : mistake {};
template <class... Given> struct the_arguments_select_the_signature_and_no_template_arguments : mistake {};

}  // namespace wrong_call

/// For generated headers: what every argument converts to, and a list in braces, which has no type, as well. A function
/// template with such parameters is called where no other function of that name can be: the other functions, also those
/// that a user adds, are as good or better for each argument, and preferred because they are no templates.
struct anything {
    template <class... A> anything(A&&...) {}
    template <class A> anything(std::initializer_list<std::initializer_list<A>>) {}

    // The name of an overloaded function has no type either: axis, initial, by_key, segments, and cuda.
    anything(axes (*)(int)) {}
    anything(initial_value<int> (*)(const int&)) {}
    anything(key_range (*)(const std::vector<int>&)) {}
    anything(offset_range (*)(const std::vector<int>&)) {}
    anything(executor (*)(int, CUstream_st*, resource)) {}
};

namespace detail {

template <class... Given> struct unfit_call {
    using type = wrong_call::the_arguments_select_the_signature_and_no_template_arguments<Given...>;
};
template <> struct unfit_call<> {
    using type = wrong_call::
        write_std_vector_or_its_type_before_a_list_in_braces_and_parentheses_behind_functions_and_no_unknown_class;
};

}  // namespace detail

/// For generated headers: what is wrong with a call that no other function takes, and that gives these types as
/// template arguments.
template <class... Given> using unfit_call = typename detail::unfit_call<Given...>::type;

/// For generated headers: what such a call gives.
template <class Result> Result&& unfit_result();

namespace detail {

/// A mistaken call whose result the program may use as if it were a `Result`. It is a reference, which results of
/// possible calls never are.
template <class Mistake, class Result> struct mistaken_call : Mistake {
    using result = Result&&;
    static result make();
};

template <class Call> struct reason_of { using type = Call; };
template <class Mistake, class Result> struct reason_of<mistaken_call<Mistake, Result>> { using type = Mistake; };

}  // namespace detail

/// For generated headers: what is wrong with a call, or, if nothing is, the call itself.
template <class Call> using reason_of = typename detail::reason_of<Call>::type;

/// For generated headers: whether a call compiles. Where it does not, compilers print its name.
template <class Call> inline constexpr bool is_possible = !std::is_base_of_v<wrong_call::mistake, Call>;

/// For generated headers: what a mistaken call gives in compilers that name a result's type where it is called for and
/// is not defined. Its name is the message.
template <class Reason> struct this_call_is_not_possible_because;  // docs/diagnostics.md#calls explains the reasons
template <class Call> using no_call = this_call_is_not_possible_because<reason_of<Call>>;

/// Whether a call of a generated function compiles, by its type: `is_result<decltype(f(x))>`.
template <class T> inline constexpr bool is_result = !std::is_reference_v<T>;
template <class Reason> inline constexpr bool is_result<this_call_is_not_possible_because<Reason>> = false;

namespace detail {

// The parts of specs, which a program may include together with a generated header.
struct commutative_part;
template <class Lambda> struct map_part;
template <class Lambda> struct combine_part;
template <class Lambda> struct finish_part;

/// What says in a spec what the fold of no elements is.
template <class T> inline constexpr bool is_identity = false;
template <class T> inline constexpr bool is_identity<identity_part<T>> = true;
template <> inline constexpr bool is_identity<lowest_part> = true;
template <> inline constexpr bool is_identity<highest_part> = true;

/// What says in a spec how a fold works.
template <class T> inline constexpr bool is_part_of_spec = is_identity<T>;
template <> inline constexpr bool is_part_of_spec<no_identity_part> = true;
template <> inline constexpr bool is_part_of_spec<commutative_part> = true;
template <class Lambda> inline constexpr bool is_part_of_spec<map_part<Lambda>> = true;
template <class Lambda> inline constexpr bool is_part_of_spec<combine_part<Lambda>> = true;
template <class Lambda> inline constexpr bool is_part_of_spec<finish_part<Lambda>> = true;

/// A text, as executors are named by in other libraries.
template <class A>
concept text = std::is_convertible_v<A, std::string_view>;

/// Anything that begins and ends, whether its elements are contiguous or not.
template <class R>
concept container = requires(R& range) {
    std::begin(range);
    std::end(range);
};

template <class F> inline constexpr bool returns_executor = false;
template <class... P> inline constexpr bool returns_executor<executor(P...)> = true;
template <class... P> inline constexpr bool returns_executor<executor(P...) noexcept> = true;

/// What is commonly passed in place of an executor: a stream, a backend, or a function that makes executors.
template <class A>
concept executor_like = std::same_as<std::decay_t<A>, CUstream_st*> || std::same_as<std::decay_t<A>, backend> ||
                        returns_executor<std::remove_reference_t<A>>;

/// A class that points to an element, as a container's iterators, counting iterators and thrust::device_ptr do.
template <class A>
concept iterator_class = std::is_class_v<std::remove_cvref_t<A>> && !container<std::remove_reference_t<A>> &&
                         std::input_or_output_iterator<std::remove_cvref_t<A>>;

/// A class that owns memory or points to it, as std::unique_ptr does; not one that points to a container.
template <class A>
concept pointer_to_elements = pointer_class<std::remove_cvref_t<A>> && !container<pointee<std::remove_cvref_t<A>>>;

/// A class that holds a value or none, as std::optional and std::expected do.
template <class A>
concept optional_class = std::is_class_v<std::remove_cvref_t<A>> && requires(const std::remove_cvref_t<A>& held) {
    { held.has_value() } -> std::same_as<bool>;
    held.value();
    *held;
};

/// Whether one of the members that a tuple has is an array.
template <class T, std::size_t... I> constexpr bool has_range_member(std::index_sequence<I...>) {
    return (contiguous<std::remove_reference_t<std::tuple_element_t<I, T>>> || ...);
}

/// A tuple or pair of arrays, the standard library's or Thrust's, as zipped ranges are made.
template <class A, class Value = std::remove_cvref_t<A>>
concept zipped = std::is_class_v<Value> && !container<Value> && requires {
    std::tuple_size<Value>::value;
}
&&has_range_member<Value>(std::make_index_sequence<std::tuple_size<Value>::value>());

/// A closure or a function object.
template <class A, class Value = std::remove_cvref_t<A>>
concept function_class = std::is_class_v<Value> && !is_option<Value> && !is_stage<Value> &&
                         (
                             requires { &Value::operator(); } || requires { typename Value::is_transparent; });

/// One of Thrust's execution policies, which this header does not know: all of them have a base class in whose
/// namespace this function is.
template <class A>
concept thrust_policy = std::is_class_v<std::remove_cvref_t<A>> && requires(std::remove_reference_t<A>& policy) {
    derived_cast(policy);
};

template <class R> using element_of_container = std::remove_cvref_t<decltype(*std::begin(std::declval<R&>()))>;

/// A container of containers that allocate their elements; strings are no rows.
template <class R> inline constexpr bool has_rows = false;
template <container R>
inline constexpr bool has_rows<R> = container<element_of_container<R>> &&
                                    !std::is_convertible_v<element_of_container<R>, std::string_view> && !requires {
    std::tuple_size<element_of_container<R>>::value;
}
&&!std::is_array_v<std::remove_cv_t<R>>;

/// Returns what is wrong with an argument of type A where a signature has elements of some other kind, or `Otherwise`.
template <std::size_t P, class A, class Otherwise, class... E> constexpr auto mistake_of_any() {
    using source = std::remove_reference_t<A>;
    if constexpr (std::same_as<std::remove_cv_t<source>, shape>)
        return std::type_identity<wrong_call::a_foldwise_shape_comes_first_and_where_the_lambda_takes_an_index<P, A>>();
    else if constexpr (std::same_as<std::remove_cv_t<source>, executor>)
        return std::type_identity<wrong_call::an_executor_is_the_last_argument<P, A>>();
    else if constexpr (executor_like<A>)
        return std::type_identity<wrong_call::an_executor_is_made_by_foldwise_cpu_or_cuda_or_automatic<P, A, E...>>();
    else if constexpr (std::is_pointer_v<std::remove_cv_t<source>>)
        return std::type_identity<
            wrong_call::a_pointer_has_no_size_so_pass_foldwise_host_or_device_of_it<P, A, E...>>();
    else if constexpr (container<source>)
        return std::type_identity<wrong_call::elements_of_a_container_are_not_contiguous<P, A, E...>>();
    else if constexpr (function_class<A>)
        return std::type_identity<wrong_call::a_function_is_part_of_the_spec_and_no_argument_of_calls<P, A>>();
    else
        return std::type_identity<Otherwise>();
}

/// Returns what is wrong with an argument of type A that is no input of elements E..., one type for each signature.
template <std::size_t P, class A, class... E> constexpr auto mistake_of_input() {
    if constexpr (has_rows<std::remove_reference_t<A>>)
        return std::type_identity<
            wrong_call::rows_of_their_own_are_no_matrix_so_hold_one_block_and_pass_foldwise_host_with_a_shape<P, A>>();
    else if constexpr (contiguous<std::remove_reference_t<A>>)
        return std::type_identity<wrong_call::an_input_has_elements_of_another_type<P, A, E...>>();
    else
        return mistake_of_any<P, A, wrong_call::an_input_is_neither_a_range_nor_a_value_that_converts<P, A, E...>,
                              E...>();
}

/// Returns what is wrong with an argument of type A that cannot be passed as a whole array.
template <std::size_t P, class A, class... E> constexpr auto mistake_of_whole() {
    if constexpr (has_rows<std::remove_reference_t<A>>)
        return std::type_identity<
            wrong_call::rows_of_their_own_are_no_matrix_so_hold_one_block_and_pass_foldwise_host_with_a_shape<P, A>>();
    else if constexpr (contiguous<std::remove_reference_t<A>>)
        return std::type_identity<wrong_call::a_whole_array_has_elements_of_another_type<P, A, E...>>();
    else
        return mistake_of_any<P, A, wrong_call::a_whole_array_is_no_range<P, A, E...>, E...>();
}

/// Returns what is wrong with an argument of type A that is no output of elements E..., one type for each signature.
template <std::size_t P, class A, class... E> constexpr auto mistake_of_output() {
    using source = std::remove_reference_t<A>;
    if constexpr (text<A> && !(std::same_as<std::remove_const_t<E>, char> || ...)) {
        return std::type_identity<wrong_call::an_executor_is_made_by_foldwise_cpu_or_cuda_or_automatic<P, A, E...>>();
    } else if constexpr (has_rows<source>) {
        return std::type_identity<
            wrong_call::rows_of_their_own_are_no_matrix_so_hold_one_block_and_pass_foldwise_host_with_a_shape<P, A>>();
    } else if constexpr (contiguous<source>) {
        if constexpr (!(same_bits<range_value<source>, std::remove_const_t<E>> || ...))
            return std::type_identity<wrong_call::an_output_has_elements_of_another_type<P, A, E...>>();
        else if constexpr (std::is_const_v<range_element<source>>)
            return std::type_identity<wrong_call::an_output_is_const<P, A, E...>>();
        else
            return std::type_identity<wrong_call::an_output_is_a_temporary<P, A, E...>>();
    } else {
        return mistake_of_any<P, A, wrong_call::an_output_is_not_a_range<P, A, E...>, E...>();
    }
}

}  // namespace detail
}  // namespace foldwise
