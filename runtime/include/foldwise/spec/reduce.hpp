// foldwise/spec/reduce.hpp: `reduce`, which declares reductions of whole arrays or along axes.
#pragma once

#include <foldwise/spec/fold_parts.hpp>
#include <foldwise/spec/signature.hpp>

namespace foldwise::detail {

/// A reduction with the types of one signature.
template <class Parts, class Signature, int Number> struct typed_reduction;

template <class Parts, class Result, class... Elements, int Number>
struct typed_reduction<Parts, Result(Elements...), Number> : typed_fold<Parts, Result(Elements...), Number> {
    using fold = typed_fold<Parts, Result(Elements...), Number>;
    constexpr explicit typed_reduction(const Parts& parts) : fold{parts} {}

    /// Reduces whole ranges, combining their elements in order. Throws shape_error if their sizes differ, and
    /// empty_error if they are empty and there is no identity.
    constexpr Result operator()(typename host_input<Elements>::range... elements) const requires(fold::is_callable) {
        std::size_t size = 0;
        ((size = host_input<Elements>::size_of(elements, size)), ...);
        if (!(host_input<Elements>::has_size(elements, size) && ...))
            throw_shape_error("a reduction on the host is given ranges of different sizes");
        if (size == 0) return this->finished_from(this->empty());
        typename fold::accumulator folded = this->element(0, host_input<Elements>::at(elements, 0)...);
        for (std::size_t i = 1; i < size; ++i)
            folded = this->combined_of(folded, this->element(i, host_input<Elements>::at(elements, i)...));
        return this->finished_from(folded);
    }

    /// Reduces elements that are written out in braces. It is a template so that, without elements, it does not collide
    /// with the overload for ranges.
    template <int = 0>
    constexpr Result operator()(typename host_input<Elements>::list... elements) const requires(fold::is_callable) {
        return (*this)(host_input<Elements>::range_of(elements)...);
    }
};

}  // namespace foldwise::detail

namespace foldwise {

/// The type of a reduction that reduce() declares. The generator finds variables of this type; on the host they can be
/// called with ranges, whose elements they combine in order.
template <class Signatures, class... Parts> class [[maybe_unused]] reduced;

template <class... Signatures, class... Parts>
class [[maybe_unused]] reduced<detail::signature_list<Signatures...>, Parts...>
    : public detail::typed_folds<detail::typed_reduction, detail::fold_parts<Parts...>, Signatures...> {
  public:
    constexpr explicit reduced(Parts... parts)
        : detail::typed_folds<detail::typed_reduction, detail::fold_parts<Parts...>, Signatures...>(
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
