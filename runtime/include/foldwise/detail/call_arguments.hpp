// foldwise/detail/call_arguments.hpp: the signatures of a generated function, the arguments of a call, and which of
// them convert to what a signature has at their place.
#pragma once

#include <foldwise/executor.hpp>
#include <foldwise/reduce_options.hpp>
#include <foldwise/restarts.hpp>
#include <foldwise/scan_options.hpp>

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

/// Whether an argument says that accumulators are not finished, or are what is combined.
template <class T> inline constexpr bool is_stage = std::is_same_v<T, partial_t> || std::is_same_v<T, from_partials_t>;

template <class T> inline constexpr bool is_tuple = false;
template <class... T> inline constexpr bool is_tuple<std::tuple<T...>> = true;
template <class A, class B> inline constexpr bool is_tuple<std::pair<A, B>> = true;

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

}  // namespace detail
}  // namespace foldwise
