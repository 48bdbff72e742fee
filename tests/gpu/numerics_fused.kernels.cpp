// tests/gpu/numerics_fused.kernels.cpp: compiled as by default.
#include <foldwise/spec.hpp>

namespace fused {

/// Zero for the rounded product, unless the product is not rounded here.
auto difference = foldwise::vectorize<float(float, float, float), double(double, double, double)>(
    [](auto x, auto y, auto product) { return x * y - product; });

}  // namespace fused
