// bench/accuracy/fast.kernels.cpp: each function of functions.def, with FAST_MATH.
#include <foldwise/spec.hpp>

#include <cmath>

namespace accuracy::fast {

#define UNARY(name, expression, ...)                                                                                   \
    auto name = foldwise::vectorize<float(float), double(double)>([](auto x) { return expression; });
#define BINARY(name, expression, ...)                                                                                  \
    auto name =                                                                                                        \
        foldwise::vectorize<float(float, float), double(double, double)>([](auto x, auto y) { return expression; });
#include "functions.def"

}  // namespace accuracy::fast
