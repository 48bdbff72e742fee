// bench/build_cost/rel_diff.kernels.cpp: an elementwise kernel of two types.
#include <foldwise/spec.hpp>

namespace build_cost {

auto rel_diff = foldwise::vectorize<float(float, float), double(double, double)>(
    [](auto x, auto y) { return 2 * (x - y) / (x + y); });

}  // namespace build_cost
