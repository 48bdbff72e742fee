// bench/cpu/openmp_items.cpp: stencils, tiles and functions of rows by hand. Compiled twice: see PEERS in
// CMakeLists.txt.
#include "peers.hpp"

#include <algorithm>
#include <cmath>

namespace bench::PEERS {

void heat(const float* a, float* out, std::int64_t m, std::int64_t n) {
    constexpr float k = 0.1f;
#pragma omp parallel for
    for (std::int64_t i = 0; i < m; ++i) {
        const float *const row = a + i * n, *const above = a + std::max<std::int64_t>(i - 1, 0) * n,
                           *const below = a + std::min(i + 1, m - 1) * n;
        const auto at = [&](std::int64_t j, std::int64_t left, std::int64_t right) {
            out[i * n + j] = row[j] + k * (above[j] + below[j] + row[left] + row[right] - 4 * row[j]);
        };
        at(0, 0, std::min<std::int64_t>(1, n - 1));
#pragma omp simd
        for (std::int64_t j = 1; j < n - 1; ++j)
            out[i * n + j] = row[j] + k * (above[j] + below[j] + row[j - 1] + row[j + 1] - 4 * row[j]);
        at(n - 1, std::max<std::int64_t>(n - 2, 0), n - 1);
    }
}

void laplace(const float* a, float* out, std::int64_t n) {
    const auto clamped = [n](std::int64_t i) { return std::clamp<std::int64_t>(i, 0, n - 1); };
#pragma omp parallel for collapse(2)
    for (std::int64_t i = 0; i < n; ++i) {
        for (std::int64_t j = 0; j < n; ++j) {
            const auto line = [&](std::int64_t p, std::int64_t q) { return a + (clamped(p) * n + clamped(q)) * n; };
            const float *const own = line(i, j), *const before = line(i - 1, j), *const behind = line(i + 1, j),
                               *const above = line(i, j - 1), *const below = line(i, j + 1);
            float* const to = out + (i * n + j) * n;
            for (const std::int64_t k : {std::int64_t{0}, n - 1})
                to[k] = before[k] + behind[k] + above[k] + below[k] + own[clamped(k - 1)] + own[clamped(k + 1)] -
                        6 * own[k];
#pragma omp simd
            for (std::int64_t k = 1; k < n - 1; ++k)
                to[k] = before[k] + behind[k] + above[k] + below[k] + own[k - 1] + own[k + 1] - 6 * own[k];
        }
    }
}

void transpose(const float* x, float* out, std::int64_t n) {
    constexpr std::int64_t side = 32;
#pragma omp parallel for collapse(2)
    for (std::int64_t row = 0; row < n; row += side) {
        for (std::int64_t column = 0; column < n; column += side) {
            const std::int64_t rows = std::min(n, row + side), columns = std::min(n, column + side);
            for (std::int64_t i = row; i < rows; ++i) {
                for (std::int64_t j = column; j < columns; ++j) out[i * n + j] = x[j * n + i];
            }
        }
    }
}

void matmul(const float* x, const float* y, float* out, std::int64_t n) {
    constexpr std::int64_t side = 32;
#pragma omp parallel for collapse(2)
    for (std::int64_t row = 0; row < n; row += side) {
        for (std::int64_t column = 0; column < n; column += side) {
            float sums[side][side] = {};
            const std::int64_t rows = std::min(side, n - row), columns = std::min(side, n - column);
            for (std::int64_t k = 0; k < n; ++k) {
                for (std::int64_t i = 0; i < rows; ++i) {
#pragma omp simd
                    for (std::int64_t j = 0; j < columns; ++j)
                        sums[i][j] += x[(row + i) * n + k] * y[k * n + column + j];
                }
            }
            for (std::int64_t i = 0; i < rows; ++i) std::copy_n(sums[i], columns, out + (row + i) * n + column);
        }
    }
}

void norms(const float* x, float* out, std::int64_t rows) {
    constexpr std::int64_t length = 32;
#pragma omp parallel for
    for (std::int64_t i = 0; i < rows; ++i) {
        float squares = 0;
        for (std::int64_t j = 0; j < length; ++j) squares += x[i * length + j] * x[i * length + j];
        out[i] = std::sqrt(squares);
    }
}

namespace {

/// Of matrices of m by n and n by p elements.
inline void product(const float* left, const float* right, float* to, std::int64_t m, std::int64_t n, std::int64_t p) {
    for (std::int64_t i = 0; i < m; ++i) {
        for (std::int64_t j = 0; j < p; ++j) {
            float sum = 0;
            for (std::int64_t k = 0; k < n; ++k) sum += left[i * n + k] * right[k * p + j];
            to[i * p + j] = sum;
        }
    }
}

}  // namespace

void products(const float* a, const float* b, float* c, std::int64_t count) {
#pragma omp parallel for
    for (std::int64_t at = 0; at < count; ++at) product(a + at * 8, b + at * 20, c + at * 10, 2, 4, 5);
}

void products_any(const float* a, const float* b, float* c, std::int64_t count, std::int64_t m, std::int64_t n,
                  std::int64_t p) {
#pragma omp parallel for
    for (std::int64_t at = 0; at < count; ++at) product(a + at * m * n, b + at * n * p, c + at * m * p, m, n, p);
}

void cholesky(const float* a, float* l, std::int64_t count) {
    constexpr int n = 16;
#pragma omp parallel for
    for (std::int64_t at = 0; at < count; ++at) {
        const float* const from = a + at * n * n;
        float* const to = l + at * n * n;
        for (int i = 0; i < n; ++i) {
            for (int j = 0; j <= i; ++j) {
                float sum = from[i * n + j];
                for (int k = 0; k < j; ++k) sum -= to[i * n + k] * to[j * n + k];
                to[i * n + j] = i == j ? std::sqrt(sum) : sum / to[j * n + j];
            }
            for (int j = i + 1; j < n; ++j) to[i * n + j] = 0;
        }
    }
}

}  // namespace bench::PEERS
