// The float overloads of <cmath> stay float. CUDA's own sin, cos and tan are not here: for huge arguments they compute a
// few steps in double.
//
// RUN: %generate %s -- %include
// RUN: %nvcc -arch=sm_90 -ptx -o %t.ptx %t.out/cmath_float.kernels.cu
// RUN: %kernel %t.ptx unary_float vectors | FileCheck %s --implicit-check-not=.f64
// RUN: %kernel %t.ptx binary_float vectors | FileCheck %s --implicit-check-not=.f64
// RUN: %kernel %t.ptx integral_float vectors | FileCheck %s --implicit-check-not=.f64
// RUN: %kernel %t.ptx names_float vectors | FileCheck %s --implicit-check-not=.f64
// RUN: %kernel %t.ptx complex_float vectors | FileCheck %s --implicit-check-not=.f64
#include <foldwise/spec.hpp>

#include <cmath>
#include <complex>
#include <type_traits>

// CHECK: st.global.v4.{{[bfu]}}32

auto unary = foldwise::vectorize([](float x) {
    float sum = std::acos(x) + std::acosh(x) + std::asin(x) + std::asinh(x) + std::atan(x) + std::atanh(x);
    sum += std::cbrt(x) + std::ceil(x) + std::cosh(x) + std::erf(x) + std::erfc(x) + std::exp(x) + std::exp2(x);
    sum += std::expm1(x) + std::abs(x) + std::fabs(x) + std::floor(x) + std::lgamma(x) + std::log(x) + std::log10(x);
    sum += std::log1p(x) + std::log2(x) + std::logb(x) + std::nearbyint(x) + std::rint(x) + std::round(x);
    return sum + std::sinh(x) + std::sqrt(x) + std::tanh(x) + std::tgamma(x) + std::trunc(x);
});

auto binary = foldwise::vectorize([](float x, float y) {
    int n = 0;
    float whole = 0;
    float sum = std::atan2(x, y) + std::copysign(x, y) + std::fdim(x, y) + std::fmax(x, y) + std::fmin(x, y);
    sum += std::fmod(x, y) + std::hypot(x, y) + std::nextafter(x, y) + std::pow(x, y) + std::remainder(x, y);
    sum += std::fma(x, y, x) + std::lerp(x, y, x) + std::hypot(x, y, x) + std::remquo(x, y, &n) + std::frexp(x, &n);
    sum += std::modf(y, &whole) + std::ldexp(x, 3) + std::scalbn(x, 3) + std::scalbln(x, 3);
    static_assert(std::is_same_v<decltype(std::hypot(x, y, x)), float>);
    return sum + static_cast<float>(n) + whole;
});

auto integral = foldwise::vectorize([](float x, float y) {
    const bool either = std::isgreater(x, y) || std::isgreaterequal(y, x) || std::isless(x, 2.0f) ||
                        std::islessequal(y, 2.0f) || std::islessgreater(x, 1.0f) || std::isunordered(x, y);
    const bool any = std::isnormal(x) || std::isfinite(y) || std::isinf(x) || std::isnan(y) || std::signbit(x);
    const long long sum = std::llrint(x) + std::llround(y) + std::lrint(x) + std::lround(x);
    return static_cast<float>(sum + std::fpclassify(x) + std::ilogb(y) + either + any);
});

auto names =
    foldwise::vectorize([](float x) { return sqrtf(x) + expf(x) + fmaxf(x, 2.0f) + fabsf(x) + powf(x, 3.0f); });

auto complex = foldwise::vectorize([](float x, float y) {
    const std::complex<float> z(x, y);
    const std::complex<float> w = z * z / (z + 1.0f) + std::sqrt(z) + std::log(z) + std::conj(z) - std::abs(z);
    return w.real() + w.imag() + std::norm(z) + std::arg(z);
});
