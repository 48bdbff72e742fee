// bench/cpu/openmp_peers.cpp: loops by hand. Compiled twice: see PEERS in CMakeLists.txt.
#include "formulas.hpp"
#include "peers.hpp"

#include <algorithm>
#include <limits>

namespace bench::PEERS {

void rel_diff(const float* x, const float* y, float* out, std::int64_t n) {
#pragma omp parallel for simd
    for (std::int64_t i = 0; i < n; ++i) out[i] = formulas::rel_diff(x[i], y[i]);
}

void black_scholes(const options& all) {
    const auto [n, spot, strike, years, rate, vol, call, put] = all;
#pragma omp parallel for simd
    for (std::int64_t i = 0; i < n; ++i) {
        const formulas::prices both = formulas::black_scholes(spot[i], strike[i], years[i], rate, vol);
        call[i] = both.call;
        put[i] = both.put;
    }
}

void scale_shift(const float* x, const float* s, const float* t, float* out, std::int64_t m, std::int64_t n) {
#pragma omp parallel for
    for (std::int64_t i = 0; i < m; ++i) {
#pragma omp simd
        for (std::int64_t j = 0; j < n; ++j) out[i * n + j] = x[i * n + j] * s[j] + t[i];
    }
}

void add_transposed(const float* x, const float* y, float* out, std::int64_t n) {
    constexpr std::int64_t side = 32;
#pragma omp parallel for collapse(2)
    for (std::int64_t row = 0; row < n; row += side) {
        for (std::int64_t column = 0; column < n; column += side) {
            const std::int64_t rows = std::min(n, row + side), columns = std::min(n, column + side);
            for (std::int64_t i = row; i < rows; ++i) {
                for (std::int64_t j = column; j < columns; ++j) out[i * n + j] = x[i * n + j] + y[j * n + i];
            }
        }
    }
}

float sum(const float* x, std::int64_t n) {
    float sum = 0;
#pragma omp parallel for simd reduction(+ : sum)
    for (std::int64_t i = 0; i < n; ++i) sum += x[i];
    return sum;
}

float max(const float* x, std::int64_t n) {
    float most = std::numeric_limits<float>::lowest();
#pragma omp parallel for simd reduction(max : most)
    for (std::int64_t i = 0; i < n; ++i) most = most < x[i] ? x[i] : most;
    return most;
}

float dot(const float* x, const float* y, std::int64_t n) {
    float sum = 0;
#pragma omp parallel for simd reduction(+ : sum)
    for (std::int64_t i = 0; i < n; ++i) sum += x[i] * y[i];
    return sum;
}

void sum_axis_0(const float* x, float* out, std::int64_t m, std::int64_t n) {
    std::fill_n(out, n, 0.0f);
#pragma omp parallel for reduction(+ : out[:n])
    for (std::int64_t i = 0; i < m; ++i) {
#pragma omp simd
        for (std::int64_t j = 0; j < n; ++j) out[j] += x[i * n + j];
    }
}

void sum_axis_1(const float* x, float* out, std::int64_t m, std::int64_t n) {
#pragma omp parallel for
    for (std::int64_t i = 0; i < m; ++i) {
        float sum = 0;
#pragma omp simd reduction(+ : sum)
        for (std::int64_t j = 0; j < n; ++j) sum += x[i * n + j];
        out[i] = sum;
    }
}

}  // namespace bench::PEERS
