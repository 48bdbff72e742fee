// tests/gpu/numerics_fused.kernels.cpp: compiled as by default.
#include <foldwise/spec.hpp>

namespace fused {

auto difference =
    foldwise::vectorize<float(float, float), double(double, double)>([](auto x, auto y) { return x * y - y * x; });

}  // namespace fused
