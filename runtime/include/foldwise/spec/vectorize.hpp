// foldwise/spec/vectorize.hpp: `vectorize`, which declares elementwise kernels.
#pragma once

#include <foldwise/spec/signature.hpp>

namespace foldwise {

/// The type of a kernel that vectorize() declares. The generator finds variables of this type; on the host they can be
/// called with scalars.
template <class Lambda, class... Signatures>
class [[maybe_unused]] vectorized : public detail::single_calls<Lambda, Signatures...> {
  public:
    constexpr explicit vectorized(Lambda lambda) : detail::single_calls<Lambda, Signatures...>(lambda) {}
};

/// Declares a kernel that applies `callable` to every element of its operands, as a namespace-scope variable:
///
///     auto axpy = foldwise::vectorize([](double a, double x, double y) { return a * x + y; });
///     auto product = foldwise::vectorize<float(float, float)>(std::multiplies<>{});
///
/// The callable is a lambda, a function or a function object; the values of captures and data members must be known at
/// compile time. Signatures such as `float(float, float)` instantiate a generic callable, once each; without
/// signatures, the callable's own parameter types apply. A result of type std::tuple or std::pair means several
/// outputs. A first parameter of type index<N> receives the element's position; it is not an operand, and signatures
/// leave it out.
template <class... Signatures, class Callable>
constexpr vectorized<detail::callable<Callable>, Signatures...> vectorize(Callable callable) {
    return vectorized<detail::callable<Callable>, Signatures...>(callable);
}

/// Declares an elementwise kernel from the name of overloaded functions, choosing the one that has exactly the type of
/// the signature.
template <class Signature>
constexpr vectorized<Signature*, Signature> vectorize(detail::function_of<Signature> callable) {
    return vectorized<Signature*, Signature>(callable.function);
}

// One name cannot select a different function for each of several signatures; the generator reports it.
template <class First, class... Others>
requires(sizeof...(Others) >
         0) constexpr vectorized<detail::overloaded, First, Others...> vectorize(detail::overload_set<First>) {
    return vectorized<detail::overloaded, First, Others...>({});
}

}  // namespace foldwise
