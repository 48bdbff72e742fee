// tests/golden/basic/basic.kernels.cpp: the smallest spec; one generic lambda, one with its types written out, and a condition.
// RUN: %golden
#include <foldwise/spec.hpp>

namespace stats {

/// How far apart two values are, relative to their size.
auto rel_diff = foldwise::vectorize<float(float, float), double(double, double)>(
    [](auto x, auto y) { return 2 * (x - y) / (x + y); });

auto axpy = foldwise::vectorize([](double a, double x, double y) {
    // One multiplication and one addition.
    return a * x + y;
});

/// Whether a value is within limits.
auto is_within = foldwise::vectorize([](float x, float low, float high) { return low <= x && x <= high; });

}  // namespace stats
