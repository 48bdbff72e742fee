// foldwise/device/cmath.hpp: <cmath> with the functions that neither it nor CUDA provides in device code.
//
// nvcc includes <cmath> before anything else, so these can replace its functions only under other names, to which
// macros redirect.
#pragma once

#include <cmath>

#if defined(__CUDACC__) && !defined(FOLDWISE_SIMULATOR)

#include <foldwise/device/builtins.hpp>

#include <type_traits>

namespace foldwise::device_code::math_types {

template <class T>
concept real = std::is_arithmetic_v<T>;

/// The type in which <cmath> computes: double for integers.
template <class... T> using promoted = decltype((std::conditional_t<std::is_integral_v<T>, double, T>{} + ...));

__device__ inline double norm(double x, double y, double z) { return norm3d(x, y, z); }
__device__ inline float norm(float x, float y, float z) { return norm3df(x, y, z); }

}  // namespace foldwise::device_code::math_types

namespace foldwise::device_code::math {

template <math_types::real T> constexpr int foldwise_fpclassify(T x) {
    return builtins::classify(FP_NAN, FP_INFINITE, FP_NORMAL, FP_SUBNORMAL, FP_ZERO, math_types::promoted<T>(x));
}
template <math_types::real T> constexpr bool foldwise_isnormal(T x) {
    return builtins::is_normal(math_types::promoted<T>(x));
}
template <math_types::real T, math_types::real U> constexpr bool foldwise_isgreater(T x, U y) {
    return math_types::promoted<T, U>(x) > math_types::promoted<T, U>(y);
}
template <math_types::real T, math_types::real U> constexpr bool foldwise_isgreaterequal(T x, U y) {
    return math_types::promoted<T, U>(x) >= math_types::promoted<T, U>(y);
}
template <math_types::real T, math_types::real U> constexpr bool foldwise_isless(T x, U y) {
    return math_types::promoted<T, U>(x) < math_types::promoted<T, U>(y);
}
template <math_types::real T, math_types::real U> constexpr bool foldwise_islessequal(T x, U y) {
    return math_types::promoted<T, U>(x) <= math_types::promoted<T, U>(y);
}
template <math_types::real T, math_types::real U> constexpr bool foldwise_islessgreater(T x, U y) {
    return foldwise_isless(x, y) || foldwise_isgreater(x, y);
}
template <math_types::real T, math_types::real U> constexpr bool foldwise_isunordered(T x, U y) {
    return builtins::is_unordered(math_types::promoted<T, U>(x), math_types::promoted<T, U>(y));
}

template <math_types::real T, math_types::real U>
__device__ inline math_types::promoted<T, U> foldwise_hypot(T x, U y) {
    return std::hypot(math_types::promoted<T, U>(x), math_types::promoted<T, U>(y));
}
template <math_types::real T, math_types::real U, math_types::real V>
__device__ inline math_types::promoted<T, U, V> foldwise_hypot(T x, U y, V z) {
    using result = math_types::promoted<T, U, V>;
    return math_types::norm(static_cast<result>(x), static_cast<result>(y), static_cast<result>(z));
}

template <math_types::real T, math_types::real U>
__device__ inline math_types::promoted<T, U> foldwise_remquo(T x, U y, int* quotient) {
    return std::remquo(math_types::promoted<T, U>(x), math_types::promoted<T, U>(y), quotient);
}

}  // namespace foldwise::device_code::math

namespace std {
using namespace foldwise::device_code::math;
}
using namespace foldwise::device_code::math;

#define fpclassify foldwise_fpclassify
#define isnormal foldwise_isnormal
#define isgreater foldwise_isgreater
#define isgreaterequal foldwise_isgreaterequal
#define isless foldwise_isless
#define islessequal foldwise_islessequal
#define islessgreater foldwise_islessgreater
#define isunordered foldwise_isunordered
#define hypot foldwise_hypot
#define remquo foldwise_remquo

#endif
