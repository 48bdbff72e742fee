// foldwise/device/complex/functions.hpp: the elementary functions of complex numbers for device code.
#pragma once

#include <foldwise/device/complex/number.hpp>

#include <cmath>
#include <limits>
#include <type_traits>

namespace std {

template <class T> __device__ inline complex<T> polar(const T& size, const T& angle = T()) {
    return complex<T>(size * std::cos(angle), size * std::sin(angle));
}

template <class T> __device__ inline complex<T> exp(const complex<T>& z) {
    using namespace foldwise::device_code::complex_numbers;
    const T x = z.real(), y = z.imag();
    if (y == 0) return complex<T>(std::exp(x), y);
    if (is_infinite(x) && !is_finite(y))
        return x < 0 ? complex<T>(0, with_sign(T{0}, y)) : complex<T>(x, numeric_limits<T>::quiet_NaN());
    // Two factors, because the power alone may overflow where the product does not.
    const T half = std::exp(x / 2), c = std::cos(y), s = std::sin(y);
    if (x < numeric_limits<T>::max_exponent / 2 && x > numeric_limits<T>::min_exponent / 2) {
        const T whole = std::exp(x);
        return complex<T>(whole * c, whole * s);
    }
    return complex<T>(half * c * half, half * s * half);
}

template <class T> __device__ inline complex<T> log(const complex<T>& z) {
    using namespace foldwise::device_code::complex_numbers;
    constexpr T log_2 = T(0.693147180559945309417);
    const T x = std::fmax(std::fabs(z.real()), std::fabs(z.imag()));
    const T y = std::fmin(std::fabs(z.real()), std::fabs(z.imag()));
    const T angle = std::arg(z);
    if (is_nan(angle)) return complex<T>(is_infinite(x) ? x : angle, angle);
    if (x > T(0.5) && x < T(1.5)) {
        // log(|z|²) / 2, where |z|² - 1 includes the rounding errors of both squares and of the sum.
        const T p = x * x, q = y * y;
        const T p_error = std::fma(x, x, -p), q_error = std::fma(y, y, -q);
        const T over = p - 1, sum = over + q;
        const T taken = sum - over;
        const T sum_error = (over - (sum - taken)) + (q - taken);
        return complex<T>(std::log1p(sum + (sum_error + p_error + q_error)) / 2, angle);
    }
    if (x > numeric_limits<T>::max() / 2 && is_finite(x))
        return complex<T>(std::log(std::hypot(x / 2, y / 2)) + log_2, angle);
    if (x < numeric_limits<T>::min() * 2 && x > 0) {
        constexpr int digits = numeric_limits<T>::digits;  // the digits that a subnormal number may lack
        return complex<T>(std::log(std::hypot(scaled(x, digits), scaled(y, digits))) - digits * log_2, angle);
    }
    return complex<T>(std::log(std::hypot(x, y)), angle);
}
template <class T> __device__ inline complex<T> log10(const complex<T>& z) {
    return std::log(z) * T(0.434294481903251827651);
}

template <class T> __device__ inline complex<T> sqrt(const complex<T>& z) {
    using namespace foldwise::device_code::complex_numbers;
    T x = z.real(), y = z.imag(), factor = 1;
    if (x == 0 && y == 0) return complex<T>(0, y);
    if (is_infinite(y)) return complex<T>(numeric_limits<T>::infinity(), y);
    if (is_infinite(x)) {
        const T other = is_nan(y) ? y : T{0};
        return x > 0 ? complex<T>(x, with_sign(other, y)) : complex<T>(other, is_nan(y) ? -x : with_sign(x, y));
    }
    // Scaled by powers of 4, so that the sum does not overflow and subnormal numbers keep their digits.
    const T size = std::fmax(std::fabs(x), std::fabs(y));
    constexpr int digits = numeric_limits<T>::digits;
    if (size > numeric_limits<T>::max() / 4) {
        x /= 4;
        y /= 4;
        factor = 2;
    } else if (size < numeric_limits<T>::min() * 4) {
        x = scaled(x, 2 * digits);
        y = scaled(y, 2 * digits);
        factor = scaled(T{1}, -digits);
    }
    const T root = std::sqrt((std::fabs(x) + std::hypot(x, y)) / 2);
    const T other = std::fabs(y) / (2 * root);
    return x < 0 ? complex<T>(other * factor, with_sign(root * factor, y))
                 : complex<T>(root * factor, with_sign(other * factor, y));
}

template <class T> __device__ inline complex<T> pow(const complex<T>& x, const complex<T>& y) {
    if (x == T{0} && !(y.real() == 0 && y.imag() == 0) && y.imag() == 0 && y.real() > 0) return complex<T>();
    return std::exp(y * std::log(x));
}
template <class T> __device__ inline complex<T> pow(const complex<T>& x, const T& y) {
    if (x == T{0} && y > 0) return complex<T>();
    if (x.imag() == 0 && x.real() > 0) return std::pow(x.real(), y);
    const complex<T> power = std::log(x);
    return std::polar(std::exp(y * power.real()), y * power.imag());
}
template <class T> __device__ inline complex<T> pow(const T& x, const complex<T>& y) {
    return x > 0 ? std::polar(std::pow(x, y.real()), y.imag() * std::log(x)) : std::pow(complex<T>(x), y);
}
template <class T, class U>
requires(!is_same_v<T, U>) __device__
    inline complex<foldwise::device_code::complex_numbers::promoted<T, U>> pow(const complex<T>& x,
                                                                               const complex<U>& y) {
    using result = complex<foldwise::device_code::complex_numbers::promoted<T, U>>;
    return std::pow(result(x), result(y));
}
template <class T, foldwise::device_code::complex_numbers::real U>
requires(!is_same_v<T, U>) __device__
    inline complex<foldwise::device_code::complex_numbers::promoted<T, U>> pow(const complex<T>& x, const U& y) {
    using type = foldwise::device_code::complex_numbers::promoted<T, U>;
    return std::pow(complex<type>(x), static_cast<type>(y));
}
template <foldwise::device_code::complex_numbers::real T, class U>
requires(!is_same_v<T, U>) __device__
    inline complex<foldwise::device_code::complex_numbers::promoted<T, U>> pow(const T& x, const complex<U>& y) {
    using type = foldwise::device_code::complex_numbers::promoted<T, U>;
    return std::pow(static_cast<type>(x), complex<type>(y));
}

template <class T> __device__ inline complex<T> sinh(const complex<T>& z) {
    using namespace foldwise::device_code::complex_numbers;
    const T x = z.real(), y = z.imag();
    if (y == 0) return complex<T>(std::sinh(x), y);
    if (x == 0) return complex<T>(is_finite(y) ? x * std::cos(y) : x, std::sin(y));
    if (is_infinite(x) && !is_finite(y)) return complex<T>(x, y - y);
    const T c = std::cos(y), s = std::sin(y);
    if (std::fabs(x) < numeric_limits<T>::max_exponent / 2) return complex<T>(std::sinh(x) * c, std::cosh(x) * s);
    const T half = std::exp(std::fabs(x) / 2);
    return complex<T>(with_sign(half, x) * c / 2 * half, half * s / 2 * half);
}
template <class T> __device__ inline complex<T> cosh(const complex<T>& z) {
    using namespace foldwise::device_code::complex_numbers;
    const T x = z.real(), y = z.imag();
    if (y == 0) return complex<T>(std::cosh(x), is_nan(x) ? y : with_sign(T{1}, x) * y);
    if (x == 0) return complex<T>(std::cos(y), is_finite(y) ? x * std::sin(y) : x);
    if (is_infinite(x) && !is_finite(y)) return complex<T>(x * x, y - y);
    const T c = std::cos(y), s = std::sin(y);
    if (std::fabs(x) < numeric_limits<T>::max_exponent / 2) return complex<T>(std::cosh(x) * c, std::sinh(x) * s);
    const T half = std::exp(std::fabs(x) / 2);
    return complex<T>(half * c / 2 * half, with_sign(half, x) * s / 2 * half);
}
/// After Kahan, "Branch cuts for complex elementary functions", as are the inverse functions below.
template <class T> __device__ inline complex<T> tanh(const complex<T>& z) {
    using namespace foldwise::device_code::complex_numbers;
    const T x = z.real(), y = z.imag();
    if (y == 0) return complex<T>(std::tanh(x), y);
    if (is_infinite(x) && !is_finite(y)) return complex<T>(with_sign(T{1}, x), with_sign(T{0}, y));
    if (std::fabs(x) > numeric_limits<T>::max_exponent / 4) {
        const T rest = 4 * std::sin(y) * std::cos(y) * std::exp(-2 * std::fabs(x));
        return complex<T>(is_nan(rest) ? rest : with_sign(T{1}, x), rest);
    }
    if (x == 0 && !is_finite(y)) return complex<T>(x, y - y);
    const T c = std::cos(y), s = std::sin(y), sh = std::sinh(x);
    const T ch = std::sqrt(1 + sh * sh), size = sh * sh + c * c;
    return complex<T>(ch * sh / size, s * c / size);
}

namespace foldwise_detail {
/// The roots a = sqrt(x + iy) and b = sqrt(u + iv), and the parts of a * b and conj(a) * b.
template <class T> struct roots {
    complex<T> a, b;
    __device__ roots(T x, T y, T u, T v) : a(std::sqrt(complex<T>(x, y))), b(std::sqrt(complex<T>(u, v))) {}
    __device__ T product_real() const { return a.real() * b.real() - a.imag() * b.imag(); }
    __device__ T conjugate_real() const { return a.real() * b.real() + a.imag() * b.imag(); }
    __device__ T conjugate_imag() const { return a.real() * b.imag() - a.imag() * b.real(); }
};
/// Returns whether z² + 1 equals z², in which case the logarithm is that of 2|z|.
template <class T> __device__ inline bool is_far(T x, T y) {
    constexpr T far = 1 / numeric_limits<T>::epsilon();
    return std::fabs(x) > far || std::fabs(y) > far;
}
/// Returns log(2|z|).
template <class T> __device__ inline T log_twice(T x, T y) {
    return std::log(complex<T>(x, y)).real() + T(0.693147180559945309417);
}
}  // namespace foldwise_detail

template <class T> __device__ inline complex<T> asin(const complex<T>& z) {
    using namespace foldwise::device_code::complex_numbers;
    const T x = z.real(), y = z.imag();
    if (is_infinite(x) || is_infinite(y)) {
        const T real = is_nan(x) || is_nan(y) ? x + y - (x + y) : std::atan2(boxed(x), std::fabs(boxed(y)));
        return complex<T>(real, with_sign(numeric_limits<T>::infinity(), y));
    }
    if (x == 0 && is_nan(y)) return z;
    if (foldwise_detail::is_far(x, y))
        return complex<T>(std::atan2(x, std::fabs(y)), with_sign(foldwise_detail::log_twice(x, y), y));
    const foldwise_detail::roots<T> roots(1 - x, -y, 1 + x, y);
    return complex<T>(std::atan2(x, roots.product_real()), with_sign(std::asinh(roots.conjugate_imag()), y));
}
template <class T> __device__ inline complex<T> acos(const complex<T>& z) {
    using namespace foldwise::device_code::complex_numbers;
    const T x = z.real(), y = z.imag();
    if (is_infinite(x) || is_infinite(y)) {
        const T real = is_nan(x) || is_nan(y) ? x + y - (x + y) : std::atan2(std::fabs(boxed(y)), boxed(x));
        return complex<T>(real, -with_sign(numeric_limits<T>::infinity(), y));
    }
    if (x == 0 && is_nan(y)) return complex<T>(T(1.57079632679489661923), y);
    if (foldwise_detail::is_far(x, y))
        return complex<T>(std::atan2(std::fabs(y), x), with_sign(foldwise_detail::log_twice(x, y), -y));
    const foldwise_detail::roots<T> roots(1 + x, y, 1 - x, -y);
    return complex<T>(2 * std::atan2(roots.b.real(), roots.a.real()),
                      with_sign(std::asinh(roots.conjugate_imag()), -y));
}
template <class T> __device__ inline complex<T> asinh(const complex<T>& z) {
    const complex<T> turned = std::asin(complex<T>(-z.imag(), z.real()));
    return complex<T>(turned.imag(), -turned.real());
}
template <class T> __device__ inline complex<T> acosh(const complex<T>& z) {
    using namespace foldwise::device_code::complex_numbers;
    const T x = z.real(), y = z.imag();
    if (is_infinite(x) || is_infinite(y)) {
        const T angle = is_nan(x) || is_nan(y) ? x + y - (x + y) : std::atan2(boxed(y), boxed(x));
        return complex<T>(numeric_limits<T>::infinity(), angle);
    }
    if (x == 0 && is_nan(y)) return complex<T>(y, T(1.57079632679489661923));
    if (foldwise_detail::is_far(x, y)) return complex<T>(foldwise_detail::log_twice(x, y), std::atan2(y, x));
    const foldwise_detail::roots<T> roots(x - 1, y, x + 1, y);
    return complex<T>(std::asinh(roots.conjugate_real()), 2 * std::atan2(roots.a.imag(), roots.b.real()));
}
template <class T> __device__ inline complex<T> atanh(const complex<T>& z) {
    using namespace foldwise::device_code::complex_numbers;
    const T x = z.real(), y = z.imag(), right = T(1.57079632679489661923);
    if (is_infinite(x) || is_infinite(y)) return complex<T>(with_sign(T{0}, x), is_nan(y) ? y : with_sign(right, y));
    if (is_nan(x) || is_nan(y)) return x == 0 ? z : complex<T>(x + y, x + y);
    if (foldwise_detail::is_far(x, y)) {
        const auto inverse = quotient(T{1}, T{0}, x, y);
        return complex<T>(with_sign(std::fabs(inverse.real), x), with_sign(right, y));
    }
    const T beside = 1 - std::fabs(x);
    // Close to 1 the squares would vanish.
    const T distance = std::hypot(beside, y);
    const T real = distance < numeric_limits<T>::epsilon()
                       ? (T(0.693147180559945309417) - std::log(distance)) / 2
                       : std::log1p(4 * std::fabs(x) / (beside * beside + y * y)) / 4;
    return complex<T>(with_sign(real, x), std::atan2(2 * y, beside * (1 + std::fabs(x)) - y * y) / 2);
}
template <class T> __device__ inline complex<T> sin(const complex<T>& z) {
    const complex<T> turned = std::sinh(complex<T>(-z.imag(), z.real()));
    return complex<T>(turned.imag(), -turned.real());
}
template <class T> __device__ inline complex<T> cos(const complex<T>& z) {
    return std::cosh(complex<T>(-z.imag(), z.real()));
}
template <class T> __device__ inline complex<T> tan(const complex<T>& z) {
    const complex<T> turned = std::tanh(complex<T>(-z.imag(), z.real()));
    return complex<T>(turned.imag(), -turned.real());
}
template <class T> __device__ inline complex<T> atan(const complex<T>& z) {
    const complex<T> turned = std::atanh(complex<T>(-z.imag(), z.real()));
    return complex<T>(turned.imag(), -turned.real());
}

}  // namespace std
