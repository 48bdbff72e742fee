// tests/run/edges_test.cpp: tasks near edges and away from them, against plain loops, where rows are empty, where they
// are all edge, and where they are long, and where tasks end elsewhere than views.
#include "edges.kernels.hpp"
#include "trial.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace {

using foldwise::host;
using run_tests::generator;

constexpr std::int64_t some_rows[] = {0, 1, 2, 3, 6};
constexpr std::int64_t some_lengths[] = {0, 1, 2, 3, 4, 31, 33, 40, 41, 999, 1000, 1001};

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

template <class T> std::vector<T> numbers(std::int64_t count, generator& rng) {
    std::vector<T> all(at(count));
    for (T& one : all) one = static_cast<T>(static_cast<int>(rng() % 4001) - 2000) / 8;
    return all;
}

}  // namespace

TEST(Edges, OfAStar) {
    generator rng(1);
    for (const std::int64_t n : some_rows) {
        for (const std::int64_t m : some_lengths) {
            const std::vector<float> x = numbers<float>(n * m, rng);
            std::vector<float> out(x.size()), expected(x.size());
            for (std::int64_t i = 0; i < n; ++i)
                for (std::int64_t j = 0; j < m; ++j) {
                    const bool is_edge = i == 0 || i == n - 1 || j == 0 || j == m - 1;
                    const auto of = [&](std::int64_t r, std::int64_t c) { return x[at(r * m + c)]; };
                    expected[at(i * m + j)] =
                        is_edge ? of(i, j) : 0.25f * (of(i - 1, j) + of(i + 1, j) + of(i, j - 1) + of(i, j + 1));
                }
            edges::star(foldwise::tasks<2>({n, m}), host(x.data(), {n, m}), host(out.data(), {n, m}));
            EXPECT_EQ(out, expected) << n << " x " << m;
        }
    }
}

// Views end before the tasks' shape is full, or behind it.
TEST(Edges, OfFewerTasksThanElements) {
    generator rng(2);
    const std::int64_t n = 5, m = 200;
    const std::vector<float> x = numbers<float>(n * m, rng);
    for (const std::int64_t rows : {1, 2, 4, 5}) {
        for (const std::int64_t columns : {1, 2, 40, 198, 199, 200}) {
            std::vector<float> out(x.size(), -5), expected = out;
            for (std::int64_t i = 0; i < rows; ++i)
                for (std::int64_t j = 0; j < columns; ++j) {
                    const bool is_edge = i == 0 || i == n - 1 || j == 0 || j == m - 1;
                    const auto of = [&](std::int64_t r, std::int64_t c) { return x[at(r * m + c)]; };
                    expected[at(i * m + j)] =
                        is_edge ? of(i, j) : 0.25f * (of(i - 1, j) + of(i + 1, j) + of(i, j - 1) + of(i, j + 1));
                }
            edges::star(foldwise::tasks<2>({rows, columns}), host(x.data(), {n, m}), host(out.data(), {n, m}));
            EXPECT_EQ(out, expected) << rows << " x " << columns;
        }
    }
}

TEST(Edges, ThatKeepWhatTheyHave) {
    generator rng(3);
    for (const std::int64_t n : some_rows) {
        for (const std::int64_t l : some_lengths) {
            const std::int64_t m = 4;
            const std::vector<double> x = numbers<double>(n * m * l, rng);
            std::vector<double> out(x.size(), 3), expected = out;
            for (std::int64_t i = 1; i < n - 1; ++i)
                for (std::int64_t j = 1; j < m - 1; ++j)
                    for (std::int64_t k = 1; k < l - 1; ++k) {
                        const auto of = [&](std::int64_t a, std::int64_t b, std::int64_t c) {
                            return x[at((a * m + b) * l + c)];
                        };
                        expected[at((i * m + j) * l + k)] =
                            of(i, j, k) - of(i - 1, j + 1, k - 1) * 0.5 - of(i + 1, j - 1, k + 1) * 0.25;
                    }
            edges::box(foldwise::tasks<3>({n, m, l}), host(x.data(), {n, m, l}), host(out.data(), {n, m, l}));
            EXPECT_EQ(out, expected) << n << " x " << m << " x " << l;
        }
    }
}

TEST(Edges, OfViewsThatEndAtDifferentPlaces) {
    generator rng(4);
    const std::int64_t rows = 3;
    for (const std::int64_t m : some_lengths) {
        for (const std::int64_t of_a : {m, m / 2, m - 1, m - 9}) {
            for (const std::int64_t of_b : {m - 3, m / 3, std::int64_t{1}}) {
                if (of_a < 0 || of_b < 0) continue;
                const std::vector<float> a = numbers<float>(2 * of_a, rng), b = numbers<float>(rows * of_b, rng);
                std::vector<float> out(at(rows * m)), expected(out.size());
                for (std::int64_t i = 0; i < rows; ++i)
                    for (std::int64_t j = 0; j < m; ++j) {
                        float value = -1;
                        if (i < 2 && j < of_a) value = a[at(i * of_a + j)];
                        if (j >= 3 && j - 3 < of_b) value = 100 * value + b[at(i * of_b + j - 3)];
                        expected[at(i * m + j)] = value;
                    }
                edges::joined(foldwise::tasks<2>({rows, m}), host(a.data(), {2, of_a}), host(b.data(), {rows, of_b}),
                              host(out.data(), {rows, m}));
                EXPECT_EQ(out, expected) << m << ", " << of_a << ", " << of_b;
            }
        }
    }
}

// Long enough for several threads, each of which begins somewhere within the row.
TEST(Edges, OfOneRow) {
    generator rng(5);
    for (const std::int64_t n : {0, 1, 2, 3, 17, 18, 19, 33, 50, 999, 1000, 1001, 3000001}) {
        const std::vector<int> x = numbers<int>(n, rng);
        std::vector<int> out(x.size()), expected(x.size());
        for (std::int64_t i = 0; i < n; ++i)
            expected[at(i)] = (i >= 2 ? x[at(i - 2)] : 7) - (i + 16 < n ? x[at(i + 16)] : 9);
        edges::differences(n, x, out);
        EXPECT_TRUE(out == expected) << n;
    }
}

// Strided views have one function for all tasks.
TEST(Edges, OfStridedViews) {
    generator rng(6);
    const std::int64_t n = 4, m = 1000;
    const std::vector<float> x = numbers<float>(2 * n * m, rng);
    std::vector<float> out(at(n * m)), expected(out.size());
    for (std::int64_t i = 0; i < n; ++i)
        for (std::int64_t j = 0; j < m; ++j) {
            const bool is_edge = i == 0 || i == n - 1 || j == 0 || j == m - 1;
            const auto of = [&](std::int64_t r, std::int64_t c) { return x[at(2 * (r * m + c))]; };
            expected[at(i * m + j)] =
                is_edge ? of(i, j) : 0.25f * (of(i - 1, j) + of(i + 1, j) + of(i, j - 1) + of(i, j + 1));
        }
    edges::star(foldwise::tasks<2>({n, m}), host(x.data(), {n, m}, {2 * m, 2}), host(out.data(), {n, m}));
    EXPECT_EQ(out, expected);
}

TEST(Edges, OfAKernelBesideOneWithTheNameOfItsSecondFunction) {
    const std::vector<float> x(9 * 50, 1);
    std::vector<float> sums(x.size()), doubled(x.size());
    edges::star(foldwise::tasks<2>({9, 50}), host(x.data(), {9, 50}), host(sums.data(), {9, 50}));
    edges::star_inside_edges(foldwise::tasks<2>({9, 50}), host(x.data(), {9, 50}), host(doubled.data(), {9, 50}));
    EXPECT_EQ(sums, std::vector<float>(x.size(), 1));
    EXPECT_EQ(doubled, std::vector<float>(x.size(), 2));
}
