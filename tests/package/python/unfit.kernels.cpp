// A function and one that cannot be its gradient: its second signature takes no gradient of a double.
#include <foldwise/spec.hpp>

namespace unfit {

auto squared = foldwise::vectorize<float(float), double(double)>([](auto x) { return x * x; });
auto squared_backward = foldwise::vectorize<float(float, float), double(double, float)>(
    [](auto x, auto gradient) { return 2 * x * gradient; });

}  // namespace unfit
