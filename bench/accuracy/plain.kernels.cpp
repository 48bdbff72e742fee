// bench/accuracy/plain.kernels.cpp: each function of functions.def, as foldwise_add_kernels compiles it by default.
#include <foldwise/spec.hpp>

#include <cmath>

namespace accuracy::plain {

#define UNARY(name, expression, ...)                                                                                   \
    auto name = foldwise::vectorize<float(float), double(double)>([](auto x) { return expression; });
#define BINARY(name, expression, ...)                                                                                  \
    auto name =                                                                                                        \
        foldwise::vectorize<float(float, float), double(double, double)>([](auto x, auto y) { return expression; });
#include "functions.def"

}  // namespace accuracy::plain
