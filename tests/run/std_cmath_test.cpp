// tests/run/std_cmath_test.cpp: <cmath> in kernels. On cpu and simulator the results are the host's own bits; on a GPU
// they are within the errors that NVIDIA states, measured against a wider type.
#include "std_cmath.kernels.hpp"
#include "std_values.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <iomanip>
#include <sstream>
#include <string>

namespace {

using std_values::many;
using std_values::on_gpu;

/// A type with digits to spare.
template <class T> using wider = std::conditional_t<sizeof(T) == 4, double, long double>;

template <class... T> std::string described(T... numbers) {
    std::ostringstream text;
    text << std::setprecision(17);
    ((text << ' ' << numbers), ...);
    return text.str();
}

/// Compares results with those of `exact`, a generic function, and prints the largest error if there is a GPU.
/// `bound`, in units in the last place, is from "Mathematical Functions" in the CUDA C++ Programming Guide; one more
/// is for the rounding of the reference.
template <class T, class Exact, class... In>
void compare(const char* name, const std::vector<T>& got, double bound, Exact exact, const std::vector<In>&... in) {
    double worst = 0;
    std::string where;
    for (std::size_t i = 0; i < got.size(); ++i) {
        if (!on_gpu()) {
            ASSERT_TRUE(std_values::identical(got[i], static_cast<T>(exact(in[i]...))))
                << name << described(in[i]...) << ": got " << got[i] << ", want " << exact(in[i]...);
            continue;
        }
        const T want = static_cast<T>(exact(static_cast<wider<In>>(in[i])...));
        const double error = std_values::distance(got[i], want);
        if (error <= worst) continue;
        worst = error;
        where = described(in[i]...) + ": got" + described(got[i]) + ", want" + described(want);
    }
    if (on_gpu()) std::printf("%-12s %-6s %g of %g + 1\n", name, sizeof(T) == 4 ? "float" : "double", worst, bound);
    EXPECT_LE(worst, bound + 1) << name << where;
}

template <class T, class Kernel, class Exact>
void unary(const char* name, Kernel kernel, double bound, Exact exact, bool (*is_stated)(double) = nullptr) {
    std::vector<T> x = many<T>();
    if (is_stated) std::erase_if(x, [&](T value) { return !is_stated(static_cast<double>(value)); });
    compare(name, kernel(x), bound, exact, x);
}

/// All pairs of edges, and pairs of others.
template <class T> void pairs(std::vector<T>& x, std::vector<T>& y) {
    for (const T a : std_values::edges<T>())
        for (const T b : std_values::edges<T>()) {
            x.push_back(a);
            y.push_back(b);
        }
    const std::vector<T> a = many<T>(2), b = many<T>(3);
    x.insert(x.end(), a.begin(), a.end());
    y.insert(y.end(), b.rbegin(), b.rend());
}

template <class T, class Kernel, class Exact> void binary(const char* name, Kernel kernel, double bound, Exact exact) {
    std::vector<T> x, y;
    pairs(x, y);
    compare(name, kernel(x, y), bound, exact, x, y);
}

#define RUN(shape, name, float_bound, double_bound)                                                                    \
    TEST(shape, name) {                                                                                                \
        const auto kernel = [](const auto&... x) { return std_cmath::name(x...).to_host(); };                          \
        const auto exact = [](auto... x) { return std::name(x...); };                                                  \
        shape<float>(#name, kernel, float_bound, exact);                                                               \
        shape<double>(#name, kernel, double_bound, exact);                                                             \
    }

RUN(unary, acos, 2, 2)
RUN(unary, acosh, 4, 3)
RUN(unary, asin, 2, 2)
RUN(unary, asinh, 3, 3)
RUN(unary, atan, 2, 2)
RUN(unary, atanh, 3, 2)
RUN(unary, cbrt, 1, 1)
RUN(unary, ceil, 0, 0)
RUN(unary, cos, 2, 2)
RUN(unary, cosh, 2, 1)
RUN(unary, erf, 2, 2)
RUN(unary, erfc, 4, 5)
RUN(unary, exp, 2, 1)
RUN(unary, exp2, 2, 1)
RUN(unary, expm1, 1, 1)
RUN(unary, abs, 0, 0)
RUN(unary, fabs, 0, 0)
RUN(unary, floor, 0, 0)
RUN(unary, log, 1, 1)
RUN(unary, log10, 2, 1)
RUN(unary, log1p, 1, 1)
RUN(unary, log2, 1, 1)
RUN(unary, logb, 0, 0)
RUN(unary, nearbyint, 0, 0)
RUN(unary, rint, 0, 0)
RUN(unary, round, 0, 0)
RUN(unary, sin, 2, 2)
RUN(unary, sinh, 3, 2)
RUN(unary, sqrt, 0, 0)
RUN(unary, tan, 4, 2)
RUN(unary, tanh, 2, 1)
RUN(unary, tgamma, 5, 10)
RUN(unary, trunc, 0, 0)

RUN(binary, atan2, 3, 2)
RUN(binary, copysign, 0, 0)
RUN(binary, fdim, 0, 0)
RUN(binary, fmod, 0, 0)
RUN(binary, hypot, 3, 2)
RUN(binary, pow, 4, 2)
RUN(binary, remainder, 0, 0)

// Of two zeros either is right.
#define EXTREME(name)                                                                                                  \
    TEST(binary, name) {                                                                                               \
        const auto kernel = [](const auto&... x) {                                                                     \
            auto got = std_cmath::name(x...).to_host();                                                                \
            for (auto& value : got) value += 0;                                                                        \
            return got;                                                                                                \
        };                                                                                                             \
        const auto exact = [](auto... x) { return std::name(x...) + 0; };                                              \
        binary<float>(#name, kernel, 0, exact);                                                                        \
        binary<double>(#name, kernel, 0, exact);                                                                       \
    }
EXTREME(fmax)
EXTREME(fmin)

// Between its zeros on the left there is no bound in units in the last place.
TEST(unary, lgamma) {
    const auto kernel = [](const auto& x) { return std_cmath::lgamma(x).to_host(); };
    const auto exact = [](auto x) { return std::lgamma(x); };
    unary<float>("lgamma", kernel, 6, exact, [](double x) { return !(x > -10.001 && x < -2.264); });
    unary<double>("lgamma", kernel, 4, exact, [](double x) { return !(x > -23.0001 && x < -2.2637); });
}

// No wider type helps where the result is a neighbour, or is rounded once.
template <class T> void nextafter_of() {
    std::vector<T> x, y;
    pairs(x, y);
    const std::vector<T> got = std_cmath::nextafter(x, y).to_host();
    for (std::size_t i = 0; i < x.size(); ++i)
        ASSERT_TRUE(std_values::identical(got[i], std::nextafter(x[i], y[i]))) << x[i] << ' ' << y[i];
}
TEST(binary, nextafter) {
    nextafter_of<float>();
    nextafter_of<double>();
}

template <class T> void fma_of() {
    std::vector<T> x, y;
    pairs(x, y);
    const std::vector<T> z(y.rbegin(), y.rend()), got = std_cmath::fma(x, y, z).to_host();
    for (std::size_t i = 0; i < x.size(); ++i)
        ASSERT_EQ(std_values::distance(got[i], std::fma(x[i], y[i], z[i])), 0) << x[i] << ' ' << y[i] << ' ' << z[i];
}
TEST(ternary, fma) {
    fma_of<float>();
    fma_of<double>();
}

// Of infinities and NaN libstdc++ and CUDA say different things here.
template <class T> void hypot_of(double bound) {
    std::vector<T> x, y, z;
    for (const T a : many<T>(4)) {
        if (!std::isfinite(a)) continue;
        x.push_back(a);
        y.push_back(a / 2 + 1);
        z.push_back(a / 4);
    }
    const auto exact = [](auto... numbers) { return std::hypot(numbers...); };
    compare("hypot3", std_cmath::hypot3(x, y, z).to_host(), bound, exact, x, y, z);
}
TEST(ternary, hypot) {
    hypot_of<float>(3);
    hypot_of<double>(2);
}

// The library's own code; a GPU may fuse its multiplications and additions.
template <class T> void lerp_of() {
    std::vector<T> a, b, t;
    for (int i = -20; i <= 20; ++i)
        for (int k = -8; k <= 16; ++k) {
            a.push_back(static_cast<T>(i) / 3);
            b.push_back(static_cast<T>(i * i) / 7 - 1);
            t.push_back(static_cast<T>(k) / 8);
        }
    const std::vector<T> got = std_cmath::lerp(a, b, t).to_host();
    for (std::size_t i = 0; i < a.size(); ++i) {
        const T want = std::lerp(a[i], b[i], t[i]);
        const T size = std::abs(a[i]) + std::abs(b[i]);
        ASSERT_LE(std::abs(got[i] - want), (on_gpu() ? 4 : 0) * std::numeric_limits<T>::epsilon() * size);
        if (t[i] == 0 || t[i] == 1) {
            ASSERT_EQ(got[i], t[i] == 0 ? a[i] : b[i]);
        }
    }
}
TEST(ternary, lerp) {
    lerp_of<float>();
    lerp_of<double>();
}

// ---- Results that are integers --------------------------------------------------------------------------------------

template <class T, class Kernel, class Exact>
void integral(const char* name, Kernel kernel, Exact exact, double limit) {
    std::vector<T> x = many<T>();
    std::erase_if(x, [&](T value) { return limit > 0 && !(std::abs(static_cast<double>(value)) < limit); });
    const auto got = kernel(x);
    for (std::size_t i = 0; i < x.size(); ++i) ASSERT_EQ(got[i], exact(x[i])) << name << ' ' << x[i];
}

// What does not fit the result is undefined: `limit` leaves it out.
#define INTEGRAL(name, limit)                                                                                          \
    TEST(integral, name) {                                                                                             \
        const auto kernel = [](const auto& x) { return std_cmath::name(x).to_host(); };                                \
        const auto exact = [](auto x) { return std::name(x); };                                                        \
        integral<float>(#name, kernel, exact, limit);                                                                  \
        integral<double>(#name, kernel, exact, limit);                                                                 \
    }
INTEGRAL(fpclassify, 0)
INTEGRAL(isfinite, 0)
INTEGRAL(isinf, 0)
INTEGRAL(isnan, 0)
INTEGRAL(isnormal, 0)
INTEGRAL(signbit, 0)
INTEGRAL(llrint, 9e18)
INTEGRAL(llround, 9e18)
INTEGRAL(lrint, 9e18)
INTEGRAL(lround, 9e18)

template <class T> void ilogb_of() {
    std::vector<T> x = many<T>();
    std::erase_if(x, [](T value) { return value == 0 || !std::isfinite(value); });
    const auto got = std_cmath::ilogb(x).to_host();
    for (std::size_t i = 0; i < x.size(); ++i) ASSERT_EQ(got[i], std::ilogb(x[i])) << x[i];
}
TEST(integral, ilogb) {
    ilogb_of<float>();
    ilogb_of<double>();
}

template <class T, class Kernel, class Exact> void relation(Kernel kernel, Exact exact) {
    std::vector<T> x, y;
    pairs(x, y);
    const auto got = kernel(x, y);
    for (std::size_t i = 0; i < x.size(); ++i) ASSERT_EQ(got[i], exact(x[i], y[i])) << x[i] << ' ' << y[i];
}

#define RELATION(name)                                                                                                 \
    TEST(relation, name) {                                                                                             \
        const auto kernel = [](const auto&... x) { return std_cmath::name(x...).to_host(); };                          \
        const auto exact = [](auto... x) { return std::name(x...); };                                                  \
        relation<float>(kernel, exact);                                                                                \
        relation<double>(kernel, exact);                                                                               \
    }
RELATION(isgreater)
RELATION(isgreaterequal)
RELATION(isless)
RELATION(islessequal)
RELATION(islessgreater)
RELATION(isunordered)

// ---- Scaling, and two results ---------------------------------------------------------------------------------------

template <class T, class Kernel, class Exact> void scale(Kernel kernel, Exact exact) {
    for (const std::int32_t n : {-2000, -150, -24, -1, 0, 1, 24, 127, 1100}) {
        const std::vector<T> x = many<T>(), got = kernel(x, n);
        for (std::size_t i = 0; i < x.size(); ++i)
            ASSERT_TRUE(std_values::identical(got[i], exact(x[i], n))) << x[i] << ' ' << n;
    }
}

#define SCALE(name)                                                                                                    \
    TEST(scale, name) {                                                                                                \
        const auto kernel = [](const auto& x, std::int32_t n) { return std_cmath::name(x, n).to_host(); };             \
        const auto exact = [](auto x, std::int32_t n) { return std::name(x, n); };                                     \
        scale<float>(kernel, exact);                                                                                   \
        scale<double>(kernel, exact);                                                                                  \
    }
SCALE(ldexp)
SCALE(scalbln)
SCALE(scalbn)

template <class T> void frexp_of() {
    const std::vector<T> x = many<T>();
    const std::vector<T> digits = std_cmath::frexp(x, false).to_host(), exponents = std_cmath::frexp(x, true).to_host();
    for (std::size_t i = 0; i < x.size(); ++i) {
        int exponent = 0;
        ASSERT_TRUE(std_values::identical(digits[i], std::frexp(x[i], &exponent))) << x[i];
        if (std::isfinite(x[i])) {
            ASSERT_EQ(exponents[i], static_cast<T>(exponent)) << x[i];
        }
    }
}
TEST(two_results, frexp) {
    frexp_of<float>();
    frexp_of<double>();
}

template <class T> void modf_of() {
    const std::vector<T> x = many<T>();
    const std::vector<T> rest = std_cmath::modf(x, false).to_host(), whole = std_cmath::modf(x, true).to_host();
    for (std::size_t i = 0; i < x.size(); ++i) {
        T integer = 0;
        ASSERT_TRUE(std_values::identical(rest[i], std::modf(x[i], &integer))) << x[i];
        ASSERT_TRUE(std_values::identical(whole[i], integer)) << x[i];
    }
}
TEST(two_results, modf) {
    modf_of<float>();
    modf_of<double>();
}

template <class T> void remquo_of() {
    std::vector<T> x, y;
    pairs(x, y);
    const std::vector<T> rest = std_cmath::remquo(x, y, false).to_host(), low = std_cmath::remquo(x, y, true).to_host();
    for (std::size_t i = 0; i < x.size(); ++i) {
        int quotient = 0;
        ASSERT_TRUE(std_values::identical(rest[i], std::remquo(x[i], y[i], &quotient))) << x[i] << ' ' << y[i];
        const bool is_defined = std::isfinite(x[i]) && !std::isnan(y[i]) && y[i] != 0;
        if (is_defined) {
            ASSERT_EQ(low[i], static_cast<T>(quotient % 8)) << x[i] << ' ' << y[i];
        }
    }
}
TEST(two_results, remquo) {
    remquo_of<float>();
    remquo_of<double>();
}

// ---- Names and types ------------------------------------------------------------------------------------------------

TEST(names, OfC) {
    const std::vector<float> x = {0, 1, 2.25f, 100};
    const std::vector<float> got = std_cmath_names::c_names(x).to_host();
    for (std::size_t i = 0; i < x.size(); ++i)
        EXPECT_EQ(got[i], std::sqrt(x[i]) + x[i] + std::floor(x[i]) + std::fmax(x[i], 1.0f));
}

TEST(names, Unqualified) {
    const std::vector<double> x = {0, 1, 2.25, 100};
    const std::vector<double> got = std_cmath_names::unqualified(x).to_host();
    for (std::size_t i = 0; i < x.size(); ++i)
        EXPECT_NEAR(got[i], std::sqrt(x[i]) + x[i] + std::hypot(x[i], 2.0) + (x[i] < 1), 1e-13 * (1 + got[i]));
}

TEST(types, IntegersAreComputedAsDouble) {
    const std::vector<std::int32_t> x = {0, 1, 9, 100000}, y = {3, -4, 10, 2};
    const std::vector<double> got = std_cmath_names::integers(x, y).to_host();
    for (std::size_t i = 0; i < x.size(); ++i) {
        int quotient = 0;
        const double want = std::sqrt(x[i]) + std::pow(x[i], 2) + std::hypot(x[i], y[i], 2) +
                            std::remquo(x[i], 7, &quotient) + (x[i] > y[i]);
        EXPECT_NEAR(got[i], want, 1e-14 * want);
    }
}

TEST(types, FloatAndDoubleMeetInDouble) {
    const std::vector<float> x = {0.1f, 1, 9};
    const std::vector<double> y = {3, 0.25, 10}, got = std_cmath_names::mixed(x, y).to_host();
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double want = std::fmax(x[i], y[i]) + std::pow(x[i], 2) + std::atan2(x[i], y[i]) + (x[i] < y[i]);
        EXPECT_NEAR(got[i], want, 1e-14 * want);
    }
}

}  // namespace
