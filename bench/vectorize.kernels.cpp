// bench/vectorize.kernels.cpp: the elementwise kernels that are measured.
#include <foldwise/spec.hpp>

namespace bench {

auto rel_diff = foldwise::vectorize<float(float, float), double(double, double)>(
    [](auto x, auto y) { return 2 * (x - y) / (x + y); });

}  // namespace bench
