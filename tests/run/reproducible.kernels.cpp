// tests/run/reproducible.kernels.cpp: reductions whose rounding depends on shapes alone.
#include <foldwise/spec.hpp>

namespace run {

auto sum = foldwise::reduce<float>([](auto a, auto b) { return a + b; }, foldwise::identity(0));
auto dot = foldwise::reduce<float(float, float)>(foldwise::map([](auto x, auto y) { return x * y; }),
                                                 foldwise::combine([](auto a, auto b) { return a + b; }),
                                                 foldwise::identity(0));

}  // namespace run
