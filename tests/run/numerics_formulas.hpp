// tests/run/numerics_formulas.hpp: formulas with sums and differences of products beside each other, which kernels and
// tests compute alike.
#pragma once

#include <array>
#include <cmath>

namespace numerics {

using quat = std::array<float, 4>;

inline quat hamilton(quat p, quat q) {
    return {
        p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3], p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
        p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1], p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0]};
}

struct pair {
    double low, high;
};
inline pair spread(double a, double b, double c) { return {a * b - c, a * b + c}; }

/// Neighbours of a local array, by an index that is known only then.
inline float picked(float x, float y) {
    const float all[4] = {x * y - x, x * y + x, y * y - x, y * y + x};
    return all[static_cast<int>(x) & 3];
}

template <class T> T fused(T x, T y, T z) { return std::fma(x, y, z); }

}  // namespace numerics
