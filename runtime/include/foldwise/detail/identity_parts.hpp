// foldwise/detail/identity_parts.hpp: what says in a spec what the fold of no elements is. Programs see it as well: a
// call that is given it is a mistake with a reason of its own.
#pragma once

#include <foldwise/bfloat16.hpp>
#include <foldwise/half.hpp>

#include <limits>
#include <type_traits>

namespace foldwise {
namespace detail {

template <class T> inline constexpr bool is_16_bit_float = std::is_same_v<T, half> || std::is_same_v<T, bfloat16>;

/// Returns the identity of a maximum: minus infinity if T has it, otherwise the lowest value of T.
template <class T> constexpr T lowest_value() {
    if constexpr (is_16_bit_float<T>)
        return -std::numeric_limits<float>::infinity();
    else if constexpr (std::numeric_limits<T>::has_infinity)
        return -std::numeric_limits<T>::infinity();
    else
        return std::numeric_limits<T>::lowest();
}

/// Returns the identity of a minimum: infinity if T has it, otherwise the largest value of T.
template <class T> constexpr T highest_value() {
    if constexpr (is_16_bit_float<T>)
        return std::numeric_limits<float>::infinity();
    else if constexpr (std::numeric_limits<T>::has_infinity)
        return std::numeric_limits<T>::infinity();
    else
        return std::numeric_limits<T>::max();
}

template <class T> inline constexpr bool has_limits = std::numeric_limits<T>::is_specialized || is_16_bit_float<T>;

// The parts that can define an identity. `suits<A>` is whether the part provides one for accumulators of type A.
template <class T> struct identity_part {
    T value;
    template <class A> static constexpr bool suits = std::is_convertible_v<T, A>;
    template <class A> constexpr A as() const { return static_cast<A>(value); }
};
struct lowest_part {
    template <class A> static constexpr bool suits = has_limits<A>;
    template <class A> constexpr A as() const { return lowest_value<A>(); }
    __attribute__((unavailable("write lowest without parentheses"))) lowest_part operator()() const;
};
struct highest_part {
    template <class A> static constexpr bool suits = has_limits<A>;
    template <class A> constexpr A as() const { return highest_value<A>(); }
    __attribute__((unavailable("write highest without parentheses"))) highest_part operator()() const;
};
struct no_identity_part {
    __attribute__((unavailable("write no_identity without parentheses"))) no_identity_part operator()() const;
};

}  // namespace detail

/// The value that combine leaves unchanged; it is also the fold of no elements.
template <class T> constexpr detail::identity_part<T> identity(T value) { return {value}; }

inline constexpr detail::lowest_part lowest;            ///< The identity of a maximum, whatever the type.
inline constexpr detail::highest_part highest;          ///< The identity of a minimum, whatever the type.
inline constexpr detail::no_identity_part no_identity;  ///< Folding no elements throws empty_error.

}  // namespace foldwise
