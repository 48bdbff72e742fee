// foldwise/spec/fold_parts.hpp: the parts of what combines elements, and the types that a signature gives them.
#pragma once

#include <foldwise/detail/identity_parts.hpp>
#include <foldwise/detail/throw_error.hpp>
#include <foldwise/detail/view_fwd.hpp>
#include <foldwise/spec/index.hpp>
#include <foldwise/spec/placed.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <type_traits>
#include <utility>

namespace foldwise::detail {

template <class Lambda> struct map_part { [[no_unique_address]] Lambda lambda; };
template <class Lambda> struct combine_part { [[no_unique_address]] Lambda lambda; };
template <class Lambda> struct finish_part { [[no_unique_address]] Lambda lambda; };

struct commutative_part {
    __attribute__((unavailable("write commutative without parentheses"))) commutative_part operator()() const;
};

/// Takes the place of a part that a kernel does not have.
struct no_part {};

enum class part_kind { map, combine, finish, identity, commutative };

/// The kind of a part. A bare lambda, or anything else that is not a part, counts as combine; the generator reports
/// what does not fit.
template <class Part> inline constexpr part_kind kind_of = part_kind::combine;
template <class Lambda> inline constexpr part_kind kind_of<map_part<Lambda>> = part_kind::map;
template <class Lambda> inline constexpr part_kind kind_of<finish_part<Lambda>> = part_kind::finish;
template <class T> inline constexpr part_kind kind_of<identity_part<T>> = part_kind::identity;
template <> inline constexpr part_kind kind_of<lowest_part> = part_kind::identity;
template <> inline constexpr part_kind kind_of<highest_part> = part_kind::identity;
template <> inline constexpr part_kind kind_of<no_identity_part> = part_kind::identity;
template <> inline constexpr part_kind kind_of<commutative_part> = part_kind::commutative;

template <class Bare> constexpr const Bare& content_of(const Bare& part) { return part; }
template <class Lambda> constexpr const Lambda& content_of(const map_part<Lambda>& part) { return part.lambda; }
template <class Lambda> constexpr const Lambda& content_of(const combine_part<Lambda>& part) { return part.lambda; }
template <class Lambda> constexpr const Lambda& content_of(const finish_part<Lambda>& part) { return part.lambda; }

/// Returns the content of the first part of a kind, or no_part if there is none.
template <part_kind> constexpr no_part find_part() { return {}; }
template <part_kind Kind, class First, class... Rest>
constexpr auto find_part(const First& first, const Rest&... rest) {
    if constexpr (kind_of<First> == Kind)
        return content_of(first);
    else
        return find_part<Kind>(rest...);
}

/// The parts of a kernel, sorted by kind.
template <class... Parts> struct fold_parts {
    template <part_kind Kind> using part = decltype(find_part<Kind>(std::declval<const Parts&>()...));

    [[no_unique_address]] part<part_kind::map> map;
    [[no_unique_address]] part<part_kind::combine> combine;
    [[no_unique_address]] part<part_kind::finish> finish;
    [[no_unique_address]] part<part_kind::identity> identity;

    constexpr explicit fold_parts(const Parts&... parts)
        : map(find_part<part_kind::map>(parts...)), combine(find_part<part_kind::combine>(parts...)),
          finish(find_part<part_kind::finish>(parts...)), identity(find_part<part_kind::identity>(parts...)) {}
};

/// The decayed result of calling a const F with const arguments, or void if it cannot be called.
template <class F, class... Arguments> struct result_of { using type = void; };
template <class F, class... Arguments>
requires std::is_invocable_v<const F&, const Arguments&...>
struct result_of<F, Arguments...> {
    using type = std::remove_cvref_t<std::invoke_result_t<const F&, const Arguments&...>>;
};

/// The result type of map for the elements and an index of rank Axes or more: with the lowest rank that map accepts, or
/// void if there is none.
template <class Map, int Axes, class... Elements> struct mapped_at : mapped_at<Map, Axes + 1, Elements...> {};
template <class Map, class... Elements> struct mapped_at<Map, max_index_rank + 1, Elements...> { using type = void; };
template <class Map, int Axes, class... Elements>
requires(Axes <= max_index_rank && takes_index<Map, Axes, Elements...>) struct mapped_at<Map, Axes, Elements...>
    : result_of<Map, index<Axes>, Elements...> {
};

/// The result type of map for the elements, called without an index if that is possible. In that case no other call is
/// tried, because the body of a generic lambda may not compile with an index. Without a map, the result is the single
/// element, or void if there are several.
template <class Map, class... Elements> struct mapped : mapped_at<Map, 1, Elements...> {};
template <class Map, class... Elements>
requires std::is_invocable_v<const Map&, const Elements&...>
struct mapped<Map, Elements...> : result_of<Map, Elements...> {
};
template <class... Elements> struct mapped<no_part, Elements...> { using type = void; };
template <class Element> struct mapped<no_part, Element> { using type = Element; };

/// The type of the accumulator.
template <class Finish, class Mapped, class Result> struct accumulated {
    using type = std::conditional_t<std::is_void_v<Mapped>, Result, Mapped>;
};
template <class Mapped, class Result> struct accumulated<no_part, Mapped, Result> { using type = Result; };
template <class Finish, class Mapped, class Result>
requires(std::is_arithmetic_v<Mapped>&& std::is_arithmetic_v<Result> &&
         !std::is_same_v<Finish, no_part>) struct accumulated<Finish, Mapped, Result> {
    using type = std::common_type_t<Mapped, Result>;
};

/// How a call on the host passes an input: elements as a range, and a whole array as a view of it.
template <class Element> struct host_input {
    using range = std::span<const Element>;
    using list = std::initializer_list<Element>;
    static constexpr range range_of(list elements) { return {elements.begin(), elements.size()}; }
    static constexpr bool has_size(range elements, std::size_t size) { return elements.size() == size; }
    static constexpr std::size_t size_of(range elements, std::size_t) { return elements.size(); }
    static constexpr const Element& at(range elements, std::size_t i) { return elements[i]; }
};
template <class T, int N> struct host_input<view<const T, N>> {
    using range = view<const T, N>;
    using list = view<const T, N>;
    static constexpr range range_of(list whole) { return whole; }
    static constexpr bool has_size(range, std::size_t) { return true; }
    static constexpr std::size_t size_of(range, std::size_t others) { return others; }
    static constexpr range at(range whole, std::size_t) { return whole; }
};

/// What the map of a scattered fold returns: the type of the values, the axes of their places, and how many there are;
/// no axes for the map of any other fold.
template <class Returned> struct placed_value {
    using type = Returned;
    static constexpr int axes = 0, count = 0;
};
template <int N, class T> struct placed_value<placed<N, T>> {
    using type = T;
    static constexpr int axes = N, count = 0;
};
template <int N, class T, std::size_t Count> struct placed_value<std::array<placed<N, T>, Count>> {
    using type = T;
    static constexpr int axes = N, count = static_cast<int>(Count);
};

template <class... Signatures> struct signature_list {};

/// Expands the short form `T` of a signature to `T(T)`.
template <class Signature> struct written_out { using type = Signature(Signature); };
template <class Result, class... Elements> struct written_out<Result(Elements...)> {
    using type = Result(Elements...);
};

/// A fold with the types of one signature. `Number` makes equal signatures distinct types, so that the generator can
/// report them instead of the compiler.
template <class Parts, class Signature, int Number> struct typed_fold;

template <class Parts, class Result, class... Elements, int Number>
struct typed_fold<Parts, Result(Elements...), Number> {
    using map = decltype(Parts::map);
    using combine = decltype(Parts::combine);
    using finish = decltype(Parts::finish);
    using identity = decltype(Parts::identity);

    // The generator reads these: the result type of each part (void if it cannot be called), and whether the next part
    // accepts it.
    using returned = typename detail::mapped<map, Elements...>::type;
    using mapped = typename placed_value<returned>::type;
    using places = std::integral_constant<int, placed_value<returned>::axes>;
    using place_count = std::integral_constant<int, placed_value<returned>::count>;
    using accumulator = typename accumulated<finish, mapped, Result>::type;
    using combined = typename result_of<combine, accumulator, accumulator>::type;
    using finished = typename std::conditional_t<std::is_same_v<finish, no_part>, std::type_identity<accumulator>,
                                                 result_of<finish, accumulator>>::type;
    using accumulates = std::bool_constant<std::is_convertible_v<mapped, accumulator>>;
    using combines = std::bool_constant<std::is_convertible_v<combined, accumulator>>;
    using finishes = std::bool_constant<std::is_convertible_v<finished, Result>>;
    static constexpr bool identity_suits() {
        if constexpr (requires { identity::template suits<accumulator>; })
            return identity::template suits<accumulator>;
        else
            return true;
    }
    using identifies = std::bool_constant<identity_suits()>;
    static constexpr bool has_identity =
        identity_suits() && !std::is_same_v<identity, no_part> && !std::is_same_v<identity, no_identity_part>;
    static constexpr bool takes_elements =
        std::is_same_v<map, no_part> || std::is_invocable_v<const map&, const Elements&...>;
    static constexpr bool takes_position =
        std::conjunction_v<std::bool_constant<!takes_elements>, accepts_index<map, 1, Elements...>>;
    static constexpr bool
        is_callable = sizeof...(Elements) > 0 &&
                      (takes_elements || takes_position) && accumulates::value&& combines::value&& finishes::value;

    [[no_unique_address]] Parts parts;

    /// Never called. Naming it makes the compiler instantiate generic lambdas with these types, so that an error in
    /// them is reported even if nobody calls the kernel on the host. The generator also looks here for the bodies
    /// that belong to a signature.
    static void instantiate(const map& map_lambda, const combine& combine_lambda, const finish& finish_lambda,
                            index<1> i, index<2> ij, index<3> ijk, index<4> ijkl, const Elements&... elements,
                            const accumulator& a, const accumulator& b) {
        if constexpr (std::is_invocable_v<const map&, const Elements&...>)
            (void)map_lambda(elements...);
        else if constexpr (takes_index<map, 1, Elements...>)
            (void)map_lambda(i, elements...);
        else if constexpr (takes_index<map, 2, Elements...>)
            (void)map_lambda(ij, elements...);
        else if constexpr (takes_index<map, 3, Elements...>)
            (void)map_lambda(ijk, elements...);
        else if constexpr (takes_index<map, 4, Elements...>)
            (void)map_lambda(ijkl, elements...);
        if constexpr (std::is_invocable_v<const combine&, const accumulator&, const accumulator&>)
            (void)combine_lambda(a, b);
        if constexpr (std::is_invocable_v<const finish&, const accumulator&>) (void)finish_lambda(a);
    }

  protected:
    constexpr accumulator combined_of(const accumulator& a, const accumulator& b) const { return parts.combine(a, b); }

    constexpr accumulator element(std::size_t position, const Elements&... elements) const {
        if constexpr (std::is_same_v<map, no_part>)
            return (elements, ...);
        else if constexpr (takes_elements)
            return parts.map(elements...);
        else
            return parts.map(index<1>(position), elements...);
    }

    /// Returns what map makes of an element.
    constexpr auto returned_of(std::size_t position, const Elements&... elements) const {
        if constexpr (takes_elements)
            return parts.map(elements...);
        else
            return parts.map(index<1>(position), elements...);
    }

    constexpr accumulator empty() const {
        if constexpr (has_identity)
            return parts.identity.template as<accumulator>();
        else
            throw_empty_error("a fold of nothing, which has no identity");
    }

    constexpr Result finished_from(const accumulator& folded) const {
        if constexpr (std::is_same_v<finish, no_part>)
            return folded;
        else
            return parts.finish(folded);
    }
};

/// What a kernel with these parts and signatures derives from: `Typed` for each signature.
template <template <class, class, int> class Typed, class Parts, class Numbers, class... Signatures>
struct fold_overloads;

template <template <class, class, int> class Typed, class Parts, int... Number, class... Signatures>
struct fold_overloads<Typed, Parts, std::integer_sequence<int, Number...>, Signatures...>
    : Typed<Parts, typename written_out<Signatures>::type, Number>... {
    using Typed<Parts, typename written_out<Signatures>::type, Number>::operator()...;

    constexpr explicit fold_overloads(const Parts& parts)
        : Typed<Parts, typename written_out<Signatures>::type, Number>(parts)... {
        ((void)&Typed<Parts, typename written_out<Signatures>::type, Number>::instantiate, ...);
    }
};

/// The call operators of a kernel on the host.
template <template <class, class, int> class Typed, class Parts, class... Signatures>
struct typed_folds
    : fold_overloads<Typed, Parts, std::make_integer_sequence<int, static_cast<int>(sizeof...(Signatures))>,
                     Signatures...> {
    using fold_overloads<Typed, Parts, std::make_integer_sequence<int, static_cast<int>(sizeof...(Signatures))>,
                         Signatures...>::fold_overloads;
};

}  // namespace foldwise::detail

namespace foldwise {

/// The transformation of the elements before they are combined: a lambda, function or function object of one or more
/// inputs, optionally preceded by an index<N>. `map<float(float, float)>(f)` selects one of several overloaded
/// functions; combine and finish support the same syntax.
template <class Callable> constexpr detail::map_part<detail::callable<Callable>> map(Callable callable) {
    return {callable};
}

/// The associative operation on two accumulators. A bare lambda, function or function object among the parts is also
/// taken as the combine operation.
template <class Callable> constexpr detail::combine_part<detail::callable<Callable>> combine(Callable callable) {
    return {callable};
}

/// The final step, which converts the accumulator to the result.
template <class Callable> constexpr detail::finish_part<detail::callable<Callable>> finish(Callable callable) {
    return {callable};
}

inline constexpr detail::commutative_part commutative;  ///< Elements may be combined in any order.

}  // namespace foldwise
