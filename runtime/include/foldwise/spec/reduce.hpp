// foldwise/spec/reduce.hpp: folds over whole arrays or axes.
#pragma once

#include <foldwise/spec/reduce_parts.hpp>
#include <foldwise/spec/signature.hpp>

namespace foldwise {

/// What is done to the elements before they are combined: a lambda, function or function object over one or several
/// inputs, which may take index<N> first. Of overloaded functions `map<float(float, float)>(f)` chooses one; so do
/// combine and finish.
template <class Callable> constexpr detail::map_part<detail::callable<Callable>> map(Callable callable) {
    return {callable};
}

/// The associative operation of two accumulators. A bare lambda, function or function object among the parts means the
/// same.
template <class Callable> constexpr detail::combine_part<detail::callable<Callable>> combine(Callable callable) {
    return {callable};
}

/// The last step, from the accumulator to the result.
template <class Callable> constexpr detail::finish_part<detail::callable<Callable>> finish(Callable callable) {
    return {callable};
}

/// The value that combine leaves unchanged, and the result of folding nothing.
template <class T> constexpr detail::identity_part<T> identity(T value) { return {value}; }

inline constexpr detail::lowest_part lowest;            ///< The identity of a maximum, whatever the type.
inline constexpr detail::highest_part highest;          ///< The identity of a minimum, whatever the type.
inline constexpr detail::no_identity_part no_identity;  ///< There is none: folding nothing is an empty_error.
inline constexpr detail::commutative_part commutative;  ///< Elements may be combined in any order.

/// What reduce() makes: the generator finds variables of this type, and on the host it folds ranges, one element after
/// the other.
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
/// A signature is the element type, or `Accumulator(Element...)` where they differ. The parts come in any order. With a
/// finish the signature names the result; accumulated is then in what map makes of the elements, and if that and the
/// result are both numbers, in the type that they have in common.
template <class... Signatures, class... Parts>
constexpr reduced<detail::signature_list<Signatures...>, Parts...> reduce(Parts... parts) {
    return reduced<detail::signature_list<Signatures...>, Parts...>(parts...);
}

}  // namespace foldwise
