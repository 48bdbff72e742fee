// foldwise/device/complex/number.hpp: the class std::complex in device code, with its operators and literals, and
// functions such as real, abs and proj. There it replaces the host's <complex>, for reasons in device/complex.hpp, so
// names, overloads and results have to be those of the C++ standard.
#pragma once

#include <foldwise/device/complex/arithmetic.hpp>

#include <cmath>
#include <limits>

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
        const auto result = foldwise::device_code::complex_numbers::product(real_, imag_, static_cast<T>(other.real()),
                                                                            static_cast<T>(other.imag()));
        real_ = result.real;
        imag_ = result.imag;
        return *this;
    }
    template <class U> constexpr complex& operator/=(const complex<U>& other) {
        const auto result = foldwise::device_code::complex_numbers::quotient(real_, imag_, static_cast<T>(other.real()),
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

/// Defines the binary operator `op` of two complex numbers, and of a complex and a real one, by `op` with `=`.
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
    using namespace foldwise::device_code::complex_numbers;
    if (!is_infinite(z.real()) && !is_infinite(z.imag())) return z;
    return complex<T>(numeric_limits<T>::infinity(), with_sign(T{0}, z.imag()));
}

// The following overloads take a real number as a complex one whose imaginary part is zero. Integers become double.
template <foldwise::device_code::complex_numbers::real T>
constexpr foldwise::device_code::complex_numbers::promoted<T> real(T x) {
    return x;
}
template <foldwise::device_code::complex_numbers::real T>
constexpr foldwise::device_code::complex_numbers::promoted<T> imag(T) {
    return 0;
}
template <foldwise::device_code::complex_numbers::real T>
constexpr foldwise::device_code::complex_numbers::promoted<T> norm(T x) {
    const foldwise::device_code::complex_numbers::promoted<T> y = x;
    return y * y;
}
template <foldwise::device_code::complex_numbers::real T>
constexpr complex<foldwise::device_code::complex_numbers::promoted<T>> conj(T x) {
    return foldwise::device_code::complex_numbers::promoted<T>(x);
}
template <foldwise::device_code::complex_numbers::real T>
__device__ inline foldwise::device_code::complex_numbers::promoted<T> arg(T x) {
    return std::atan2(foldwise::device_code::complex_numbers::promoted<T>{0},
                      foldwise::device_code::complex_numbers::promoted<T>(x));
}
template <foldwise::device_code::complex_numbers::real T>
__device__ inline complex<foldwise::device_code::complex_numbers::promoted<T>> proj(T x) {
    return std::proj(complex<foldwise::device_code::complex_numbers::promoted<T>>(x));
}

inline namespace literals {
inline namespace complex_literals {
#pragma GCC diagnostic push
#pragma nv_diagnostic push
#pragma nv_diag_suppress 2506  // a literal suffix that is reserved for the standard library
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
