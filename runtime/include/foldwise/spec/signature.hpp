// foldwise/spec/signature.hpp: gives a lambda the types that a kernel's signatures name.
#pragma once

#include <foldwise/spec/index.hpp>

#include <type_traits>

namespace foldwise::detail {

static_assert(max_index_rank == 4, "typed_call and typed_fold try an index of each rank");

/// Calls a lambda with the operands of one signature. `Number` keeps equal signatures apart, so that the generator, not
/// the compiler, is the one who tells of them.
template <class Lambda, class Signature, int Number> struct typed_call;

template <class Lambda, class Result, class... Operands, int Number>
struct typed_call<Lambda, Result(Operands...), Number> {
    [[no_unique_address]] Lambda lambda;

    /// Whether the lambda's result becomes the signature's.
    template <class... Index> using returns = std::is_invocable_r<Result, const Lambda&, Index..., Operands...>;
    using converts = std::bool_constant<
        std::disjunction_v<returns<>, returns<index<1>>, returns<index<2>>, returns<index<3>>, returns<index<4>>>>;

    constexpr Result operator()(Operands... operands) const requires(returns<>::value) { return lambda(operands...); }

    template <int N>
    constexpr Result operator()(index<N> at, Operands... operands) const requires(returns<index<N>>::value) {
        return lambda(at, operands...);
    }

    /// Never called: naming it makes the compiler give a generic lambda these types, so that a mistake in its body is
    /// an error even where nobody calls the kernel on the host, and the generator finds here the body that a signature
    /// means.
    static void instantiate(const Lambda& lambda, index<1> i, index<2> ij, index<3> ijk, index<4> ijkl,
                            Operands... operands) {
        if constexpr (std::is_invocable_v<const Lambda&, Operands...>)
            (void)lambda(operands...);
        else if constexpr (std::is_invocable_v<const Lambda&, index<1>, Operands...>)
            (void)lambda(i, operands...);
        else if constexpr (std::is_invocable_v<const Lambda&, index<2>, Operands...>)
            (void)lambda(ij, operands...);
        else if constexpr (std::is_invocable_v<const Lambda&, index<3>, Operands...>)
            (void)lambda(ijk, operands...);
        else if constexpr (std::is_invocable_v<const Lambda&, index<4>, Operands...>)
            (void)lambda(ijkl, operands...);
    }
};

template <class Lambda, class Numbers, class... Signatures> struct typed_overloads;

template <class Lambda, int... Number, class... Signatures>
struct typed_overloads<Lambda, std::integer_sequence<int, Number...>, Signatures...>
    : typed_call<Lambda, Signatures, Number>... {
    using typed_call<Lambda, Signatures, Number>::operator()...;

    constexpr explicit typed_overloads(Lambda lambda) : typed_call<Lambda, Signatures, Number>{lambda}... {
        ((void)&typed_call<Lambda, Signatures, Number>::instantiate, ...);
    }
};

/// The call operators of a kernel on the host: one for each signature, or the lambda's own if there are none.
template <class Lambda, class... Signatures>
struct typed_calls
    : typed_overloads<Lambda, std::make_integer_sequence<int, static_cast<int>(sizeof...(Signatures))>, Signatures...> {
    using typed_overloads<Lambda, std::make_integer_sequence<int, static_cast<int>(sizeof...(Signatures))>,
                          Signatures...>::typed_overloads;
};

template <class Lambda> struct typed_calls<Lambda> : Lambda {
    constexpr explicit typed_calls(Lambda lambda) : Lambda(lambda) {}
};

}  // namespace foldwise::detail
