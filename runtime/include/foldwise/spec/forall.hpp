// foldwise/spec/forall.hpp: `forall`, which declares kernels that run one task per index.
#pragma once

#include <foldwise/spec/signature.hpp>

namespace foldwise {

/// The type of a kernel that forall() declares. The generator finds variables of this type; on the host calling one
/// runs a single task.
template <class Lambda, class... Signatures>
class [[maybe_unused]] indexed : public detail::single_calls<Lambda, Signatures...> {
  public:
    constexpr explicit indexed(Lambda lambda) : detail::single_calls<Lambda, Signatures...>(lambda) {}
};

/// Declares a kernel that calls `callable` once per index. The callable is a lambda, a function or a function object,
/// as for vectorize. Its first parameter is index<N>; the others are view<T, N> (read-only if T is const) or scalars.
/// Signatures of the form `void(view<...>, ...)` instantiate a generic callable and leave the index out.
template <class... Signatures, class Callable>
constexpr indexed<detail::callable<Callable>, Signatures...> forall(Callable callable) {
    return indexed<detail::callable<Callable>, Signatures...>(callable);
}

// Signatures do not contain the rank of the index, so they cannot select one of several overloaded functions; the
// generator reports it.
template <class First, class... Others>
constexpr indexed<detail::overloaded, First, Others...> forall(detail::overload_set<First>) {
    return indexed<detail::overloaded, First, Others...>({});
}

}  // namespace foldwise
