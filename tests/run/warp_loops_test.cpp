// tests/run/warp_loops_test.cpp: loops of tasks, which few tasks and those with rows of their own run by warps, against
// the same loops on the host, to the bit, on the executor that the environment names.
#include "shapes_sample.hpp"
#include "warp_loops.kernels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <vector>

namespace {

using namespace run_tests;
using foldwise::host;

/// Lengths around those of a warp's rounds: 128 or 256 terms.
constexpr std::int64_t lengths[] = {0, 1, 2, 31, 32, 33, 127, 128, 129, 255, 256, 257, 300, 511, 512, 513, 1025};

/// Multiples of 1/8 whose sums of products are exact, so that no compiler's fused operations show.
template <class T> std::vector<T> eighths(std::int64_t count, generator& rng) {
    std::vector<T> all(static_cast<std::size_t>(count));
    for (T& one : all) one = static_cast<T>(static_cast<int>(below(rng, 129)) - 64) / T(8);
    return all;
}

std::size_t at(std::int64_t k) { return static_cast<std::size_t>(k); }

TEST(WarpLoops, OfTriangles) {
    generator rng(1);
    for (const std::int64_t n : lengths) {
        if (n == 0 || n > 600) continue;
        const std::vector<double> x = eighths<double>(n * n, rng), y = eighths<double>(n, rng);
        std::vector<double> out(at(n), -1), expected(at(n), 0);
        run::triangle(n, host(x, {n, n}), y, out);
        for (std::int64_t i = 0; i < n; ++i)
            for (std::int64_t k = 0; k <= i; ++k) expected[at(i)] += x[at(i * n + k)] * y[at(k)];
        EXPECT_EQ(out, expected) << n;
    }
}

TEST(WarpLoops, OfSparseRows) {
    generator rng(2);
    for (int round = 0; round < 20; ++round) {
        const std::int64_t rows = 1 + static_cast<std::int64_t>(below(rng, 300)), columns = 50;
        std::vector<std::int32_t> first = {0}, column;
        for (std::int64_t row = 0; row < rows; ++row)
            first.push_back(first.back() +
                            static_cast<std::int32_t>(lengths[below(rng, std::size(lengths))] >> (round % 4)));
        for (std::int32_t k = 0; k < first.back(); ++k) column.push_back(static_cast<std::int32_t>(below(rng, 50)));
        const std::vector<float> value = eighths<float>(first.back(), rng), x = eighths<float>(columns, rng);
        std::vector<float> out(at(rows)), expected(at(rows), 0);
        run::sparse(rows, first, column, value, x, out);
        for (std::int64_t row = 0; row < rows; ++row)
            for (std::int32_t k = first[at(row)]; k < first[at(row + 1)]; ++k)
                expected[at(row)] += value[at(k)] * x[at(column[at(k)])];
        EXPECT_EQ(out, expected) << round;
    }
}

TEST(WarpLoops, ThatKeepTheFirstOfEqualOnes) {
    generator rng(3);
    for (const std::int64_t centres : lengths) {
        const std::int64_t points = 70, axes = 3;
        const std::vector<float> x = eighths<float>(points * axes, rng), c = eighths<float>(centres * axes, rng);
        std::vector<run::nearest_point> out(at(points));
        run::nearest(points, host(x, {points, axes}), host(c, {centres, axes}), out);
        for (std::int64_t i = 0; i < points; ++i) {
            float best = 1e30f;
            std::int32_t where = -1;
            for (std::int64_t k = 0; k < centres; ++k) {
                float distance = 0;
                for (std::int64_t axis = 0; axis < axes; ++axis) {
                    const float d = x[at(i * axes + axis)] - c[at(k * axes + axis)];
                    distance += d * d;
                }
                if (distance < best) {
                    best = distance;
                    where = static_cast<std::int32_t>(k);
                }
            }
            EXPECT_EQ(out[at(i)].distance, best) << centres;
            EXPECT_EQ(out[at(i)].number, where) << centres;
        }
    }
}

TEST(WarpLoops, OfFunctionsOfElements) {
    generator rng(4);
    for (const std::int64_t many : lengths) {
        const std::vector<double> x = eighths<double>(9, rng), y = eighths<double>(many, rng);
        std::vector<double> out(9);
        run::gaussians(9, x, y, out);
        for (std::size_t i = 0; i < 9; ++i) {
            double sum = 0;
            for (const double one : y) sum += std::exp(-((x[i] - one) * (x[i] - one)));
            EXPECT_NEAR(out[i], sum, 1e-13 * (1 + sum)) << many;
        }
    }
}

/// More tasks than a large GPU has threads: each thread runs several, whose loops are in step.
constexpr std::int64_t many_tasks = (std::int64_t{1} << 20) + 77;

TEST(LoopsInStep, OfFunctionsOfElements) {
    generator rng(8);
    for (const std::int64_t many : {0, 1, 2, 3, 5, 8, 17}) {
        const std::vector<double> x = eighths<double>(many_tasks, rng), y = eighths<double>(many, rng);
        std::vector<double> out(at(many_tasks), -1);
        run::gaussians(many_tasks, x, y, out);
        for (std::size_t i = 0; i < out.size(); ++i) {
            double sum = 0;
            for (const double one : y) sum += std::exp(-((x[i] - one) * (x[i] - one)));
            ASSERT_NEAR(out[i], sum, 1e-13 * (1 + sum)) << i << " of " << many;
        }
    }
}

TEST(LoopsInStep, OfStructs) {
    generator rng(9);
    const std::int64_t centres = 7, axes = 2;
    const std::vector<float> x = eighths<float>(many_tasks * axes, rng), c = eighths<float>(centres * axes, rng);
    std::vector<run::nearest_point> out(at(many_tasks));
    run::nearest(many_tasks, host(x, {many_tasks, axes}), host(c, {centres, axes}), out);
    for (std::int64_t i = 0; i < many_tasks; ++i) {
        std::int32_t where = -1;
        float best = 1e30f;
        for (std::int64_t k = 0; k < centres; ++k) {
            const float a = x[at(2 * i)] - c[at(2 * k)], b = x[at(2 * i + 1)] - c[at(2 * k + 1)];
            if (a * a + b * b < best) {
                best = a * a + b * b;
                where = static_cast<std::int32_t>(k);
            }
        }
        ASSERT_EQ(out[at(i)].number, where) << i;
        ASSERT_EQ(out[at(i)].distance, best) << i;
    }
}

TEST(LoopsInStep, AlongTwoAxes) {
    generator rng(10);
    for (const std::int64_t columns : {3, 33, 1500}) {
        const std::int64_t rows = many_tasks / columns + 1, taps = 6;
        std::vector<std::int32_t> x(at(rows * columns)), weights(at(taps));
        for (std::int32_t& one : x) one = static_cast<std::int32_t>(below(rng, 2001)) - 1000;
        for (std::int32_t& one : weights) one = static_cast<std::int32_t>(below(rng, 21)) - 10;
        std::vector<std::int64_t> out(at(rows * columns), -1);
        run::filtered({rows, columns}, host(x, {rows, columns}), weights, host(out, {rows, columns}), 4);
        std::int64_t spread = 1;
        for (int k = 0; k < 4; ++k) spread += weights[at(k)] * weights[at(k)];
        for (std::int64_t i = 0; i < rows * columns; ++i) {
            std::int64_t sum = 0;
            for (std::int64_t k = 0; k < taps; ++k)
                sum += std::int64_t{x[at(i + (i % columns + k < columns ? k : 0))]} * weights[at(k)];
            ASSERT_EQ(out[at(i)], sum < 0 ? sum - spread : sum) << i << " of " << columns;
        }
    }
}

TEST(WarpLoops, OneAfterTheOther) {
    generator rng(5);
    for (const std::int64_t n : lengths) {
        const std::int64_t rows = 5, columns = 7, all = rows * columns;
        const std::vector<float> x = eighths<float>(all * n, rng);
        std::vector<double> mean(at(all), -7), variance(at(all), -7);
        run::moments({rows, columns}, host(x, {rows, columns, n}), 2, host(mean, {rows, columns}),
                     host(variance, {rows, columns}));
        for (std::int64_t i = 0; i < all; ++i) {
            double sum = 0, squares = 0;
            for (std::int64_t k = 0; k < n; ++k) sum += x[at(i * n + k)];
            const double m = n > 0 ? sum / static_cast<double>(n) : 0.0;
            for (std::int64_t k = 0; k < n; ++k) squares += (x[at(i * n + k)] - m) * (x[at(i * n + k)] - m);
            EXPECT_EQ(mean[at(i)], m) << n;
            if (n > 1)
                EXPECT_NEAR(variance[at(i)], squares / static_cast<double>(n - 1), 1e-12) << n;
            else
                EXPECT_EQ(variance[at(i)], -7) << n;
        }
    }
}

TEST(WarpLoops, KeepTheOrder) {
    generator rng(6);
    std::vector<std::uint8_t> text(5000);
    for (std::uint8_t& one : text) one = static_cast<std::uint8_t>(below(rng, 256));
    std::vector<std::uint32_t> parts;
    for (int i = 0; i < 400; ++i) {
        const auto begin = static_cast<std::uint32_t>(below(rng, 4000));
        parts.push_back(begin);
        parts.push_back(i % 9 == 0 ? begin / 2 : begin + static_cast<std::uint32_t>(below(rng, 1000)));
    }
    std::vector<std::uint64_t> out(400);
    run::hashes(400, text, host(parts, {400, 2}), out);
    for (std::size_t i = 0; i < 400; ++i) {
        std::uint64_t hash = 14695981039346656037u;
        for (std::uint32_t k = parts[2 * i]; k < parts[2 * i + 1]; ++k) hash = (hash ^ text[k]) * 1099511628211u;
        EXPECT_EQ(out[i], hash) << i;
    }
}

TEST(WarpLoops, OfComplexNumbers) {
    generator rng(7);
    for (const std::int64_t n : lengths) {
        std::vector<std::complex<float>> x(at(3 * n)), out(3);
        for (std::complex<float>& one : x)
            one = {static_cast<float>(below(rng, 64)), static_cast<float>(below(rng, 64))};
        run::waves(3, host(x, {3, n}), out);
        for (std::int64_t i = 0; i < 3; ++i) {
            std::complex<float> sum = 0;
            for (std::int64_t k = 0; k < n; ++k) sum += x[at(i * n + k)] * std::complex<float>(0, 1);
            EXPECT_EQ(out[at(i)], sum) << n;
        }
    }
}

}  // namespace
