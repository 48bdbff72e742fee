// bench/build_cost/sum.kernels.cpp: a reduction.
#include <foldwise/spec.hpp>

namespace build_cost {

auto sum =
    foldwise::reduce<float>([](float a, float b) { return a + b; }, foldwise::identity(0), foldwise::commutative);

}  // namespace build_cost
