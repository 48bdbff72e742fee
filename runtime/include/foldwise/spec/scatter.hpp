// foldwise/spec/scatter.hpp: `scatter`, which declares folds whose map says where each value goes.
#pragma once

#include <foldwise/spec/fold_parts.hpp>
#include <foldwise/spec/placed.hpp>
#include <foldwise/spec/signature.hpp>
#include <foldwise/spec/view.hpp>

namespace foldwise::detail {

/// A scattered fold with the types of one signature.
template <class Parts, class Signature, int Number> struct typed_scatter;

template <class Parts, class Result, class... Elements, int Number>
struct typed_scatter<Parts, Result(Elements...), Number> : typed_fold<Parts, Result(Elements...), Number> {
    using fold = typed_fold<Parts, Result(Elements...), Number>;
    static constexpr int axes = fold::places::value > 0 ? fold::places::value : 1;
    constexpr explicit typed_scatter(const Parts& parts) : fold{parts} {}

    /// Combines the elements of whole ranges into `bins`, in order. Throws shape_error if the ranges' sizes differ.
    constexpr void operator()(typename host_input<Elements>::range... elements, view<Result, axes> bins) const
        requires(fold::is_callable&& fold::places::value > 0) {
        std::size_t size = 0;
        ((size = host_input<Elements>::size_of(elements, size)), ...);
        if (!(host_input<Elements>::has_size(elements, size) && ...))
            throw_shape_error("a scattered fold on the host is given ranges of different sizes");
        const auto put = [&](const auto& one) {
            for (int axis = 0; axis < axes; ++axis)
                if (one.place[axis] < 0 || one.place[axis] >= bins.extent(axis)) return;
            Result& bin = bins[one.place];
            bin = this->combined_of(bin, static_cast<Result>(one.value));
        };
        for (std::size_t i = 0; i < size; ++i) {
            const auto placed = this->returned_of(i, host_input<Elements>::at(elements, i)...);
            if constexpr (requires { placed.place; })
                put(placed);
            else
                for (const auto& one : placed) put(one);
        }
    }
};

}  // namespace foldwise::detail

namespace foldwise {

/// The type of a scattered fold that scatter() declares. The generator finds variables of this type; on the host they
/// can be called with ranges and a view of the output, into which they combine elements in order.
template <class Signatures, class... Parts> class [[maybe_unused]] scattered;

template <class... Signatures, class... Parts>
class [[maybe_unused]] scattered<detail::signature_list<Signatures...>, Parts...>
    : public detail::typed_folds<detail::typed_scatter, detail::fold_parts<Parts...>, Signatures...> {
  public:
    constexpr explicit scattered(Parts... parts)
        : detail::typed_folds<detail::typed_scatter, detail::fold_parts<Parts...>, Signatures...>(
              detail::fold_parts<Parts...>(parts...)) {}
};

/// Declares a fold of elements into the places that its map says, as a namespace-scope variable:
///
///     auto histogram = foldwise::scatter<std::uint32_t(std::uint8_t)>(
///         foldwise::map([](std::uint8_t x) { return foldwise::at(x, 1u); }), std::plus<>{}, foldwise::identity(0));
///
/// The map returns foldwise::at(place, value), or a std::array of several; a place is an integer or an index<N>. A
/// signature names the type of the output's elements and those of the inputs.
template <class... Signatures, class... Parts>
constexpr scattered<detail::signature_list<Signatures...>, Parts...> scatter(Parts... parts) {
    return scattered<detail::signature_list<Signatures...>, Parts...>(parts...);
}

}  // namespace foldwise
