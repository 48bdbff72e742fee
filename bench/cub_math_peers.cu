// bench/cub_math_peers.cu: the functions of CUB's benchmark of PyTorch's, and what runs them.
#include "cub_suite_peers.cuh"

#include <cuda/std/cmath>
#include <cuda/std/functional>

namespace cub_suite {

namespace ops {

struct relu {
    template <class T> __device__ T operator()(T x) const {
        const auto value = static_cast<float>(x);
        return static_cast<T>(value > 0 ? value : 0.0f);
    }
};
struct sigmoid {
    template <class T> __device__ T operator()(T x) const {
        return static_cast<T>(1.0f / (1.0f + cuda::std::exp(-static_cast<float>(x))));
    }
};
struct tanh {
    template <class T> __device__ T operator()(T x) const { return cuda::std::tanh(x); }
};
struct gelu {
    template <class T> __device__ T operator()(T x) const {
        const auto value = static_cast<float>(x);
        return static_cast<T>(value * 0.5f * (1.0f + cuda::std::erf(value * 0.70710678f)));
    }
};
struct sin {
    template <class T> __device__ T operator()(T x) const { return cuda::std::sin(x); }
};
struct exp {
    template <class T> __device__ T operator()(T x) const { return cuda::std::exp(x); }
};

struct math_add : cuda::std::plus<> {};
struct math_sub : cuda::std::minus<> {};
struct math_mul : cuda::std::multiplies<> {};
struct math_div : cuda::std::divides<> {};
struct le {
    template <class T> __device__ T operator()(T a, T b) const { return static_cast<T>(a <= b); }
};
struct ge {
    template <class T> __device__ T operator()(T a, T b) const { return static_cast<T>(a >= b); }
};
struct fmin {
    template <class T> __device__ T operator()(T a, T b) const { return cuda::std::fmin(a, b); }
};
struct fmax {
    template <class T> __device__ T operator()(T a, T b) const { return cuda::std::fmax(a, b); }
};

}  // namespace ops

#define BENCH_MATH(T)                                                                                                  \
    template struct peers<ops::relu, T, T>;                                                                            \
    template struct peers<ops::sigmoid, T, T>;                                                                         \
    template struct peers<ops::tanh, T, T>;                                                                            \
    template struct peers<ops::gelu, T, T>;                                                                            \
    template struct peers<ops::sin, T, T>;                                                                             \
    template struct peers<ops::exp, T, T>;                                                                             \
    template struct peers<ops::math_add, T, T, T>;                                                                     \
    template struct peers<ops::math_sub, T, T, T>;                                                                     \
    template struct peers<ops::math_mul, T, T, T>;                                                                     \
    template struct peers<ops::math_div, T, T, T>;                                                                     \
    template struct peers<ops::le, T, T, T>;                                                                           \
    template struct peers<ops::ge, T, T, T>;                                                                           \
    template struct peers<ops::fmin, T, T, T>;                                                                         \
    template struct peers<ops::fmax, T, T, T>;
BENCH_MATH(foldwise::half)
BENCH_MATH(foldwise::bfloat16)
BENCH_MATH(float)

}  // namespace cub_suite
