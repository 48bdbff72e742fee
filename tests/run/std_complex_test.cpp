// tests/run/std_complex_test.cpp: <complex> in kernels. On cpu and simulator the results are the host's own bits; on a
// GPU they are compared with a wider type, by the distance in the plane.
#include "std_complex.kernels.hpp"
#include "std_values.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <cstdio>

namespace {

using namespace std::complex_literals;
using std_values::on_gpu;

template <class T> using wider = std::conditional_t<sizeof(T) == 4, double, long double>;

template <class T> std::complex<wider<T>> widened(T a, T b) { return {a, b}; }

/// Numbers of ordinary size; off the GPU also all pairs of the numbers at which functions go wrong.
template <class T> void plane(std::vector<T>& a, std::vector<T>& b) {
    std::vector<T> edges = std_values::edges<T>();
    if (on_gpu())
        edges = {0, T(1e-5), T(0.3), T(0.5), 1 - std::numeric_limits<T>::epsilon(), 1, -1, -2, 3, T(10.5), -20};
    for (const T x : edges)
        for (const T y : edges) {
            a.push_back(x);
            b.push_back(y);
        }
    std::mt19937 rng(5);
    std::uniform_real_distribution<double> near(-4, 4);
    for (int i = 0; i < 500; ++i) {
        a.push_back(static_cast<T>(near(rng)));
        b.push_back(static_cast<T>(near(rng)));
    }
}

/// `size` is what errors are measured by, besides the result itself.
template <class T>
void compare(const char* name, T real, T imag, std::complex<T> same, std::complex<wider<T>> exact, double size,
             double bound, double& worst) {
    if (!on_gpu()) {
        ASSERT_TRUE(std_values::identical(real, same.real()) && std_values::identical(imag, same.imag()))
            << name << ": got " << real << ' ' << imag << ", want " << same;
        return;
    }
    const double length = std::max(static_cast<double>(std::abs(exact)), size);
    if (!std::isfinite(length) || length > std::numeric_limits<T>::max() / 4 ||
        length < std::numeric_limits<T>::min() * 4)
        return;
    const double off = static_cast<double>(std::abs(std::complex<wider<T>>(real, imag) - exact));
    const double error = off / length / static_cast<double>(std::numeric_limits<T>::epsilon());
    EXPECT_LE(error, std::max(bound, worst)) << name << ": got " << real << ' ' << imag << ", want " << exact;
    worst = std::max(worst, error);
}

template <class T> void show(const char* name, double worst, double bound) {
    if (on_gpu()) std::printf("%-14s %-6s %.2f of %g\n", name, sizeof(T) == 4 ? "float" : "double", worst, bound);
}

template <class T, class Kernel, class Function>
void unary(const char* name, Kernel kernel, double bound, Function function) {
    std::vector<T> a, b;
    plane(a, b);
    const std::vector<T> real = kernel(a, b, false), imag = kernel(a, b, true);
    double worst = 0;
    for (std::size_t i = 0; i < a.size() && !testing::Test::HasFatalFailure(); ++i) {
        SCOPED_TRACE(testing::Message() << "of " << a[i] << ' ' << b[i]);
        compare<T>(name, real[i], imag[i], function(std::complex<T>(a[i], b[i])), function(widened(a[i], b[i])), 0,
                   bound, worst);
    }
    show<T>(name, worst, bound);
}

/// `size(x, y)` as above.
template <class T, class Kernel, class Function, class Size>
void binary(const char* name, Kernel kernel, double bound, Function function, Size size) {
    std::vector<T> a, b, c, d;
    plane(a, b);
    c.assign(a.rbegin(), a.rend());
    d.assign(b.rbegin(), b.rend());
    for (std::size_t i = 0; i < a.size(); ++i) {  // again, beside other partners
        const std::size_t k = i * 7919 % a.size();
        c.push_back(c[k]);
        d.push_back(d[k]);
    }
    a.insert(a.end(), a.begin(), a.begin() + static_cast<std::ptrdiff_t>(c.size() - a.size()));
    b.insert(b.end(), b.begin(), b.begin() + static_cast<std::ptrdiff_t>(d.size() - b.size()));
    const std::vector<T> real = kernel(a, b, c, d, false), imag = kernel(a, b, c, d, true);
    double worst = 0;
    for (std::size_t i = 0; i < a.size() && !testing::Test::HasFatalFailure(); ++i) {
        SCOPED_TRACE(testing::Message() << "of " << a[i] << ' ' << b[i] << " and " << c[i] << ' ' << d[i]);
        const auto x = widened(a[i], b[i]), y = widened(c[i], d[i]);
        compare<T>(name, real[i], imag[i], function(std::complex<T>(a[i], b[i]), std::complex<T>(c[i], d[i])),
                   function(x, y), static_cast<double>(size(x, y)), bound, worst);
    }
    show<T>(name, worst, bound);
}

#define UNARY(name, bound)                                                                                             \
    TEST(unary, name) {                                                                                                \
        const auto kernel = [](const auto&... x) { return std_complex::name(x...).to_host(); };                        \
        const auto function = [](const auto& z) -> std::decay_t<decltype(z)> { return std::name(z); };                 \
        unary<float>(#name, kernel, bound, function);                                                                  \
        unary<double>(#name, kernel, bound, function);                                                                 \
    }
UNARY(acos, 6)
UNARY(acosh, 6)
UNARY(asin, 6)
UNARY(asinh, 6)
UNARY(atan, 6)
UNARY(atanh, 6)
UNARY(conj, 0)
UNARY(cos, 6)
UNARY(cosh, 6)
UNARY(exp, 6)
UNARY(log, 6)
UNARY(log10, 6)
UNARY(proj, 0)
UNARY(sin, 6)
UNARY(sinh, 6)
UNARY(sqrt, 4)
UNARY(tan, 8)
UNARY(tanh, 8)

#define BINARY(name, bound, expression, size)                                                                          \
    TEST(binary, name) {                                                                                               \
        const auto kernel = [](const auto&... x) { return std_complex::name(x...).to_host(); };                        \
        const auto function = [](const auto& x, const auto& y) -> std::decay_t<decltype(x)> { return expression; };    \
        const auto measure = [](const auto& x, const auto& y) {                                                        \
            static_cast<void>(x), static_cast<void>(y);                                                                \
            return size;                                                                                               \
        };                                                                                                             \
        binary<float>(#name, kernel, bound, function, measure);                                                        \
        binary<double>(#name, kernel, bound, function, measure);                                                       \
    }
BINARY(add, 1, x + y, 0)
BINARY(subtract, 1, x - y, 0)
BINARY(multiply, 3, x* y, 0)
BINARY(divide, 6, x / y, 0)
BINARY(add_real, 1, x + y.real(), 0)
BINARY(real_add, 1, x.real() + y, 0)
BINARY(subtract_real, 1, x - y.real(), 0)
BINARY(real_subtract, 1, x.real() - y, 0)
BINARY(multiply_real, 1, x* y.real(), 0)
BINARY(real_multiply, 1, x.real() * y, 0)
BINARY(divide_real, 1, x / y.real(), 0)
BINARY(real_divide, 6, x.real() / y, 0)
BINARY(equal, 0, (std::decay_t<decltype(x)>(x == y ? x.real() : y.real(), x != y.real() ? x.real() : y.real())), 0)
BINARY(abs_arg, 4, (std::decay_t<decltype(x)>(std::abs(x), std::arg(y))), 0)
BINARY(norm_polar, 4, (std::decay_t<decltype(x)>(std::norm(x), std::polar(std::abs(y.real()), y.imag()).real())), 0)
// An error of the exponent is one of the result, as many times as large as the exponent.
BINARY(pow, 8, std::pow(x, y), std::abs(std::pow(x, y)) * (1 + std::abs(y * std::log(x))))
BINARY(pow_real, 8, std::pow(x, y.real()), std::abs(std::pow(x, y.real())) * (1 + std::abs(y.real() * std::log(x))))
BINARY(real_pow, 8, std::pow(x.real(), y),
       std::abs(std::pow(x.real(), y)) * (1 + std::abs(y * std::log(std::decay_t<decltype(x)>(x.real())))))

template <class T> void members_of() {
    const std::vector<T> a = {0, T(1.5), -3, T(0.25)}, b = {1, -2, T(0.5), T(0.125)};
    const std::vector<T> real = std_complex::members(a, b, false).to_host(),
                         imag = std_complex::members(a, b, true).to_host();
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::complex<T> z = a[i];
        z.imag(b[i]);
        z += 2;
        z *= std::complex<T>(0, 1);
        z -= z / T(4);
        z = -z;
        z /= std::complex<T>(2, 2);
        z = z + std::conj(z) + a[i];
        EXPECT_NEAR(real[i], z.real(), 4 * std::numeric_limits<T>::epsilon() * (1 + std::abs(z)));
        EXPECT_EQ(imag[i], 0);
    }
}
TEST(members, OfBothTypes) {
    members_of<float>();
    members_of<double>();
}

TEST(literals, AndConstants) {
    const std::vector<double> a = {1, 2}, b = {3, -4};
    EXPECT_EQ(std_complex::literals(a, b, false).to_host(), a);
    EXPECT_EQ(std_complex::literals(a, b, true).to_host(), (std::vector<double>{5, -2}));
    const std::vector<float> c = {1, 2}, d = {3, -4};
    EXPECT_EQ(std_complex::float_literals(c, d, true).to_host(), d);
    EXPECT_EQ(std_complex::constant(c, d, false).to_host(), (std::vector<float>{-3, 4}));
    EXPECT_EQ(std_complex::constant(c, d, true).to_host(), c);
}

// Annex G of the C standard: what is infinite stays so, though a part of it be NaN.
template <class T> void infinities() {
    const T inf = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
    const std::vector<T> a = {inf, nan, inf, -inf}, b = {nan, inf, inf, 1}, c = {1, 2, -1, 0}, d = {1, -1, 0, 2};
    const auto is_infinite = [&](const std::vector<T>& real, const std::vector<T>& imag) {
        for (std::size_t i = 0; i < a.size(); ++i) EXPECT_TRUE(std::isinf(real[i]) || std::isinf(imag[i])) << i;
    };
    is_infinite(std_complex::multiply(a, b, c, d, false).to_host(), std_complex::multiply(a, b, c, d, true).to_host());
    is_infinite(std_complex::multiply(c, d, a, b, false).to_host(), std_complex::multiply(c, d, a, b, true).to_host());
    is_infinite(std_complex::divide(a, b, c, d, false).to_host(), std_complex::divide(a, b, c, d, true).to_host());
    const std::vector<T> quotient = std_complex::divide(c, d, a, b, false).to_host();
    for (const T x : quotient) EXPECT_EQ(x, 0);
}
TEST(special, InfinitiesOfProductsAndQuotients) {
    infinities<float>();
    infinities<double>();
}

}  // namespace
