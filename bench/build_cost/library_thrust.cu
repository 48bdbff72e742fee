// bench/build_cost/library_thrust.cu: the same with Thrust. Its folds return their results.
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/functional.h>
#include <thrust/inner_product.h>
#include <thrust/reduce.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>

#include <cmath>
#include <cstdint>
#include <limits>

namespace build_cost {

struct square {
    __device__ double operator()(double x) const { return x * x; }
};
struct axpy_function {
    float a;
    __device__ float operator()(float x, float y) const { return a * x + y; }
};
struct clamp_function {
    __device__ float operator()(float x) const { return x < 0 ? 0.0f : x > 1 ? 1.0f : x; }
};
struct decay_function {
    __device__ float operator()(float x, float t) const { return x * std::exp(-t); }
};

float total(const float* x, std::int64_t n, cudaStream_t stream) {
    return thrust::reduce(thrust::cuda::par.on(stream), x, x + n, 0.0f);
}
float largest(const float* x, std::int64_t n, cudaStream_t stream) {
    return thrust::reduce(thrust::cuda::par.on(stream), x, x + n, -std::numeric_limits<float>::infinity(),
                          thrust::maximum<float>{});
}
float dot(const float* x, const float* y, std::int64_t n, cudaStream_t stream) {
    return thrust::inner_product(thrust::cuda::par.on(stream), x, x + n, y, 0.0f);
}
double squares(const double* x, std::int64_t n, cudaStream_t stream) {
    return thrust::transform_reduce(thrust::cuda::par.on(stream), x, x + n, square{}, 0.0, thrust::plus<double>{});
}

void axpy(float a, const float* x, const float* y, float* out, std::int64_t n, cudaStream_t stream) {
    thrust::transform(thrust::cuda::par_nosync.on(stream), x, x + n, y, out, axpy_function{a});
}
void clamped(const float* x, float* out, std::int64_t n, cudaStream_t stream) {
    thrust::transform(thrust::cuda::par_nosync.on(stream), x, x + n, out, clamp_function{});
}
void decay(const float* x, const float* t, float* out, std::int64_t n, cudaStream_t stream) {
    thrust::transform(thrust::cuda::par_nosync.on(stream), x, x + n, t, out, decay_function{});
}

}  // namespace build_cost
