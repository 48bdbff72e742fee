// bench/cpu/peers.hpp: the same work by other means.
#pragma once

#include <cstdint>

namespace bench {

/// Five arrays of n elements; rate and vol are the same for all options.
struct options {
    std::int64_t n;
    const float *spot, *strike, *years;
    float rate, vol;
    float *call, *put;
};

/// Loops as one writes them by hand: `#pragma omp parallel for simd`, with `reduction` where they fold.
namespace openmp {
void rel_diff(const float* x, const float* y, float* out, std::int64_t n);
void black_scholes(const options& all);
/// out[m, n] = x[m, n] * s[n] + t[m]
void scale_shift(const float* x, const float* s, const float* t, float* out, std::int64_t m, std::int64_t n);
/// out[n, n] = x + transposed y, in tiles
void add_transposed(const float* x, const float* y, float* out, std::int64_t n);

float sum(const float* x, std::int64_t n);
float max(const float* x, std::int64_t n);
float dot(const float* x, const float* y, std::int64_t n);
/// out[n] and out[m] of x[m, n]
void sum_axis_0(const float* x, float* out, std::int64_t m, std::int64_t n);
void sum_axis_1(const float* x, float* out, std::int64_t m, std::int64_t n);

/// Arrays of n × n, or n × n × n: five and seven points, whose edges repeat the outermost elements, and tiles of 32
/// × 32.
void heat(const float* a, float* out, std::int64_t m, std::int64_t n);
void laplace(const float* a, float* out, std::int64_t n);
void transpose(const float* x, float* out, std::int64_t n);
void matmul(const float* x, const float* y, float* out, std::int64_t n);
/// Of rows of 32, of (2, 4) by (4, 5) matrices, of 16 × 16 matrices.
void norms(const float* x, float* out, std::int64_t rows);
void products(const float* a, const float* b, float* c, std::int64_t count);
void products_any(const float* a, const float* b, float* c, std::int64_t count, std::int64_t m, std::int64_t n,
                  std::int64_t p);
void cholesky(const float* a, float* l, std::int64_t count);
}  // namespace openmp

/// The same loops compiled with -march=native -ffast-math.
namespace openmp_fast {
void rel_diff(const float* x, const float* y, float* out, std::int64_t n);
void black_scholes(const options& all);
float sum(const float* x, std::int64_t n);
float max(const float* x, std::int64_t n);
float dot(const float* x, const float* y, std::int64_t n);
void sum_axis_0(const float* x, float* out, std::int64_t m, std::int64_t n);
void sum_axis_1(const float* x, float* out, std::int64_t m, std::int64_t n);
void heat(const float* a, float* out, std::int64_t m, std::int64_t n);
void laplace(const float* a, float* out, std::int64_t n);
void transpose(const float* x, float* out, std::int64_t n);
void matmul(const float* x, const float* y, float* out, std::int64_t n);
void norms(const float* x, float* out, std::int64_t rows);
void products(const float* a, const float* b, float* c, std::int64_t count);
void products_any(const float* a, const float* b, float* c, std::int64_t count, std::int64_t m, std::int64_t n,
                  std::int64_t p);
void cholesky(const float* a, float* l, std::int64_t count);
}  // namespace openmp_fast

/// std::transform, std::reduce and std::transform_reduce(std::execution::par_unseq) of libstdc++, which runs on oneTBB.
namespace tbb {
void rel_diff(const float* x, const float* y, float* out, std::int64_t n);
void black_scholes(const options& all);
float sum(const float* x, std::int64_t n);
float max(const float* x, std::int64_t n);
float dot(const float* x, const float* y, std::int64_t n);
void sum_axis_0(const float* x, float* out, std::int64_t m, std::int64_t n);
void sum_axis_1(const float* x, float* out, std::int64_t m, std::int64_t n);
}  // namespace tbb

}  // namespace bench
