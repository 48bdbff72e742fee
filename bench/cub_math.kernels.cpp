// bench/cub_math.kernels.cpp: PyTorch's functions of one and of two arrays, as CUB's benchmark of them has them
// (NVIDIA/cccl, cub/benchmarks/bench/transform/pytorch.cu).
#include <foldwise/spec.hpp>

#include <cmath>

#define UNARY(name, expression)                                                                                        \
    auto name =                                                                                                        \
        foldwise::vectorize<foldwise::half(foldwise::half), foldwise::bfloat16(foldwise::bfloat16), float(float)>(     \
            [](float x) { return expression; })
#define BINARY(name, expression)                                                                                       \
    auto name = foldwise::vectorize<foldwise::half(foldwise::half, foldwise::half),                                    \
                                    foldwise::bfloat16(foldwise::bfloat16, foldwise::bfloat16), float(float, float)>(  \
        [](float a, float b) { return expression; })

namespace cub_suite {

UNARY(relu, x > 0 ? x : 0.0f);
UNARY(sigmoid, 1 / (1 + std::exp(-x)));
UNARY(tanh, std::tanh(x));
UNARY(gelu, x * 0.5f * (1 + std::erf(x * 0.70710678f)));
UNARY(sin, std::sin(x));
UNARY(exp, std::exp(x));

BINARY(add, a + b);
BINARY(sub, a - b);
BINARY(mul, a* b);
BINARY(div, a / b);
BINARY(le, a <= b ? 1.0f : 0.0f);
BINARY(ge, a >= b ? 1.0f : 0.0f);
BINARY(fmin, std::fmin(a, b));
BINARY(fmax, std::fmax(a, b));

}  // namespace cub_suite
