// tests/run/reduce_test.cpp: generated reductions against plain loops, on the executor that the environment names:
// every size, order, empty inputs, initial values, results left in arrays, strided and broadcast operands, rounding.
#include "reduce.kernels.hpp"
#include "trial.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace {

/// Every size up to 5,000, and those around powers of two; in the simulator, where elements cost a thousand times as
/// much, every seventh from 300 on, and powers up to 2^17.
std::vector<std::size_t> sizes() {
    const bool is_simulator = run_tests::runs_on("simulator");
    std::vector<std::size_t> all;
    for (std::size_t n = 0; n <= 5000; n += is_simulator && n >= 300 ? 7 : 1) all.push_back(n);
    const std::size_t largest = std::size_t{1} << (is_simulator ? 17 : 22);
    for (std::size_t power = 512; power <= largest; power *= 2)
        for (std::size_t n = power - 1; n <= power + 1; ++n) all.push_back(n);
    return all;
}

template <class T, class Make> std::vector<T> generate(std::size_t n, Make make) {
    std::vector<T> all(n);
    for (std::size_t i = 0; i < n; ++i) all[i] = static_cast<T>(make(i));
    return all;
}

run::affine composed(const std::vector<run::affine>& all) {
    run::affine want{1, 0};
    for (const run::affine& g : all) want = {want.a * g.a, g.a * want.b + g.b};
    return want;
}

std::vector<run::affine> affines(std::size_t n) {
    std::vector<run::affine> all(n);
    for (std::size_t i = 0; i < n; ++i)
        all[i] = {static_cast<std::uint32_t>(2 * i + 3), static_cast<std::uint32_t>(i * i + 1)};
    return all;
}

/// n times one of these numbers, in turn: those that sums of narrow integers in 32 bits hold the fewest of.
template <class T> std::vector<T> extremes(std::size_t n, T one, T other) {
    return generate<T>(n, [=](std::size_t i) { return i < n / 2 ? one : other; });
}

TEST(Sizes, SumsOfNarrowIntegersInWideOnes) {
    for (std::size_t n : {std::size_t{15}, std::size_t{4097}, std::size_t{70001}, std::size_t{300000}}) {
        const auto count = static_cast<std::int64_t>(n), half = count / 2;
        EXPECT_EQ(run::sum_of_narrow(extremes<std::int16_t>(n, -32768, -32768)), -32768 * count) << n;
        EXPECT_EQ(run::sum_of_narrow(extremes<std::int16_t>(n, 32767, -32768)), 32767 * half - 32768 * (count - half))
            << n;
        EXPECT_EQ(run::sum_of_narrow(extremes<std::int32_t>(n, 2147483647, 2147483647)), 2147483647 * count) << n;
        EXPECT_EQ(run::difference(extremes<std::uint16_t>(n, 0, 0), extremes<std::uint16_t>(n, 65535, 65535)),
                  -65535 * count)
            << n;
        EXPECT_EQ(run::square(extremes<std::int16_t>(n, -32768, -32768)), (std::int64_t{1} << 30) * count) << n;
    }
}

TEST(Sizes, SumsOfIntegers) {
    for (std::size_t n : sizes()) {
        const auto x = generate<std::int64_t>(n, [](std::size_t i) { return i * i % 1009; });
        ASSERT_EQ(run::sum(x), std::accumulate(x.begin(), x.end(), std::int64_t{0})) << n;
        const auto bytes = generate<std::uint8_t>(n, [](std::size_t i) { return i * 7; });
        ASSERT_EQ(run::parity(bytes), std::accumulate(bytes.begin(), bytes.end(), 0, std::bit_xor<>())) << n;
    }
}

TEST(Sizes, Largest) {
    for (std::size_t n : sizes()) {
        const auto x = generate<std::int32_t>(n, [](std::size_t i) { return -5 - static_cast<int>(i * 37 % 1000); });
        const auto want = std::accumulate(x.begin(), x.end(), std::numeric_limits<std::int32_t>::lowest(),
                                          [](auto a, auto b) { return std::max(a, b); });
        ASSERT_EQ(run::largest(x), want) << n;
    }
}

TEST(Sizes, StructOfTwelveBytes) {
    for (std::size_t n : sizes()) {
        std::vector<run::point> points(n);
        for (std::size_t i = 0; i < n; ++i) points[i] = {1, static_cast<float>(i % 3), -1};
        const run::point centre = run::centre(points);
        ASSERT_EQ(centre.x, static_cast<float>(n)) << n;
        ASSERT_EQ(centre.y, static_cast<float>(n / 3 * 3 + (n % 3 == 2))) << n;
        ASSERT_EQ(centre.z, -static_cast<float>(n)) << n;
    }
}

TEST(Sizes, OrderIsKept) {
    for (std::size_t n : sizes()) {
        const std::vector<run::affine> f = affines(n);
        const run::affine want = composed(f), got = run::compose(f);
        ASSERT_EQ(got.a, want.a) << n;
        ASSERT_EQ(got.b, want.b) << n;
        if (n == 0) continue;
        ASSERT_EQ(run::last(generate<std::int8_t>(n, [](std::size_t i) { return i % 100; })),
                  static_cast<std::int8_t>((n - 1) % 100))
            << n;
    }
}

/// What `summarise` makes of every `step`-th of `count` numbers, from `begin` on.
void expect_summary(const run::summary& got, const std::vector<std::int16_t>& x, std::size_t begin, std::size_t count,
                    std::size_t step) {
    std::int16_t low = x[begin], high = low;
    std::int64_t sum = 0, squares = 0;
    bool has_odd = false;
    for (std::size_t i = 0; i < count; ++i) {
        const std::int16_t value = x[begin + i * step];
        low = std::min(low, value);
        high = std::max(high, value);
        sum += value;
        squares += value * value;
        has_odd |= value % 2 != 0;
    }
    ASSERT_EQ(got.range.low, low);
    ASSERT_EQ(got.range.high, high);
    ASSERT_EQ(got.sums[0], sum);
    ASSERT_EQ(got.sums[1], squares);
    ASSERT_EQ(got.has_odd, has_odd);
    ASSERT_EQ(static_cast<float>(got.least), low);
}

TEST(Sizes, StructsOfManyNumbers) {
    for (std::size_t n : sizes()) {
        if (n == 0) continue;
        const auto x = generate<std::int16_t>(n, [](std::size_t i) { return 2 * (i * 37 % 900) - 800 + (i == 5000); });
        SCOPED_TRACE(n);
        expect_summary(run::summarise(x), x, 0, n, 1);
    }
    const auto x = generate<std::int16_t>(300 * 70, [](std::size_t i) { return 2 * (i * 37 % 900) - 800 + (i == 77); });
    const foldwise::array<std::int16_t> table = foldwise::to_device(x).reshape({300, 70});
    const auto columns = run::summarise(table, foldwise::axis(0)).to_host();
    for (std::size_t column = 0; column < 70; ++column) expect_summary(columns[column], x, column, 300, 70);
    const auto rows = run::summarise(table, foldwise::axis(1)).to_host();
    for (std::size_t row = 0; row < 300; ++row) expect_summary(rows[row], x, row * 70, 70, 1);
}

TEST(Sizes, TheFirstOfTheLargest) {
    for (std::size_t n : sizes()) {
        if (n == 0) continue;
        std::vector<float> x(n, 1);
        x[n / 2] = x[n - 1] = 2;
        const run::peak peak = run::argmax(x);
        ASSERT_EQ(peak.value, 2) << n;
        ASSERT_EQ(peak.at, static_cast<std::int64_t>(n / 2)) << n;
    }
}

TEST(Operations, OfEveryKind) {
    EXPECT_NEAR(run::product(generate<double>(64, [](std::size_t i) { return i + 1; })), 1.2688693218588417e89, 1e75);
    EXPECT_EQ(run::product(std::vector<std::uint32_t>(40, 3)), static_cast<std::uint32_t>(12157665459056928801u));
    EXPECT_EQ(run::smallest(generate<std::uint8_t>(1000, [](std::size_t i) { return 255 - i % 200; })), 56);
    EXPECT_EQ(run::parity(generate<std::uint64_t>(1001, [](std::size_t i) { return i; })), std::uint64_t{1000});
    bool flags[777] = {};
    EXPECT_FALSE(run::any(flags));
    flags[776] = true;
    EXPECT_TRUE(run::any(flags));
    EXPECT_EQ(run::sum_wide(std::vector<float>(100001, 0.5f)), 50000.5);
    EXPECT_EQ(run::sum_wide(std::vector<std::int8_t>(100001, -128)), -12800128);
    EXPECT_EQ(run::dot(generate<double>(1000, [](std::size_t i) { return i; }),
                       generate<double>(1000, [](std::size_t i) { return i; })),
              332833500.0);
    EXPECT_NEAR(run::variance(generate<float>(10001, [](std::size_t i) { return i; })), (10001.0 * 10001 - 1) / 12,
                1e-6);
    EXPECT_EQ(static_cast<float>(run::largest(std::vector<foldwise::half>{-3.0f, -1.5f, -2.0f})), -1.5f);
}

TEST(Empty, IsTheIdentityOrAnError) {
    EXPECT_EQ(run::sum(std::vector<float>()), 0);
    EXPECT_EQ(run::product(std::vector<double>()), 1);
    EXPECT_EQ(run::largest(std::vector<float>()), -std::numeric_limits<float>::infinity());
    EXPECT_EQ(static_cast<float>(run::largest(std::vector<foldwise::half>())), -std::numeric_limits<float>::infinity());
    EXPECT_EQ(run::largest(std::vector<std::int32_t>()), std::numeric_limits<std::int32_t>::lowest());
    EXPECT_EQ(run::argmax(std::vector<float>()).at, -1);
    EXPECT_TRUE(std::isnan(run::variance(std::vector<float>())));
    try {
        static_cast<void>(run::smallest(std::vector<float>()));
        FAIL() << "there is no smallest of nothing";
    } catch (const foldwise::empty_error& e) {
        EXPECT_EQ(std::string(e.what()),
                  "run::smallest: there are no elements in shape (0), and the reduction has no identity");
    }
    EXPECT_EQ(run::smallest(std::vector<float>(), foldwise::initial(2)), 2);
}

TEST(Initial, ComesFirst) {
    const std::vector<double> x{1, 2, 3};
    EXPECT_EQ(run::sum(x, foldwise::initial(3.0)), 9);
    EXPECT_EQ(run::sum(x, foldwise::initial(3)), 9);
    EXPECT_EQ(run::sum(std::vector<double>(), foldwise::initial(3.5)), 3.5);
    const std::vector<run::affine> f = affines(70001);
    const run::affine got =
        run::compose(std::vector<run::affine>(f.begin() + 1, f.end()), foldwise::initial(f.front()));
    EXPECT_EQ(got.a, composed(f).a);
    EXPECT_EQ(got.b, composed(f).b);
}

TEST(Results, MayStayWhereTheyAreComputed) {
    const foldwise::array<double> x = foldwise::to_device(generate<double>(1234, [](std::size_t i) { return i + 1; }));
    foldwise::array<double> out(foldwise::shape{});
    run::sum(x, out);
    EXPECT_EQ(out.to_host().at(0), 1234 * 1235 / 2.0);
    run::sum(x, out, foldwise::initial(3.0));
    EXPECT_EQ(out.to_host().at(0), 1234 * 1235 / 2.0 + 3);
    std::vector<double> on_host(1);
    run::sum(x, on_host);
    EXPECT_EQ(on_host[0], 1234 * 1235 / 2.0);
}

TEST(Shapes, StridedAndBroadcastOperands) {
    const auto all = generate<std::int32_t>(60 * 70, [](std::size_t i) { return i % 91; });
    const foldwise::view<const std::int32_t> x(all.data(), foldwise::shape{60, 70});
    std::int64_t every_other = 0, weighted = 0, transposed = 0;
    for (std::int64_t i = 0; i < 60; ++i) {
        for (std::int64_t j = 0; j < 70; ++j) {
            const std::int64_t value = all[static_cast<std::size_t>(i * 70 + j)];
            if (j % 2 == 0) every_other += value;
            weighted += value * (1000 * i + j);
            transposed += value * (1000 * j + i);
        }
    }
    EXPECT_EQ(run::sum_wide(x.slice(1, 0, 70, 2)), every_other);
    EXPECT_EQ(run::moment(x), weighted);
    EXPECT_EQ(run::moment(x.transpose()), transposed);
    EXPECT_THROW(static_cast<void>(run::moment(all)), foldwise::shape_error);

    const std::vector<float> row{1, 2, 3};
    const auto column = generate<float>(4000, [](std::size_t i) { return i % 5; });
    EXPECT_EQ(run::dot(foldwise::view<const float>(column.data(), foldwise::shape{4000, 1}), row), 48000);
    EXPECT_EQ(run::dot(row, 2.0f), 12);

    const std::vector<run::affine> f = affines(5001);
    std::vector<run::affine> backwards(f.rbegin(), f.rend());
    const foldwise::view<const run::affine> turned =
        foldwise::view<const run::affine>(backwards.data(), foldwise::shape{5001}).slice(0, 5000, -1, -1);
    EXPECT_EQ(run::compose(turned).b, composed(f).b);
}

TEST(Shapes, ThatDoNotFitAreNamed) {
    const std::vector<float> three(3), four(4);
    try {
        static_cast<void>(run::dot(three, four));
        FAIL() << "3 and 4 do not broadcast";
    } catch (const foldwise::shape_error& e) {
        EXPECT_EQ(std::string(e.what()),
                  "run::dot: operands x (3) and y (4) do not broadcast: they have 3 and 4 elements");
    }
    std::vector<float> out(2, 9);
    EXPECT_THROW(run::sum(three, out), foldwise::shape_error);
    EXPECT_EQ(out, std::vector<float>(2, 9));
}

TEST(Rounding, IsTheSameInEveryRun) {
    std::mt19937_64 rng(1);
    std::uniform_real_distribution<float> any(-1, 1);
    for (std::size_t n : {1000, 70001, 1 << 20}) {
        const auto x = generate<float>(n, [&](std::size_t) { return any(rng); });
        const float first = run::sum(x);
        const double spread = run::variance(x);
        for (int i = 0; i < 20; ++i) {
            ASSERT_EQ(run::sum(x), first);
            ASSERT_EQ(run::variance(x), spread);
        }
    }
}

TEST(Rounding, StridedOperandsRoundAsContiguousOnes) {
    if (!run_tests::runs_on("cpu")) GTEST_SKIP() << "a promise of the CPU's";
    std::mt19937_64 rng(2);
    std::uniform_real_distribution<float> any(-1, 1);
    const auto x = generate<float>(100001, [&](std::size_t) { return any(rng); });
    std::vector<float> apart(x.size() * 3);
    for (std::size_t i = 0; i < x.size(); ++i) apart[3 * i] = x[i];
    const foldwise::view<const float> strided(apart.data(), foldwise::shape{apart.size()});
    EXPECT_EQ(run::sum(strided.slice(0, 0, static_cast<std::int64_t>(apart.size()), 3)), run::sum(x));
}

TEST(Rounding, SumsAreNoWorseThanPairwise) {
    // Large terms that cancel: what is left is made of their roundings. Single cases are luck; the mean over many is
    // not.
    std::mt19937_64 rng(3);
    std::uniform_real_distribution<float> any(-1e6f, 1e6f);
    for (std::size_t n : {63, 1000, 4097, 100003}) {
        double ours = 0, theirs = 0;
        for (int trial = 0; trial < (n > 10'000 ? 200 : 2000); ++trial) {
            auto x = generate<float>(n, [&](std::size_t) { return any(rng); });
            double exact = 0;  // sums of floats of this range are exact in double, up to far more than n of them
            for (float value : x) exact += value;
            ours += std::abs(run::sum(x) - exact);
            theirs += std::abs(run_tests::pairwise(x.data(), n) - exact);
        }
        EXPECT_LE(ours, 1.1 * theirs) << n;
    }
}

}  // namespace
