// foldwise/spec/scan.hpp: `scan`, which declares scans: every prefix of a fold.
#pragma once

#include <foldwise/spec/fold_parts.hpp>
#include <foldwise/spec/signature.hpp>

namespace foldwise::detail {

/// A scan with the types of one signature.
template <class Parts, class Signature, int Number> struct typed_scan;

template <class Parts, class Result, class... Elements, int Number>
struct typed_scan<Parts, Result(Elements...), Number> : typed_fold<Parts, Result(Elements...), Number> {
    using fold = typed_fold<Parts, Result(Elements...), Number>;
    constexpr explicit typed_scan(const Parts& parts) : fold{parts} {}

    /// Scans whole ranges in order: the i-th result combines the elements 0 to i. The results may be written over the
    /// elements. Throws shape_error if the sizes differ.
    constexpr void operator()(typename host_input<Elements>::range... elements, std::span<Result> results) const
        requires(fold::is_callable) {
        if (!(host_input<Elements>::has_size(elements, results.size()) && ...))
            throw_shape_error("a scan on the host is given ranges of different sizes");
        if (results.empty()) return;
        typename fold::accumulator folded = this->element(0, host_input<Elements>::at(elements, 0)...);
        results[0] = this->finished_from(folded);
        for (std::size_t i = 1; i < results.size(); ++i) {
            folded = this->combined_of(folded, this->element(i, host_input<Elements>::at(elements, i)...));
            results[i] = this->finished_from(folded);
        }
    }
};

}  // namespace foldwise::detail

namespace foldwise {

/// The type of a scan that scan() declares. The generator finds variables of this type; on the host they can be called
/// with ranges of elements and one of results.
template <class Signatures, class... Parts> class [[maybe_unused]] scanned;

template <class... Signatures, class... Parts>
class [[maybe_unused]] scanned<detail::signature_list<Signatures...>, Parts...>
    : public detail::typed_folds<detail::typed_scan, detail::fold_parts<Parts...>, Signatures...> {
  public:
    constexpr explicit scanned(Parts... parts)
        : detail::typed_folds<detail::typed_scan, detail::fold_parts<Parts...>, Signatures...>(
              detail::fold_parts<Parts...>(parts...)) {}
};

/// Declares a scan, as a namespace-scope variable:
///
///     auto running = foldwise::scan<float, double>(std::plus<>{}, foldwise::identity(0));
///
/// Signatures and parts are those of reduce(). Elements are always combined in their order, so combine need not
/// commute. An identity is needed only by exclusive scans that are given no initial value.
template <class... Signatures, class... Parts>
constexpr scanned<detail::signature_list<Signatures...>, Parts...> scan(Parts... parts) {
    return scanned<detail::signature_list<Signatures...>, Parts...>(parts...);
}

}  // namespace foldwise
