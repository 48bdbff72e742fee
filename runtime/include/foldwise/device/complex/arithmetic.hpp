// foldwise/device/complex/arithmetic.hpp: products and quotients of complex numbers, with the infinities of Annex G of
// the C standard.
#pragma once

#include <limits>
#include <type_traits>

namespace foldwise::device_code::complex_numbers {

template <class T> constexpr bool is_nan(T x) { return x != x; }
template <class T> constexpr bool is_infinite(T x) {
    return x > std::numeric_limits<T>::max() || x < std::numeric_limits<T>::lowest();
}
template <class T> constexpr bool is_finite(T x) { return x - x == 0; }
template <class T> constexpr T with_sign(T size, T sign) {
    if constexpr (std::is_same_v<T, float>)
        return __builtin_copysignf(size, sign);
    else
        return __builtin_copysign(size, sign);
}
/// Returns 1 for an infinity and 0 for anything else, with the sign of x.
template <class T> constexpr T boxed(T x) { return with_sign(is_infinite(x) ? T{1} : T{0}, x); }
template <class T> constexpr T zero_if_nan(T x) { return is_nan(x) ? with_sign(T{0}, x) : x; }

template <class T> struct parts { T real, imag; };

/// Returns (a + bi)(c + di), with the infinities of Annex G of the C standard.
template <class T> constexpr parts<T> product(T a, T b, T c, T d) {
    constexpr T infinity = std::numeric_limits<T>::infinity();
    const T ac = a * c, bd = b * d, ad = a * d, bc = b * c;
    const T x = a * c - bd, y = a * d + bc;
    if (!(is_nan(x) && is_nan(y))) return {x, y};
    bool recalculate = false;
    if (is_infinite(a) || is_infinite(b)) {
        a = boxed(a);
        b = boxed(b);
        c = zero_if_nan(c);
        d = zero_if_nan(d);
        recalculate = true;
    }
    if (is_infinite(c) || is_infinite(d)) {
        c = boxed(c);
        d = boxed(d);
        a = zero_if_nan(a);
        b = zero_if_nan(b);
        recalculate = true;
    }
    if (!recalculate && (is_infinite(ac) || is_infinite(bd) || is_infinite(ad) || is_infinite(bc))) {
        a = zero_if_nan(a);
        b = zero_if_nan(b);
        c = zero_if_nan(c);
        d = zero_if_nan(d);
        recalculate = true;
    }
    if (!recalculate) return {x, y};
    return {infinity * (a * c - b * d), infinity * (a * d + b * c)};
}

/// Returns the exponent of the larger of two numbers; infinities and NaNs count as zero.
template <class T> constexpr int exponent(T x, T y) {
    x = is_finite(x) ? (x < 0 ? -x : x) : T{0};
    y = is_finite(y) ? (y < 0 ? -y : y) : T{0};
    T size = x < y ? y : x;
    if (size == 0) return 0;
    if (!__builtin_is_constant_evaluated()) {
        if constexpr (std::is_same_v<T, float>)
            return __builtin_ilogbf(size);
        else
            return __builtin_ilogb(size);
    }
    int n = 0;
    for (; size >= 2; size /= 2) ++n;
    for (; size < 1; size *= 2) --n;
    return n;
}

/// Returns x times 2^n.
template <class T> constexpr T scaled(T x, int n) {
    if (__builtin_is_constant_evaluated()) {
        for (; n > 0; --n) x *= 2;
        for (; n < 0; ++n) x /= 2;
        return x;
    }
    if constexpr (std::is_same_v<T, float>)
        return __builtin_scalbnf(x, n);
    else
        return __builtin_scalbn(x, n);
}

/// Returns (a + bi) / (c + di), with the infinities of Annex G. Both are scaled to about 1, so that no square
/// overflows.
template <class T> constexpr parts<T> quotient(T a, T b, T c, T d) {
    constexpr T infinity = std::numeric_limits<T>::infinity();
    const int above = exponent(a, b), below = exponent(c, d);
    const T p = scaled(a, -above), q = scaled(b, -above), r = scaled(c, -below), s = scaled(d, -below);
    const T size = r * r + s * s;
    const T x = scaled((p * r + q * s) / size, above - below), y = scaled((q * r - p * s) / size, above - below);
    if (!(is_nan(x) && is_nan(y))) return {x, y};
    if (size == 0 && (!is_nan(a) || !is_nan(b))) return {with_sign(infinity, c) * a, with_sign(infinity, c) * b};
    if ((is_infinite(a) || is_infinite(b)) && is_finite(c) && is_finite(d)) {
        a = boxed(a);
        b = boxed(b);
        return {infinity * (a * c + b * d), infinity * (b * c - a * d)};
    }
    if ((is_infinite(c) || is_infinite(d)) && is_finite(a) && is_finite(b)) {
        c = boxed(c);
        d = boxed(d);
        return {T{0} * (a * c + b * d), T{0} * (b * c - a * d)};
    }
    return {x, y};
}

template <class T>
concept real = std::is_arithmetic_v<T>;
/// The type in which <complex> computes: double for integers.
template <class... T> using promoted = decltype((std::conditional_t<std::is_integral_v<T>, double, T>{} + ...));

}  // namespace foldwise::device_code::complex_numbers
