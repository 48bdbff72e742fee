// foldwise/spec/reduce.hpp: `reduce`, which declares reductions of whole arrays or along axes.
#pragma once

#include <foldwise/spec/reduce_parts.hpp>
#include <foldwise/spec/signature.hpp>

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

/// The value that combine leaves unchanged; it is also the result of a reduction over no elements.
template <class T> constexpr detail::identity_part<T> identity(T value) { return {value}; }

inline constexpr detail::lowest_part lowest;            ///< The identity of a maximum, whatever the type.
inline constexpr detail::highest_part highest;          ///< The identity of a minimum, whatever the type.
inline constexpr detail::no_identity_part no_identity;  ///< Reducing no elements throws empty_error.
inline constexpr detail::commutative_part commutative;  ///< Elements may be combined in any order.

/// The type of a reduction that reduce() declares. The generator finds variables of this type; on the host they can be
/// called with ranges, whose elements they combine in order.
template <class Signatures, class... Parts> class [[maybe_unused]] reduced;

template <class... Signatures, class... Parts>
class [[maybe_unused]] reduced<detail::signature_list<Signatures...>, Parts...>
    : public detail::typed_reductions<detail::fold_parts<Parts...>, Signatures...> {
  public:
    constexpr explicit reduced(Parts... parts)
        : detail::typed_reductions<detail::fold_parts<Parts...>, Signatures...>(
              detail::fold_parts<Parts...>(parts...)) {}
};

/// Declares a reduction, as a namespace-scope variable:
///
///     auto sum = foldwise::reduce<float, double>([](auto a, auto b) { return a + b; }, foldwise::identity(0));
///
/// A signature is the element type, or `Accumulator(Element...)` if the types differ. The parts may come in any order.
/// With a finish, the signature names the type of the result instead of the accumulator. The accumulator then has the
/// type that map returns or, if map returns a number and the result is a number too, std::common_type_t of the two.
template <class... Signatures, class... Parts>
constexpr reduced<detail::signature_list<Signatures...>, Parts...> reduce(Parts... parts) {
    return reduced<detail::signature_list<Signatures...>, Parts...>(parts...);
}

}  // namespace foldwise
