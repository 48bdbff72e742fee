// foldwise/spec/vectorize.hpp: `vectorize` kernels.
#pragma once

#include <foldwise/spec/signature.hpp>

namespace foldwise {

/// What vectorize() makes: the generator finds variables of this type, and on the host it is a callable of scalars.
template <class Lambda, class... Signatures>
class [[maybe_unused]] vectorized : public detail::typed_calls<Lambda, Signatures...> {
  public:
    constexpr explicit vectorized(Lambda lambda) : detail::typed_calls<Lambda, Signatures...>(lambda) {}
};

/// Declares a kernel that applies `callable` to every element of its operands, as a namespace-scope variable:
///
///     auto axpy = foldwise::vectorize([](double a, double x, double y) { return a * x + y; });
///     auto product = foldwise::vectorize<float(float, float)>(std::multiplies<>{});
///
/// It is a lambda, a function, or a function object; captures and data members have values that are known while
/// compiling. Signatures such as `float(float, float)` type what is generic, once each; without any, its own types
/// count. A result of std::tuple or std::pair means several outputs. A first parameter of type index<N> is the
/// element's position and no operand; signatures leave it out.
template <class... Signatures, class Callable>
constexpr vectorized<detail::callable<Callable>, Signatures...> vectorize(Callable callable) {
    return vectorized<detail::callable<Callable>, Signatures...>(callable);
}

/// The same for the name of overloaded functions, of which it is the one with exactly the signature's types.
template <class Signature>
constexpr vectorized<Signature*, Signature> vectorize(detail::function_of<Signature> callable) {
    return vectorized<Signature*, Signature>(callable.function);
}

// One name cannot stand for a function of each signature; the generator says so.
template <class First, class... Others>
requires(sizeof...(Others) >
         0) constexpr vectorized<detail::overloaded, First, Others...> vectorize(detail::overload_set<First>) {
    return vectorized<detail::overloaded, First, Others...>({});
}

}  // namespace foldwise
