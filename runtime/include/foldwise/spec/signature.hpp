// foldwise/spec/signature.hpp: instantiates a kernel's callable with the types of its signatures.
#pragma once

#include <foldwise/spec/index.hpp>

#include <type_traits>
#include <utility>

namespace foldwise::detail {

static_assert(max_index_rank == 4, "typed_call and typed_fold try an index of each rank");

/// Replaces a pointer to member, which cannot be called as `f(x)` and which no kernel accepts.
struct not_a_callable {
    template <class Class, class Member> constexpr not_a_callable(Member Class::*) {}
};

/// The type in which a kernel stores its callable: lambdas and function objects as they are, functions as pointers.
template <class F> using callable = std::conditional_t<std::is_member_pointer_v<F>, not_a_callable, std::decay_t<F>>;

/// Selects from an overload set the one function that has exactly the type of the signature.
template <class Signature> struct function_of {
    Signature* function;
    constexpr function_of(Signature* chosen) : function(chosen) {}
};

/// Accepts the name of overloaded functions where no single one fits all signatures; the generator reports it. It is
/// constructed from a function with the first signature, or from one that also takes an index.
struct overloaded {};
template <class Signature> struct overload_set;
template <class Result, class... Operands> struct overload_set<Result(Operands...)> {
    constexpr overload_set(Result (*)(Operands...)) {}
    constexpr overload_set(Result (*)(index<1>, Operands...)) {}
    constexpr overload_set(Result (*)(index<2>, Operands...)) {}
    constexpr overload_set(Result (*)(index<3>, Operands...)) {}
    constexpr overload_set(Result (*)(index<4>, Operands...)) {}
};

/// Stands for the operands of what is given in place of a signature, such as the `float` of `vectorize<float>`.
template <class Type, int Number> struct no_operands { no_operands() = delete; };

/// Calls a lambda with the operands of one signature. `Number` makes equal signatures distinct types, so that the
/// generator can report them instead of the compiler. A type that is no signature makes no call; the generator reports
/// it as well.
template <class Lambda, class Type, int Number> struct typed_call {
    [[no_unique_address]] Lambda lambda;

    void operator()(no_operands<Type, Number>) const = delete;
    static void instantiate(const Lambda&) {}
};

template <class Lambda, class Result, class... Operands, int Number>
struct typed_call<Lambda, Result(Operands...), Number> {
    [[no_unique_address]] Lambda lambda;

    /// Whether the lambda's result converts to the signature's result type when the operands are const.
    template <class... Index> using returns = std::is_invocable_r<Result, const Lambda&, Index..., const Operands&...>;
    template <int N> using returns_at = std::conjunction<accepts_index<Lambda, N, Operands...>, returns<index<N>>>;
    using converts =
        std::bool_constant<std::disjunction_v<returns<>, returns_at<1>, returns_at<2>, returns_at<3>, returns_at<4>>>;

    constexpr Result operator()(Operands... operands) const requires(returns<>::value) {
        return lambda(static_cast<const Operands&>(operands)...);
    }

    template <int N>
    constexpr Result operator()(index<N> at, Operands... operands) const requires(returns_at<N>::value) {
        return lambda(at, static_cast<const Operands&>(operands)...);
    }

    /// Never called. Naming it makes the compiler instantiate a generic lambda with these types, so that an error in
    /// its body is reported even if nobody calls the kernel on the host. The generator also looks here for the body
    /// that belongs to a signature.
    static void instantiate(const Lambda& lambda, index<1> i, index<2> ij, index<3> ijk, index<4> ijkl,
                            const Operands&... operands) {
        if constexpr (std::is_invocable_v<const Lambda&, const Operands&...>)
            (void)lambda(operands...);
        else if constexpr (takes_index<Lambda, 1, Operands...>)
            (void)lambda(i, operands...);
        else if constexpr (takes_index<Lambda, 2, Operands...>)
            (void)lambda(ij, operands...);
        else if constexpr (takes_index<Lambda, 3, Operands...>)
            (void)lambda(ijk, operands...);
        else if constexpr (takes_index<Lambda, 4, Operands...>)
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

/// The call operators of a kernel on the host: one per signature, or the lambda's own if there are no signatures.
template <class Lambda, class... Signatures>
struct typed_calls
    : typed_overloads<Lambda, std::make_integer_sequence<int, static_cast<int>(sizeof...(Signatures))>, Signatures...> {
    using typed_overloads<Lambda, std::make_integer_sequence<int, static_cast<int>(sizeof...(Signatures))>,
                          Signatures...>::typed_overloads;
};

template <class Lambda> struct typed_calls<Lambda> : Lambda {
    constexpr explicit typed_calls(Lambda lambda) : Lambda(lambda) {}
};

/// Wraps callables that cannot be base classes: functions, and function objects whose class is final.
template <class Callable>
requires(!std::is_class_v<Callable> || std::is_final_v<Callable>) struct typed_calls<Callable> {
    Callable called;

    constexpr explicit typed_calls(Callable callable) : called(callable) {}

    template <class... Operands>
    requires(std::is_invocable_v<const Callable&, Operands...> &&
             !std::is_member_pointer_v<Callable>) constexpr decltype(auto)
    operator()(Operands&&... operands) const {
        return called(static_cast<Operands&&>(operands)...);
    }
};

template <class A>
concept iterable = requires(A& argument) {
    argument.begin();
    argument.end();
};

/// Whether a call of a kernel's declaration is one of the generated function: some arguments are ranges, and the lambda
/// does not take them.
template <class Calls, class... A>
concept of_arrays = (iterable<A> || ...) && !std::is_invocable_v<const Calls&, A...>;

/// The call operators of a kernel on the host whose calls compute one element or run one task, and one that says why a
/// call with arrays does not compile.
template <class Lambda, class... Signatures> struct single_calls : typed_calls<Lambda, Signatures...> {
    using typed_calls<Lambda, Signatures...>::typed_calls;
    using typed_calls<Lambda, Signatures...>::operator();
    template <class... A>
    requires of_arrays<typed_calls<Lambda, Signatures...>, A...>
    __attribute__((unavailable("arrays are for the function that is generated: a program includes the generated "
                               "header, and no spec"))) void
    operator()(A&&...) const;
};

}  // namespace foldwise::detail
