// foldwise/spec/forall.hpp: indexed kernels, one task per index.
#pragma once

#include <foldwise/spec/signature.hpp>

namespace foldwise {

/// What forall() makes: the generator finds variables of this type, and on the host it is a callable of one task.
template <class Lambda, class... Signatures>
class [[maybe_unused]] indexed : public detail::typed_calls<Lambda, Signatures...> {
  public:
    constexpr explicit indexed(Lambda lambda) : detail::typed_calls<Lambda, Signatures...>(lambda) {}
};

/// Declares a kernel that runs `callable` once for each index: a lambda, a function or a function object, as vectorize
/// takes them. Its first parameter is index<N>; the others are view<T, N> (`const T` is read only) or scalars.
/// Signatures `void(view<...>, ...)` type what is generic and leave the index out.
template <class... Signatures, class Callable>
constexpr indexed<detail::callable<Callable>, Signatures...> forall(Callable callable) {
    return indexed<detail::callable<Callable>, Signatures...>(callable);
}

// Signatures do not say how many axes the index has, so they choose none of overloaded functions; the generator says
// so.
template <class First, class... Others>
constexpr indexed<detail::overloaded, First, Others...> forall(detail::overload_set<First>) {
    return indexed<detail::overloaded, First, Others...>({});
}

}  // namespace foldwise
