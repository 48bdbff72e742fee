// bench/cpu/formulas.hpp: what all peers compute, each from this text.
#pragma once

#include <cmath>

namespace formulas {

inline float rel_diff(float x, float y) { return 2 * (x - y) / (x + y); }

inline float normal_cdf(float x) { return 0.5f * std::erfc(-x * 0.70710678f); }

struct prices {
    float call, put;
};

/// European options without dividends.
inline prices black_scholes(float spot, float strike, float years, float rate, float vol) {
    const float sd = vol * std::sqrt(years);
    const float d1 = (std::log(spot / strike) + (rate + 0.5f * vol * vol) * years) / sd;
    const float d2 = d1 - sd;
    const float discounted = strike * std::exp(-rate * years);
    const float call = spot * normal_cdf(d1) - discounted * normal_cdf(d2);
    return {call, call + discounted - spot};
}

}  // namespace formulas
