// foldwise/device/complex.hpp: std::complex for device code; in host code, <complex>.
//
// libstdc++'s own compiles in device code but computes nothing there: nvcc turns its __complex__ arithmetic into
// copies, without a word. This one has the same layout, members and results, and takes its place.
#pragma once

#if !defined(__CUDACC__) || defined(FOLDWISE_SIMULATOR)

#include <complex>

#else

#ifdef _GLIBCXX_COMPLEX
#error "include <foldwise/device/complex.hpp> before whatever includes <complex>"
#endif
#define _GLIBCXX_COMPLEX 1  // so that no header brings libstdc++'s as well

#include <cmath>
#include <limits>
#include <type_traits>

namespace std {

template <class T> class complex;

}  // namespace std

namespace foldwise::device::complex_numbers {

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
/// 1 for an infinity and 0 for all else, with its sign.
template <class T> constexpr T boxed(T x) { return with_sign(is_infinite(x) ? T{1} : T{0}, x); }
template <class T> constexpr T zero_if_nan(T x) { return is_nan(x) ? with_sign(T{0}, x) : x; }

template <class T> struct parts { T real, imag; };

/// (a + bi)(c + di), with the infinities of Annex G of the C standard.
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

/// The exponent of the larger of two numbers, of those that have one.
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

/// x times 2 to the power of n.
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

/// (a + bi) / (c + di), with the infinities of Annex G. Both are scaled to about 1, so that no square overflows.
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
/// The type that <complex> computes in: double for integers.
template <class... T> using promoted = decltype((std::conditional_t<std::is_integral_v<T>, double, T>{} + ...));

}  // namespace foldwise::device::complex_numbers

namespace std {

template <class T> class complex {
  public:
    using value_type = T;

    constexpr complex(const T& real = T(), const T& imag = T()) : real_(real), imag_(imag) {}
    complex(const complex&) = default;
    template <class U>
    constexpr explicit(sizeof(U) > sizeof(T)) complex(const complex<U>& other)
        : real_(static_cast<T>(other.real())), imag_(static_cast<T>(other.imag())) {}

    constexpr T real() const { return real_; }
    constexpr T imag() const { return imag_; }
    constexpr void real(T value) { real_ = value; }
    constexpr void imag(T value) { imag_ = value; }

    complex& operator=(const complex&) = default;
    constexpr complex& operator=(const T& value) {
        real_ = value;
        imag_ = T();
        return *this;
    }
    template <class U> constexpr complex& operator=(const complex<U>& other) {
        real_ = static_cast<T>(other.real());
        imag_ = static_cast<T>(other.imag());
        return *this;
    }

    constexpr complex& operator+=(const T& value) {
        real_ += value;
        return *this;
    }
    constexpr complex& operator-=(const T& value) {
        real_ -= value;
        return *this;
    }
    constexpr complex& operator*=(const T& value) {
        real_ *= value;
        imag_ *= value;
        return *this;
    }
    constexpr complex& operator/=(const T& value) {
        real_ /= value;
        imag_ /= value;
        return *this;
    }
    template <class U> constexpr complex& operator+=(const complex<U>& other) {
        real_ += static_cast<T>(other.real());
        imag_ += static_cast<T>(other.imag());
        return *this;
    }
    template <class U> constexpr complex& operator-=(const complex<U>& other) {
        real_ -= static_cast<T>(other.real());
        imag_ -= static_cast<T>(other.imag());
        return *this;
    }
    template <class U> constexpr complex& operator*=(const complex<U>& other) {
        const auto result = foldwise::device::complex_numbers::product(real_, imag_, static_cast<T>(other.real()),
                                                                       static_cast<T>(other.imag()));
        real_ = result.real;
        imag_ = result.imag;
        return *this;
    }
    template <class U> constexpr complex& operator/=(const complex<U>& other) {
        const auto result = foldwise::device::complex_numbers::quotient(real_, imag_, static_cast<T>(other.real()),
                                                                        static_cast<T>(other.imag()));
        real_ = result.real;
        imag_ = result.imag;
        return *this;
    }

  private:
    T real_, imag_;
};

template <class T> constexpr complex<T> operator+(const complex<T>& x) { return x; }
template <class T> constexpr complex<T> operator-(const complex<T>& x) { return complex<T>(-x.real(), -x.imag()); }

#define FOLDWISE_ARITHMETIC(op)                                                                                        \
    template <class T> constexpr complex<T> operator op(const complex<T>& x, const complex<T>& y) {                    \
        complex<T> result = x;                                                                                         \
        return result op## = y;                                                                                        \
    }                                                                                                                  \
    template <class T> constexpr complex<T> operator op(const complex<T>& x, const T& y) {                             \
        complex<T> result = x;                                                                                         \
        return result op## = y;                                                                                        \
    }
FOLDWISE_ARITHMETIC(+)
FOLDWISE_ARITHMETIC(-)
FOLDWISE_ARITHMETIC(*)
FOLDWISE_ARITHMETIC(/)
#undef FOLDWISE_ARITHMETIC
template <class T> constexpr complex<T> operator+(const T& x, const complex<T>& y) { return y + x; }
template <class T> constexpr complex<T> operator-(const T& x, const complex<T>& y) {
    return complex<T>(x - y.real(), -y.imag());
}
template <class T> constexpr complex<T> operator*(const T& x, const complex<T>& y) { return y * x; }
template <class T> constexpr complex<T> operator/(const T& x, const complex<T>& y) { return complex<T>(x) / y; }

template <class T> constexpr bool operator==(const complex<T>& x, const complex<T>& y) {
    return x.real() == y.real() && x.imag() == y.imag();
}
template <class T> constexpr bool operator==(const complex<T>& x, const T& y) {
    return x.real() == y && x.imag() == T();
}

template <class T> constexpr T real(const complex<T>& z) { return z.real(); }
template <class T> constexpr T imag(const complex<T>& z) { return z.imag(); }
template <class T> constexpr complex<T> conj(const complex<T>& z) { return complex<T>(z.real(), -z.imag()); }
template <class T> constexpr T norm(const complex<T>& z) { return z.real() * z.real() + z.imag() * z.imag(); }
template <class T> __device__ inline T abs(const complex<T>& z) { return std::hypot(z.real(), z.imag()); }
template <class T> __device__ inline T arg(const complex<T>& z) { return std::atan2(z.imag(), z.real()); }
template <class T> __device__ inline complex<T> proj(const complex<T>& z) {
    using namespace foldwise::device::complex_numbers;
    if (!is_infinite(z.real()) && !is_infinite(z.imag())) return z;
    return complex<T>(numeric_limits<T>::infinity(), with_sign(T{0}, z.imag()));
}

template <foldwise::device::complex_numbers::real T>
constexpr foldwise::device::complex_numbers::promoted<T> real(T x) {
    return x;
}
template <foldwise::device::complex_numbers::real T> constexpr foldwise::device::complex_numbers::promoted<T> imag(T) {
    return 0;
}
template <foldwise::device::complex_numbers::real T>
constexpr foldwise::device::complex_numbers::promoted<T> norm(T x) {
    const foldwise::device::complex_numbers::promoted<T> y = x;
    return y * y;
}
template <foldwise::device::complex_numbers::real T>
constexpr complex<foldwise::device::complex_numbers::promoted<T>> conj(T x) {
    return foldwise::device::complex_numbers::promoted<T>(x);
}
template <foldwise::device::complex_numbers::real T>
__device__ inline foldwise::device::complex_numbers::promoted<T> arg(T x) {
    return std::atan2(foldwise::device::complex_numbers::promoted<T>{0},
                      foldwise::device::complex_numbers::promoted<T>(x));
}
template <foldwise::device::complex_numbers::real T>
__device__ inline complex<foldwise::device::complex_numbers::promoted<T>> proj(T x) {
    return std::proj(complex<foldwise::device::complex_numbers::promoted<T>>(x));
}

template <class T> __device__ inline complex<T> polar(const T& size, const T& angle = T()) {
    return complex<T>(size * std::cos(angle), size * std::sin(angle));
}

template <class T> __device__ inline complex<T> exp(const complex<T>& z) {
    using namespace foldwise::device::complex_numbers;
    const T x = z.real(), y = z.imag();
    if (y == 0) return complex<T>(std::exp(x), y);
    if (is_infinite(x) && !is_finite(y))
        return x < 0 ? complex<T>(0, with_sign(T{0}, y)) : complex<T>(x, numeric_limits<T>::quiet_NaN());
    // In two factors, because the power alone may overflow where the product does not.
    const T half = std::exp(x / 2), c = std::cos(y), s = std::sin(y);
    if (x < numeric_limits<T>::max_exponent / 2 && x > numeric_limits<T>::min_exponent / 2) {
        const T whole = std::exp(x);
        return complex<T>(whole * c, whole * s);
    }
    return complex<T>(half * c * half, half * s * half);
}

template <class T> __device__ inline complex<T> log(const complex<T>& z) {
    using namespace foldwise::device::complex_numbers;
    constexpr T log_2 = T(0.693147180559945309417);
    const T x = std::fmax(std::fabs(z.real()), std::fabs(z.imag()));
    const T y = std::fmin(std::fabs(z.real()), std::fabs(z.imag()));
    const T angle = std::arg(z);
    if (is_nan(angle)) return complex<T>(is_infinite(x) ? x : angle, angle);
    if (x > T(0.5) && x < T(1.5)) {
        // log(|z|²) / 2, where |z|² - 1 is computed with the rounding errors of both squares and of the sum.
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
        constexpr int digits = numeric_limits<T>::digits;  // what a subnormal number lacks
        return complex<T>(std::log(std::hypot(scaled(x, digits), scaled(y, digits))) - digits * log_2, angle);
    }
    return complex<T>(std::log(std::hypot(x, y)), angle);
}
template <class T> __device__ inline complex<T> log10(const complex<T>& z) {
    return std::log(z) * T(0.434294481903251827651);
}

template <class T> __device__ inline complex<T> sqrt(const complex<T>& z) {
    using namespace foldwise::device::complex_numbers;
    T x = z.real(), y = z.imag(), factor = 1;
    if (x == 0 && y == 0) return complex<T>(0, y);
    if (is_infinite(y)) return complex<T>(numeric_limits<T>::infinity(), y);
    if (is_infinite(x)) {
        const T other = is_nan(y) ? y : T{0};
        return x > 0 ? complex<T>(x, with_sign(other, y)) : complex<T>(other, is_nan(y) ? -x : with_sign(x, y));
    }
    // Powers of 4, so that neither the sum overflows nor a subnormal number's digits are lost.
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
    inline complex<foldwise::device::complex_numbers::promoted<T, U>> pow(const complex<T>& x, const complex<U>& y) {
    using result = complex<foldwise::device::complex_numbers::promoted<T, U>>;
    return std::pow(result(x), result(y));
}
template <class T, foldwise::device::complex_numbers::real U>
requires(!is_same_v<T, U>) __device__
    inline complex<foldwise::device::complex_numbers::promoted<T, U>> pow(const complex<T>& x, const U& y) {
    using type = foldwise::device::complex_numbers::promoted<T, U>;
    return std::pow(complex<type>(x), static_cast<type>(y));
}
template <foldwise::device::complex_numbers::real T, class U>
requires(!is_same_v<T, U>) __device__
    inline complex<foldwise::device::complex_numbers::promoted<T, U>> pow(const T& x, const complex<U>& y) {
    using type = foldwise::device::complex_numbers::promoted<T, U>;
    return std::pow(static_cast<type>(x), complex<type>(y));
}

template <class T> __device__ inline complex<T> sinh(const complex<T>& z) {
    using namespace foldwise::device::complex_numbers;
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
    using namespace foldwise::device::complex_numbers;
    const T x = z.real(), y = z.imag();
    if (y == 0) return complex<T>(std::cosh(x), is_nan(x) ? y : with_sign(T{1}, x) * y);
    if (x == 0) return complex<T>(std::cos(y), is_finite(y) ? x * std::sin(y) : x);
    if (is_infinite(x) && !is_finite(y)) return complex<T>(x * x, y - y);
    const T c = std::cos(y), s = std::sin(y);
    if (std::fabs(x) < numeric_limits<T>::max_exponent / 2) return complex<T>(std::cosh(x) * c, std::sinh(x) * s);
    const T half = std::exp(std::fabs(x) / 2);
    return complex<T>(half * c / 2 * half, with_sign(half, x) * s / 2 * half);
}
/// Kahan's, "Branch cuts for complex elementary functions", as are the inverse functions below.
template <class T> __device__ inline complex<T> tanh(const complex<T>& z) {
    using namespace foldwise::device::complex_numbers;
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
/// sqrt(x + iy) times sqrt(u + iv), and the first one's conjugate times the second.
template <class T> struct roots {
    complex<T> a, b;
    __device__ roots(T x, T y, T u, T v) : a(std::sqrt(complex<T>(x, y))), b(std::sqrt(complex<T>(u, v))) {}
    __device__ T product_real() const { return a.real() * b.real() - a.imag() * b.imag(); }
    __device__ T conjugate_real() const { return a.real() * b.real() + a.imag() * b.imag(); }
    __device__ T conjugate_imag() const { return a.real() * b.imag() - a.imag() * b.real(); }
};
/// Where z² + 1 is z²: the logarithm of 2|z|.
template <class T> __device__ inline bool is_far(T x, T y) {
    constexpr T far = 1 / numeric_limits<T>::epsilon();
    return std::fabs(x) > far || std::fabs(y) > far;
}
template <class T> __device__ inline T log_twice(T x, T y) {
    return std::log(complex<T>(x, y)).real() + T(0.693147180559945309417);
}
}  // namespace foldwise_detail

template <class T> __device__ inline complex<T> asin(const complex<T>& z) {
    using namespace foldwise::device::complex_numbers;
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
    using namespace foldwise::device::complex_numbers;
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
    using namespace foldwise::device::complex_numbers;
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
    using namespace foldwise::device::complex_numbers;
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

inline namespace literals {
inline namespace complex_literals {
#pragma GCC diagnostic push
#pragma nv_diagnostic push
#pragma nv_diag_suppress 2506  // a suffix that is the standard library's own
#pragma GCC diagnostic ignored "-Wliteral-suffix"
constexpr complex<float> operator""if(long double x) { return complex<float>(0, static_cast<float>(x)); }
constexpr complex<float> operator""if(unsigned long long x) { return complex<float>(0, static_cast<float>(x)); }
constexpr complex<double> operator""i(long double x) { return complex<double>(0, static_cast<double>(x)); }
constexpr complex<double> operator""i(unsigned long long x) { return complex<double>(0, static_cast<double>(x)); }
#pragma nv_diagnostic pop
#pragma GCC diagnostic pop
}  // namespace complex_literals
}  // namespace literals

}  // namespace std

#endif
