// foldwise/checked.hpp: checked integer arithmetic. Emitted files of checked builds include it after all other headers.
//
// The generator writes `a / b` as `foldwise::checked(a) / b` where the operation can be undefined: the divisor is zero,
// the quotient does not fit its type, or a shift distance is out of range.
#pragma once
#pragma GCC system_header  // conversion warnings about the user's arithmetic belong to the user's own source

#include <foldwise/detail/cxx20.hpp>
#if __cplusplus >= 202002L

#include <foldwise/detail/checks.hpp>

#include <limits>
#include <type_traits>

#ifdef FOLDWISE_LOOKS

namespace foldwise {

namespace detail {
inline namespace FOLDWISE_CHECKS_OF {

/// A type that promotes to an integer in arithmetic: a number, an enumeration, or a class that converts to one.
template <class T>
concept integer_like = requires(const T& value) {
    requires std::is_integral_v<decltype(+value)>;
};

template <class T>
concept integer_number = std::is_scalar_v<T> && integer_like<T>;

/// The left operand of a checked operator. `value` is a copy for a number, so that side effects of the right operand do
/// not change it, as in unchecked code; otherwise it is a reference.
template <class A> struct checked_operand {
    A value;
    const char* file;
    int line;
};

/// Reports a division by zero, and a quotient that overflows.
template <class A, class B> FOLDWISE_HD constexpr void look_at_division(const checked_operand<A>& a, const B& b) {
    if constexpr (integer_like<B>) {
        using common = std::common_type_t<decltype(+a.value), decltype(+b)>;
        const auto dividend = static_cast<common>(a.value), divisor = static_cast<common>(b);
        const auto stop_with = [&](mistake kind) { stop(finding::of_number(kind, a.file, a.line, dividend)); };
        if (divisor == 0) stop_with(mistake::division);
        if constexpr (std::is_signed_v<common>) {
            if (divisor == -1 && dividend == std::numeric_limits<common>::min()) stop_with(mistake::overflow);
        }
    }
}

/// Reports a negative shift distance, and one of at least as many bits as the left operand has.
template <class A, class B> FOLDWISE_HD constexpr void look_at_shift(const checked_operand<A>& a, const B& b) {
    if constexpr (integer_like<B>) {
        constexpr int bits = 8 * static_cast<int>(sizeof(+a.value));
        const auto distance = +b;
        if (static_cast<std::uint64_t>(distance) >= bits)  // a negative distance is larger than any valid one
            stop(finding::of_number(mistake::shift, a.file, a.line, distance, bits));
    }
}

#define FOLDWISE_CHECKED_OPERATOR(sign, look)                                                                          \
    template <class A, class B>                                                                                        \
    FOLDWISE_HD constexpr decltype(auto) operator sign(const checked_operand<A>& a, const B& b) {                      \
        look(a, b);                                                                                                    \
        return a.value sign b;                                                                                         \
    }
FOLDWISE_CHECKED_OPERATOR(/, look_at_division)
FOLDWISE_CHECKED_OPERATOR(%, look_at_division)
FOLDWISE_CHECKED_OPERATOR(/=, look_at_division)
FOLDWISE_CHECKED_OPERATOR(%=, look_at_division)
FOLDWISE_CHECKED_OPERATOR(<<, look_at_shift)
FOLDWISE_CHECKED_OPERATOR(>>, look_at_shift)
FOLDWISE_CHECKED_OPERATOR(<<=, look_at_shift)
FOLDWISE_CHECKED_OPERATOR(>>=, look_at_shift)
#undef FOLDWISE_CHECKED_OPERATOR

[[noreturn]] FOLDWISE_HD inline void assertion_failed(const char* text, const char* file, unsigned int line,
                                                      const char*) {
    stop(finding::of_text(mistake::assertion, file, static_cast<int>(line), text));
}

}  // namespace FOLDWISE_CHECKS_OF
}  // namespace detail

inline namespace FOLDWISE_CHECKS_OF {

/// Wraps the left operand of a compound assignment that divides or shifts. Operands that are not integers are returned
/// unchanged and keep their own operators.
template <class A>
FOLDWISE_HD constexpr decltype(auto) checked_target(A&& value, const char* file = __builtin_FILE(),
                                                    int line = __builtin_LINE()) {
    if constexpr (detail::integer_like<std::remove_reference_t<A>>)
        return detail::checked_operand<A&&>{static_cast<A&&>(value), file, line};
    else
        return static_cast<A&&>(value);
}

/// Wraps the left operand of a division or shift that does not assign. Operands that are not integers are returned
/// unchanged and keep their own operators.
template <detail::integer_number A>
FOLDWISE_HD constexpr detail::checked_operand<A> checked(A value, const char* file = __builtin_FILE(),
                                                         int line = __builtin_LINE()) {
    return {value, file, line};
}
template <class A>
requires(!detail::integer_number<std::remove_cvref_t<A>>) FOLDWISE_HD constexpr decltype(auto)
    checked(A&& value, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return checked_target(static_cast<A&&>(value), file, line);
}

}  // namespace FOLDWISE_CHECKS_OF
}  // namespace foldwise

// The C library's assert macro, already expanded in the copied user code, calls __assert_fail.
#define __assert_fail ::foldwise::detail::assertion_failed

#endif  // FOLDWISE_LOOKS

#endif  // C++20
