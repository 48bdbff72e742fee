// foldwise/spec/vectorize.hpp: elementwise kernels.
#pragma once

#include <foldwise/spec/signature.hpp>

namespace foldwise {

/// What vectorize() makes: the generator finds variables of this type, and on the host it is a callable of scalars.
template <class Lambda, class... Signatures>
class [[maybe_unused]] vectorized : public detail::typed_calls<Lambda, Signatures...> {
  public:
    constexpr explicit vectorized(Lambda lambda) : detail::typed_calls<Lambda, Signatures...>(lambda) {}
};

/// Declares a kernel that applies `lambda` to every element of its operands, as a namespace-scope variable:
///
///     auto axpy = foldwise::vectorize([](double a, double x, double y) { return a * x + y; });
///
/// Signatures such as `float(float, float)` type a generic lambda, once each; without any, the lambda's own types
/// count. A result of std::tuple or std::pair means several outputs. A first parameter of type index<N> is the
/// element's position and no operand; signatures leave it out.
template <class... Signatures, class Lambda> constexpr vectorized<Lambda, Signatures...> vectorize(Lambda lambda) {
    return vectorized<Lambda, Signatures...>(lambda);
}

}  // namespace foldwise
