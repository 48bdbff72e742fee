// bench/host.kernels.cpp: kernels that are measured with their operands on the host.
#include <foldwise/spec.hpp>

namespace bench {

auto rel_diff = foldwise::vectorize([](float x, float y) { return 2 * (x - y) / (x + y); });
auto sum = foldwise::reduce<float>([](float a, float b) { return a + b; }, foldwise::identity(0));
auto twice = foldwise::forall(
    [](foldwise::index<1> i, foldwise::view<const float, 1> x, foldwise::view<float, 1> y) { y[i] = 2 * x[i]; });

}  // namespace bench
