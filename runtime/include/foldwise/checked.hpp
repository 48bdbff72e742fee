// foldwise/checked.hpp: arithmetic of checked builds. Emitted files include it behind all other headers.
//
// The generator writes `a / b` as `foldwise::checked(a) / b` where it may go wrong: b is zero, the quotient is no
// number of its type, or a shift is not within the bits that there are.
#pragma once
#pragma GCC system_header  // what the user's arithmetic converts is for him to be warned of, in his own text

#include <foldwise/detail/checks.hpp>

#include <limits>
#include <type_traits>

#ifdef FOLDWISE_LOOKS

namespace foldwise {

namespace detail {
inline namespace FOLDWISE_CHECKS_OF {

/// What the promotions of arithmetic make an integer of: numbers, enumerations, and classes that convert to one.
template <class T>
concept integer_like = requires(const T& value) {
    requires std::is_integral_v<decltype(+value)>;
};

template <class T>
concept integer_number = std::is_scalar_v<T> && integer_like<T>;

/// A number itself, so that what the right operand does to it comes too late, as without checks; else a reference.
template <class A> struct checked_operand {
    A value;
    const char* file;
    int line;
};

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

template <class A, class B> FOLDWISE_HD constexpr void look_at_shift(const checked_operand<A>& a, const B& b) {
    if constexpr (integer_like<B>) {
        constexpr int bits = 8 * static_cast<int>(sizeof(+a.value));
        const auto distance = +b;
        if (static_cast<std::uint64_t>(distance) >= bits)  // a negative one is beyond all of them
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

/// The left operand of a division or shift that assigns. What is no integer keeps its own operators.
template <class A>
FOLDWISE_HD constexpr decltype(auto) checked_target(A&& value, const char* file = __builtin_FILE(),
                                                    int line = __builtin_LINE()) {
    if constexpr (detail::integer_like<std::remove_reference_t<A>>)
        return detail::checked_operand<A&&>{static_cast<A&&>(value), file, line};
    else
        return static_cast<A&&>(value);
}

/// The same of one that does not.
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

// What the C library's assert calls, in the user's text as it was expanded.
#define __assert_fail ::foldwise::detail::assertion_failed

#endif  // FOLDWISE_LOOKS
