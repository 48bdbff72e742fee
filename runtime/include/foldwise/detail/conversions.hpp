// foldwise/detail/conversions.hpp: which conversions of single values keep them: by their types, for the choice of a
// signature, and by their values, for operands.
#pragma once

#include <foldwise/bfloat16.hpp>
#include <foldwise/half.hpp>

#include <concepts>
#include <limits>
#include <type_traits>

namespace foldwise::detail {

template <class T> inline constexpr bool is_16_bit_number = std::is_same_v<T, half> || std::is_same_v<T, bfloat16>;
template <class T> inline constexpr bool is_floating = std::is_floating_point_v<T> || is_16_bit_number<T>;
template <class T> inline constexpr bool is_number = std::is_arithmetic_v<T> || is_16_bit_number<T>;

/// A complex number, whichever header declares it: <complex> is not included here.
template <class T>
concept complex_like = requires(const T& z) {
    typename T::value_type;
    { z.real() } -> std::convertible_to<typename T::value_type>;
    { z.imag() } -> std::convertible_to<typename T::value_type>;
};

/// The binary digits of a number's significand, and the largest exponent of floating-point numbers.
template <class T> inline constexpr int digits_of = std::numeric_limits<T>::digits;
template <> inline constexpr int digits_of<half> = 11;
template <> inline constexpr int digits_of<bfloat16> = 8;
template <class T> inline constexpr int exponent_of = std::numeric_limits<T>::max_exponent;
template <> inline constexpr int exponent_of<half> = 16;
template <> inline constexpr int exponent_of<bfloat16> = 128;

/// Returns whether each value of type From is one of type To as well. As in NumPy, double counts as wide enough for
/// integers of 64 bits.
template <class From, class To> constexpr bool keeps_values() {
    if constexpr (std::is_same_v<From, To>) {
        return true;
    } else if constexpr (complex_like<To>) {
        if constexpr (complex_like<From>)
            return keeps_values<typename From::value_type, typename To::value_type>();
        else
            return keeps_values<From, typename To::value_type>();
    } else if constexpr (!is_number<From> || !is_number<To>) {
        return false;
    } else if constexpr (is_floating<From>) {
        return is_floating<To> && digits_of<From> <= digits_of<To> && exponent_of<From> <= exponent_of<To>;
    } else if constexpr (is_floating<To>) {
        return digits_of<From> <= digits_of<To> || std::is_same_v<To, double>;
    } else {
        return digits_of<From> <= digits_of<To> && (std::is_unsigned_v<From> || std::is_signed_v<To>);
    }
}

/// The values of a type of numbers, as messages name them.
struct number_range {
    double lowest, highest;
    bool is_integer;
};

template <class T> struct range_of_numbers {
    static constexpr number_range value = {static_cast<double>(std::numeric_limits<T>::lowest()),
                                           static_cast<double>(std::numeric_limits<T>::max()),
                                           std::numeric_limits<T>::is_integer};
};
template <> struct range_of_numbers<half> { static constexpr number_range value = {-65504, 65504, false}; };
template <> struct range_of_numbers<bfloat16> {
    static constexpr number_range value = {-3.3895313892515355e38, 3.3895313892515355e38, false};
};
template <complex_like T> struct range_of_numbers<T> : range_of_numbers<typename T::value_type> {};

/// Returns whether an integer type To has this floating-point value.
template <class To, class From> constexpr bool is_value_of(From value) {
    constexpr int bits = digits_of<To>;
    const auto number = static_cast<long double>(value);
    const long double bound =
        bits < 63 ? static_cast<long double>(1ull << bits) : static_cast<long double>(1ull << (bits - 1)) * 2;
    if (!(number < bound && number >= (std::is_signed_v<To> ? -bound : 0))) return false;
    return static_cast<long double>(static_cast<To>(number)) == number;
}

/// Returns whether a conversion to To keeps a value: integers do not lose bits or fractions, and finite numbers remain
/// finite. Rounding to a floating-point type keeps the value. Conversions between other types than numbers are the
/// types' own affair.
template <class To, class From> constexpr bool keeps_value(const From& value) {
    if constexpr (complex_like<To> && is_number<From>) {
        return keeps_value<typename To::value_type>(value);
    } else if constexpr (!is_number<To> || !is_number<From>) {
        return true;
    } else if constexpr (is_16_bit_number<From>) {
        return keeps_value<To>(static_cast<float>(value));
    } else if constexpr (is_floating<To>) {
        const auto number = static_cast<long double>(value);
        const bool is_finite = number - number == 0;
        using by_way_of = std::conditional_t<is_16_bit_number<To>, float, To>;  // 16-bit numbers convert as floats
        const auto converted =
            static_cast<long double>(static_cast<by_way_of>(static_cast<To>(static_cast<by_way_of>(value))));
        return !is_finite || converted - converted == 0;
    } else if constexpr (std::is_floating_point_v<From>) {
        return is_value_of<To>(value);
    } else {
        const auto converted = static_cast<To>(value);
        return static_cast<From>(converted) == value && (converted < To{}) == (value < From{});
    }
}

/// Throws value_error for a number that `name` is given in place of one of the allowed ones.
[[noreturn]] void refuse_value(const char* name, double given, const number_range& allowed);

/// Returns a value as a T. Throws value_error, whose message begins with the name, if a T cannot hold it.
template <class T, class From> constexpr T kept(const From& value, const char* name) {
    if constexpr (is_number<From> && (is_number<T> || complex_like<T>)&&!keeps_values<From, T>())
        if (!keeps_value<T>(value)) refuse_value(name, static_cast<double>(value), range_of_numbers<T>::value);
    return static_cast<T>(value);
}

}  // namespace foldwise::detail
