// tests/run/std_cmath.kernels.cpp: every function of <cmath> that kernels have, for float and for double.
#include <foldwise/spec.hpp>

#include <cmath>
#include <cstdint>
#include <cstdlib>

// A kernel named after the function that it calls.
#define UNARY(name) auto name = foldwise::vectorize<float(float), double(double)>([](auto x) { return std::name(x); })
#define BINARY(name)                                                                                                   \
    auto name = foldwise::vectorize<float(float, float), double(double, double)>(                                      \
        [](auto x, auto y) { return std::name(x, y); })
#define TERNARY(name)                                                                                                  \
    auto name = foldwise::vectorize<float(float, float, float), double(double, double, double)>(                       \
        [](auto x, auto y, auto z) { return std::name(x, y, z); })
#define TO(type, name) auto name = foldwise::vectorize<type(float), type(double)>([](auto x) { return std::name(x); })
#define RELATION(name)                                                                                                 \
    auto name =                                                                                                        \
        foldwise::vectorize<bool(float, float), bool(double, double)>([](auto x, auto y) { return std::name(x, y); })
#define SCALE(name)                                                                                                    \
    auto name = foldwise::vectorize<float(float, std::int32_t), double(double, std::int32_t)>(                         \
        [](auto x, std::int32_t n) { return std::name(x, n); })

namespace std_cmath {

UNARY(acos);
UNARY(acosh);
UNARY(asin);
UNARY(asinh);
UNARY(atan);
UNARY(atanh);
UNARY(cbrt);
UNARY(ceil);
UNARY(cos);
UNARY(cosh);
UNARY(erf);
UNARY(erfc);
UNARY(exp);
UNARY(exp2);
UNARY(expm1);
UNARY(abs);
UNARY(fabs);
UNARY(floor);
UNARY(lgamma);
UNARY(log);
UNARY(log10);
UNARY(log1p);
UNARY(log2);
UNARY(logb);
UNARY(nearbyint);
UNARY(rint);
UNARY(round);
UNARY(sin);
UNARY(sinh);
UNARY(sqrt);
UNARY(tan);
UNARY(tanh);
UNARY(tgamma);
UNARY(trunc);

BINARY(atan2);
BINARY(copysign);
BINARY(fdim);
BINARY(fmax);
BINARY(fmin);
BINARY(fmod);
BINARY(hypot);
BINARY(nextafter);
BINARY(pow);
BINARY(remainder);

TERNARY(fma);
TERNARY(lerp);
auto hypot3 = foldwise::vectorize<float(float, float, float), double(double, double, double)>(
    [](auto x, auto y, auto z) { return std::hypot(x, y, z); });

TO(std::int32_t, ilogb);
TO(std::int64_t, llrint);
TO(std::int64_t, llround);
TO(std::int64_t, lrint);
TO(std::int64_t, lround);
TO(std::int32_t, fpclassify);
TO(bool, isfinite);
TO(bool, isinf);
TO(bool, isnan);
TO(bool, isnormal);
TO(bool, signbit);

RELATION(isgreater);
RELATION(isgreaterequal);
RELATION(isless);
RELATION(islessequal);
RELATION(islessgreater);
RELATION(isunordered);

SCALE(ldexp);
SCALE(scalbln);
SCALE(scalbn);

// Functions with a second result, and both of them.
auto frexp = foldwise::vectorize<float(float, bool), double(double, bool)>([](auto x, bool second) {
    int exponent = 0;
    const auto digits = std::frexp(x, &exponent);
    return second ? static_cast<decltype(x)>(exponent) : digits;
});
auto modf = foldwise::vectorize<float(float, bool), double(double, bool)>([](auto x, bool second) {
    auto whole = x;
    const auto rest = std::modf(x, &whole);
    return second ? whole : rest;
});
auto remquo =
    foldwise::vectorize<float(float, float, bool), double(double, double, bool)>([](auto x, auto y, bool second) {
        int quotient = 0;
        const auto rest = std::remquo(x, y, &quotient);
        return second ? static_cast<decltype(x)>(quotient % 8) : rest;
    });

}  // namespace std_cmath

// The C names, unqualified names, and integers, which are computed as double.
namespace std_cmath_names {

auto c_names = foldwise::vectorize([](float x) { return sqrtf(x) + ::fabsf(x) + floorf(x) + fmaxf(x, 1.0f); });
auto unqualified = foldwise::vectorize([](double x) {
    using std::hypot, std::isless;
    return sqrt(x) + ::fabs(x) + hypot(x, 2.0) + isless(x, 1.0);
});
auto integers = foldwise::vectorize([](std::int32_t x, std::int32_t y) {
    int quotient = 0;
    return std::sqrt(x) + std::pow(x, 2) + std::hypot(x, y, 2) + std::remquo(x, 7, &quotient) + std::isgreater(x, y);
});
auto mixed = foldwise::vectorize(
    [](float x, double y) { return std::fmax(x, y) + std::pow(x, 2) + std::atan2(x, y) + std::isless(x, y); });

}  // namespace std_cmath_names
