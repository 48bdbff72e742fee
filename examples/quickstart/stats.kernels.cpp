#include <foldwise/spec.hpp>

namespace stats {
auto rel_diff = foldwise::vectorize<float(float, float), double(double, double)>(
    [](auto x, auto y) { return 2 * (x - y) / (x + y); });
}
