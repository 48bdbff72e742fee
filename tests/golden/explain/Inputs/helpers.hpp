// tests/golden/explain/Inputs/helpers.hpp: what the kernels beside it call.
#pragma once

#include <cmath>

namespace helpers {

inline constexpr float rate = 0.05f;

struct Point {
    float x, y, z;
    float norm() const { return std::sqrt(x * x + y * y + z * z); }
};

inline float grown(float value, float years) { return value * std::exp(rate * years); }

}  // namespace helpers
