// foldwise/detail/real_functions.hpp: functions of <cmath> without that header, because specs include this one, and
// their own names would clash with its macros.
#pragma once

#include <foldwise/detail/host_device.hpp>

#include <type_traits>

namespace foldwise::detail {

template <class Real> FOLDWISE_HD constexpr Real root_of(Real x) {
    if constexpr (std::is_same_v<Real, float>)
        return __builtin_sqrtf(x);
    else
        return __builtin_sqrt(x);
}
template <class Real> FOLDWISE_HD constexpr Real logarithm_of(Real x) {
    if constexpr (std::is_same_v<Real, float>)
        return __builtin_logf(x);
    else
        return __builtin_log(x);
}
template <class Real> FOLDWISE_HD constexpr Real cosine_of(Real angle) {
    if constexpr (std::is_same_v<Real, float>)
        return __builtin_cosf(angle);
    else
        return __builtin_cos(angle);
}

template <class Real> struct sine_and_cosine { Real sine, cosine; };

/// Returns the sine and the cosine of pi times `half_turns`.
template <class Real> FOLDWISE_HD constexpr sine_and_cosine<Real> sine_and_cosine_of(Real half_turns) {
#ifdef __CUDA_ARCH__
    sine_and_cosine<Real> result;
    if constexpr (std::is_same_v<Real, float>)
        ::sincospif(half_turns, &result.sine, &result.cosine);
    else
        ::sincospi(half_turns, &result.sine, &result.cosine);
    return result;
#else
    const Real angle = half_turns * static_cast<Real>(3.14159265358979323846);
    if constexpr (std::is_same_v<Real, float>)
        return {__builtin_sinf(angle), __builtin_cosf(angle)};
    else
        return {__builtin_sin(angle), __builtin_cos(angle)};
#endif
}

}  // namespace foldwise::detail
