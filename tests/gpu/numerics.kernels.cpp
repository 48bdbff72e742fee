// tests/gpu/numerics.kernels.cpp: compiled CONTRACT OFF, so that the GPU rounds as the CPU does.
#include <foldwise/spec.hpp>

#include <cmath>

namespace apart {

#define EXPRESSION(name, ...)                                                                                          \
    auto name = foldwise::vectorize<float(float, float, float), double(double, double, double)>(                       \
        []<class T>(T x, T y, T z) -> T { return __VA_ARGS__; });
#include "../run/expressions.def"

/// Zero for the rounded product, unless the product is not rounded here.
auto difference = foldwise::vectorize<float(float, float, float), double(double, double, double)>(
    [](auto x, auto y, auto product) { return x * y - product; });

}  // namespace apart
