// tests/run/cuda_std_test.cpp: kernels over types of libcu++ compute what these do on the host.
#include "cuda_std.kernels.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace {

using namespace cuda_std;

constexpr int count = 1000;

std::vector<int> numbers() {
    std::vector<int> x(count);
    std::iota(x.begin(), x.end(), 0);
    return x;
}

/// Real and imaginary parts are whole numbers, so that products and sums are exact in any order.
std::vector<complex> plane() {
    std::vector<complex> z;
    for (int i = 0; i < count; ++i) z.emplace_back(static_cast<float>(i % 7 - 3), static_cast<float>(i % 5));
    return z;
}

TEST(CudaStd, complexNumbersAreElementsAndAccumulators) {
    const std::vector<complex> z = plane();
    std::vector<complex> products(count);
    cuda_std::product(z, z, products);
    complex sum(0, 0);
    for (std::size_t i = 0; i < z.size(); ++i) {
        EXPECT_EQ(products[i], z[i] * z[i] + complex(1, 2));
        sum += z[i];
    }
    EXPECT_EQ(cuda_std::total(z), sum);
}

TEST(CudaStd, arraysAreElementsAndViews) {
    const std::vector<int> x = numbers();
    std::vector<triple> rows, turns(count);
    for (const int i : x) rows.push_back({static_cast<float>(i), 2, static_cast<float>(-i)});
    cuda_std::rotated(rows, x, turns);
    std::vector<float> sums(count);
    cuda_std::summed(rows.size(), rows, sums);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        EXPECT_EQ(turns[i], (triple{rows[i][i % 3], 2, rows[i][0]}));
        EXPECT_EQ(sums[i], 2);
    }
}

TEST(CudaStd, tuplesAndPairsAreElements) {
    const std::vector<int> x = numbers();
    std::vector<mixed> tuples(count);
    std::vector<double> values(count);
    cuda_std::made(x, tuples);
    cuda_std::taken(tuples, values);
    std::vector<pair> pairs, turns(count);
    for (const int i : x) pairs.emplace_back(static_cast<float>(i), i);
    cuda_std::turned(pairs, turns);
    for (int i = 0; i < count; ++i) {
        const auto at = static_cast<std::size_t>(i);
        EXPECT_EQ(tuples[at], mixed(i, i / 2.0, i > 3));
        EXPECT_EQ(values[at], i > 3 ? i + i / 2.0 : i / 2.0);
        EXPECT_EQ(turns[at], pair(static_cast<float>(i) + 1, -i));
    }
}

TEST(CudaStd, kernelsComputeWithThem) {
    const std::vector<int> x = numbers();
    std::vector<int> found(count);
    cuda_std::within(x, found);
    for (int i = 0; i < count; ++i) EXPECT_EQ(found[static_cast<std::size_t>(i)], i > 2 ? i : -1);
}

}  // namespace
