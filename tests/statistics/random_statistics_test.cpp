// tests/statistics/random_statistics_test.cpp: whether random numbers have the distributions that they should have.
//
// Everything is computed from fixed seeds, so a test that passes passes always. FOLDWISE_STATISTICS_SAMPLES sets how
// many numbers each test draws; the limits, of which each holds for all but one in a million or so, follow from it.
#include <foldwise/random.hpp>
#include <foldwise/xoroshiro128p.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

using foldwise::random;

constexpr double deviations = 5;  // of a normal number: one in 1.7 million is beyond

std::uint64_t samples() {
    const char* given = std::getenv("FOLDWISE_STATISTICS_SAMPLES");
    return given ? std::stoull(given) : 1'000'000;
}

/// How far chi-square with so many degrees of freedom is from its mean, in standard deviations (Wilson and Hilferty).
double deviation_of_chi_square(double chi_square, double degrees) {
    const double variance = 2 / (9 * degrees);
    return (std::cbrt(chi_square / degrees) - (1 - variance)) / std::sqrt(variance);
}

void expect_even(const std::vector<std::uint64_t>& counts, std::uint64_t total) {
    const double expected = static_cast<double>(total) / static_cast<double>(counts.size());
    double chi_square = 0;
    for (const std::uint64_t count : counts)
        chi_square += std::pow(static_cast<double>(count) - expected, 2) / expected;
    EXPECT_LT(std::abs(deviation_of_chi_square(chi_square, static_cast<double>(counts.size() - 1))), deviations);
}

/// Checks that the mean of numbers whose moments are known is within the limit.
void expect_moments(const auto& draw, const std::vector<double>& moments) {
    const std::uint64_t n = samples();
    const std::size_t tested = moments.size() / 2;  // the variance of x^k needs the moment of 2k
    std::vector<double> sums(tested);
    for (std::uint64_t i = 0; i < n; ++i) {
        const double x = draw(i);
        double power = 1;
        for (double& sum : sums) sum += power *= x;
    }
    for (std::size_t k = 0; k < tested; ++k) {
        const double variance = moments[2 * k + 1] - moments[k] * moments[k];
        EXPECT_LT(std::abs(sums[k] / static_cast<double>(n) - moments[k]),
                  deviations * std::sqrt(variance / static_cast<double>(n)))
            << "moment " << k + 1;
    }
}

const std::vector<double> uniform_moments = {1 / 2.0, 1 / 3.0, 1 / 4.0, 1 / 5.0, 1 / 6.0, 1 / 7.0, 1 / 8.0, 1 / 9.0};
const std::vector<double> normal_moments = {0, 1, 0, 3, 0, 15, 0, 105};
const std::vector<double> exponential_moments = {1, 2, 6, 24, 120, 720};

template <class T> void expect_distributions() {
    random draw(1, 0);
    expect_moments([&](std::uint64_t) -> double { return draw.uniform<T>(); }, uniform_moments);
    expect_moments([&](std::uint64_t) -> double { return draw.normal<T>(); }, normal_moments);
    expect_moments([&](std::uint64_t) -> double { return draw.exponential<T>(); }, exponential_moments);
    expect_moments([](std::uint64_t i) -> double { return random(2, i).uniform<T>(); }, uniform_moments);
    expect_moments([](std::uint64_t i) -> double { return random(3, i).normal<T>(); }, normal_moments);
}

TEST(Statistics, MomentsOfFloats) { expect_distributions<float>(); }
TEST(Statistics, MomentsOfDoubles) { expect_distributions<double>(); }

TEST(Statistics, MomentsOfXoroshiro128p) {
    foldwise::xoroshiro128p draw(1);
    expect_moments([&](std::uint64_t) -> double { return draw.uniform<double>(); }, uniform_moments);
    expect_moments([&](std::uint64_t) -> double { return draw.normal<double>(); }, normal_moments);
}

TEST(Statistics, EveryBitIsEven) {
    const std::uint64_t n = samples();
    std::vector<std::uint64_t> ones(32);
    random draw(4, 4);
    for (std::uint64_t i = 0; i < n; ++i) {
        const std::uint32_t word = draw.bits();
        for (std::size_t bit = 0; bit < 32; ++bit) ones[bit] += word >> bit & 1;
    }
    for (const std::uint64_t count : ones) expect_even({count, n - count}, n);
}

TEST(Statistics, PairsOfNeighboursFillTheSquare) {
    const std::uint64_t n = samples();
    for (const bool are_streams : {false, true}) {
        std::vector<std::uint64_t> counts(32 * 32);
        random draw(5, 5);
        for (std::uint64_t i = 0; i < n; ++i) {
            const std::uint32_t a = are_streams ? random(5, 2 * i).bits() : draw.bits();
            const std::uint32_t b = are_streams ? random(5, 2 * i + 1).bits() : draw.bits();
            ++counts[(a >> 27) * 32 + (b >> 27)];
        }
        expect_even(counts, n);
    }
}

TEST(Statistics, NormalNumbersFillBinsOfEqualProbability) {
    const std::uint64_t n = samples();
    std::vector<std::uint64_t> counts(64);
    for (std::uint64_t i = 0; i < n; ++i) {
        const double below = std::erfc(-random::at(6, i).normal<double>() / std::sqrt(2.0)) / 2;
        ++counts[std::min<std::size_t>(static_cast<std::size_t>(below * 64), 63)];
    }
    expect_even(counts, n);
}

TEST(Statistics, DiceAreFair) {
    const std::uint64_t n = samples();
    for (const std::uint32_t sides : {2u, 6u, 1000u}) {
        std::vector<std::uint64_t> counts(sides), wide(sides);
        random draw(7, sides);
        for (std::uint64_t i = 0; i < n; ++i) {
            ++counts[draw.below(sides)];
            ++wide[static_cast<std::size_t>(draw.below(std::uint64_t{sides}))];
        }
        expect_even(counts, n);
        expect_even(wide, n);
    }
}

/// Numbers of two sequences that are close together by some argument.
void expect_uncorrelated(const auto& first, const auto& second) {
    const std::uint64_t n = samples();
    double sum = 0;
    for (std::uint64_t i = 0; i < n; ++i) sum += (first(i).uniform() - 0.5) * (second(i).uniform() - 0.5);
    EXPECT_LT(std::abs(sum * 12 / std::sqrt(static_cast<double>(n))), deviations);
}

TEST(Statistics, NeighboursAreUncorrelated) {
    const auto own = [](std::uint64_t i) { return random(8, i, i % 3); };
    expect_uncorrelated(own, [](std::uint64_t i) { return random(8, i + 1, i % 3); });
    expect_uncorrelated(own, [](std::uint64_t i) { return random(9, i, i % 3); });
    expect_uncorrelated(own, [](std::uint64_t i) { return random(8, i, i % 3 + 1); });
    expect_uncorrelated(own, [](std::uint64_t i) { return random(8, i ^ std::uint64_t{1} << 63, i % 3); });
}

}  // namespace
