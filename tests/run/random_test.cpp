// tests/run/random_test.cpp: random numbers in generated kernels are those of the host, and shapes are reduced without
// any array, on the executor that the environment names.
#include "random.kernels.hpp"

#include <foldwise/random.hpp>
#include <foldwise/runtime.hpp>
#include <foldwise/xoroshiro128p.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace {

using foldwise::random;
using foldwise::shape;

constexpr std::uint64_t seed = 0xfedcba9876543210u;
constexpr std::int64_t sizes[] = {0, 1, 2, 3, 4, 5, 7, 8, 31, 33, 257, 1023, 2047, 2048, 2050, 4099, 100'003};

std::uint64_t number(std::size_t i) { return static_cast<std::uint64_t>(i); }

TEST(Random, KernelsHaveTheHostsWords) {
    // The last block of a stream and the first of the next one are among them.
    for (const std::uint64_t block : {std::uint64_t{0}, ~std::uint64_t{0} - 1}) {
        foldwise::array<std::uint32_t> out({500, 11});
        run::words(500, out, seed, ~std::uint64_t{0} - 250, block);
        const std::vector<std::uint32_t> words = out.to_host();
        for (std::size_t i = 0; i < 500; ++i) {
            random draw(seed, ~std::uint64_t{0} - 250 + i, block);
            for (std::size_t k = 0; k < 11; ++k) ASSERT_EQ(words[11 * i + k], draw.bits()) << i << " " << k;
        }
    }
}

TEST(Random, ExactDrawsAreTheHosts) {
    const auto [single, twice, narrow, brief, small, large] = run::exact(shape{10'007}, seed);
    const auto singles = single.to_host();
    const auto twices = twice.to_host();
    const auto narrows = narrow.to_host();
    const auto briefs = brief.to_host();
    const auto smalls = small.to_host();
    const auto larges = large.to_host();
    for (std::size_t i = 0; i < singles.size(); ++i) {
        random draw(seed, i);
        ASSERT_EQ(singles[i], draw.uniform());
        ASSERT_EQ(twices[i], draw.uniform<double>());
        ASSERT_EQ(narrows[i].bits(), draw.uniform<foldwise::half>().bits());
        ASSERT_EQ(briefs[i].bits(), draw.uniform<foldwise::bfloat16>().bits());
        ASSERT_EQ(smalls[i], draw.below(1'000'003));
        ASSERT_EQ(larges[i], draw.below(std::uint64_t{3} << 60));
    }
}

/// A few units in the last place of numbers around 1: of logarithm, root, sine and cosine.
template <class T> void expect_close(T a, T b) {
    ASSERT_NEAR(a, b, 16 * std::numeric_limits<T>::epsilon() * (1 + std::abs(b)));
}

TEST(Random, RoundedDrawsAreTheHosts) {
    const auto [first, second, third, fourth, fifth, sixth] = run::rounded(shape{10'007}, seed);
    const auto a = first.to_host(), b = second.to_host(), e = fifth.to_host();
    const auto c = third.to_host(), d = fourth.to_host(), f = sixth.to_host();
    for (std::size_t i = 0; i < a.size(); ++i) {
        random draw(seed, i);
        expect_close(a[i], draw.normal());
        expect_close(b[i], draw.normal());
        expect_close(c[i], draw.normal<double>());
        expect_close(d[i], draw.normal<double>());
        expect_close(e[i], draw.exponential());
        expect_close(f[i], draw.exponential<double>());
    }
}

/// Fills arrays of many sizes that begin at any element, and compares each element with the host's.
template <class T, class Fill, class Draw> void expect_filled(const Fill& fill, const Draw& draw) {
    for (const std::int64_t size : sizes)
        for (std::int64_t before = 0; before < 5; ++before) {
            std::vector<T> all(static_cast<std::size_t>(size + before + 3), T(-7.0f));
            foldwise::array<T> memory = foldwise::to_device(all);
            fill(memory.slice(0, before, before + size));
            const std::vector<T> filled = memory.to_host();
            for (std::size_t k = 0; k < filled.size(); ++k) {
                const auto i = static_cast<std::int64_t>(k) - before;
                if (i < 0 || i >= size)
                    ASSERT_EQ(filled[k], T(-7.0f)) << "element " << i << " of " << size;
                else
                    draw(filled[k], static_cast<std::uint64_t>(i));
            }
        }
}

TEST(Random, FillsAreDrawsOfOneStream) {
    expect_filled<std::uint32_t>(
        [](auto out) { run::bits_at(seed, out); },
        [](std::uint32_t got, std::uint64_t i) { ASSERT_EQ(got, random::at(seed, i).bits()); });
    expect_filled<float>([](auto out) { run::uniform_at(seed, out); },
                         [](float got, std::uint64_t i) { ASSERT_EQ(got, random::at(seed, i).uniform()); });
    expect_filled<double>([](auto out) { run::uniform_double_at(7u, out); },
                          [](double got, std::uint64_t i) { ASSERT_EQ(got, random::at(7, i).uniform<double>()); });
    expect_filled<foldwise::half>(
        [](auto out) { run::uniform_half_at(7u, out); },
        [](foldwise::half got, std::uint64_t i) { ASSERT_EQ(got, random::at(7, i).uniform<foldwise::half>()); });
    expect_filled<float>([](auto out) { run::normal_at(7u, out); },
                         [](float got, std::uint64_t i) { expect_close(got, random::at(7, i).normal()); });
    expect_filled<double>([](auto out) { run::normal_double_at(seed, out); },
                          [](double got, std::uint64_t i) { expect_close(got, random::at(seed, i).normal<double>()); });
}

TEST(Random, FillsOfStridedArrays) {
    foldwise::array<float> memory(shape{600});
    run::uniform_at(seed, memory.slice(0, 1, 600, 3));
    const std::vector<float> filled = memory.to_host();
    for (std::size_t i = 0; i < 200; ++i) ASSERT_EQ(filled[3 * i + 1], random::at(seed, i).uniform());
    // Seeds that are an array, one for each element.
    std::vector<std::uint64_t> seeds(1001);
    for (std::size_t i = 0; i < seeds.size(); ++i) seeds[i] = i * i;
    const std::vector<float> mixed = run::uniform_at(foldwise::to_device(seeds)).to_host();
    for (std::size_t i = 0; i < mixed.size(); ++i) ASSERT_EQ(mixed[i], random::at(i * i, i).uniform());
}

TEST(Random, IndicesOfSeveralAxes) {
    std::vector<float> x(12 * 50, 0.5f);
    const auto out = run::noisy(foldwise::to_device(x).reshape({12, 50}), seed).to_host();
    for (std::size_t row = 0; row < 12; ++row)
        for (std::size_t column = 0; column < 50; ++column)
            ASSERT_EQ(out[50 * row + column], 0.5f + random::at(seed, 1000 * row + column).uniform());
}

TEST(Random, StatesAreContinued) {
    std::vector<foldwise::xoroshiro128p> host(300, foldwise::xoroshiro128p(0));
    foldwise::xoroshiro128p::seed(host, 5);
    auto states = foldwise::to_device(host);
    for (int launch = 0; launch < 2; ++launch) {
        foldwise::array<double> out({300, 4});
        run::continued(300, states, out);
        const std::vector<double> drawn = out.to_host();
        for (std::size_t i = 0; i < host.size(); ++i)
            for (std::size_t k = 0; k < 4; ++k) ASSERT_EQ(drawn[4 * i + k], host[i].uniform<double>());
    }
    const auto far = run::found(shape{300}, seed).to_host();
    for (std::size_t i = 0; i < far.size(); ++i)
        ASSERT_EQ(far[i], foldwise::xoroshiro128p(seed, 1000 * number(i)).bits());
}

TEST(BareShapes, AreReducedToAValue) {
    for (const std::int64_t size : sizes) {
        EXPECT_EQ(run::triangle(shape{size}), size * (size - 1) / 2);
        EXPECT_EQ(run::triangle(shape{size}, foldwise::initial(100)), 100 + size * (size - 1) / 2);
        std::int64_t expected = 0;
        for (std::int64_t i = 0; i < size; ++i) {
            random draw(seed, static_cast<std::uint64_t>(i));
            const float x = draw.uniform(), y = draw.uniform();
            expected += x * x + y * y < 1;
        }
        EXPECT_EQ(run::inside(shape{size}, seed), expected) << size;
    }
}

TEST(BareShapes, OfSeveralAxesAreNumberedInOrderForAnIndexOfOne) {
    EXPECT_EQ(run::triangle(shape{30, 40, 5}), std::int64_t{6000} * 5999 / 2);
    EXPECT_EQ(run::triangle(shape{}), 0);
    EXPECT_EQ(run::triangle(shape{0, 5}), 0);
}

TEST(BareShapes, AreReducedAlongAxes) {
    const auto rows = run::table(shape{7, 90}, 3, foldwise::axis(1));
    ASSERT_EQ(rows.shape(), shape{7});
    const auto sums = rows.to_host();
    for (std::size_t i = 0; i < 7; ++i)
        EXPECT_EQ(sums[i], 90 * (1000 * static_cast<std::int64_t>(i) + 3) + 90 * 89 / 2);
    foldwise::array<std::int64_t> columns(shape{1, 90});
    run::table(shape{7, 90}, 3, columns, foldwise::axis(0), foldwise::keepdims);
    const auto sums_of_columns = columns.to_host();
    for (std::size_t j = 0; j < 90; ++j)
        EXPECT_EQ(sums_of_columns[j], 1000 * 21 + 7 * (static_cast<std::int64_t>(j) + 3));
    foldwise::array<std::int64_t> one(shape{1});
    run::table(shape{7, 90}, 3, one);
    EXPECT_EQ(one.to_host()[0], 1000 * 21 * 90 + 7 * 90 * 89 / 2 + 3 * 630);
}

TEST(BareShapes, ArraysBroadcastToThem) {
    std::vector<std::int32_t> x = {1, 20, 300};
    const auto with_rows = run::table(shape{4, 3}, x, foldwise::axis(0)).to_host();
    EXPECT_EQ(with_rows, (std::vector<std::int64_t>{6004, 6084, 7208}));
    EXPECT_EQ(run::table(shape{4, 3}, x), 6004 + 6084 + 7208);
}

TEST(BareShapes, KeepTheOrderOfElements) {
    EXPECT_EQ(run::last(shape{5, 6, 7}), 4 * 10'000 + 5 * 100 + 6);
    // Columns that do and do not fill vectors, few and many, short and long.
    for (const std::int64_t columns : {7, 8, 9, 33, 64, 98})
        for (const std::int64_t rows : {6, 40, 99}) {
            const auto lasts = run::last(shape{50, rows, columns}, foldwise::axis(1)).to_host();
            ASSERT_EQ(lasts.size(), static_cast<std::size_t>(50 * columns));
            for (std::int64_t i = 0; i < 50 * columns; ++i)
                ASSERT_EQ(lasts[static_cast<std::size_t>(i)], 10'000 * (i / columns) + 100 * (rows - 1) + i % columns)
                    << rows << " rows of " << columns;
        }
    EXPECT_THROW(static_cast<void>(run::last(shape{5, 0, 7})), foldwise::empty_error);
}

std::string message_of(const auto& call) {
    try {
        call();
    } catch (const foldwise::shape_error& error) {
        return error.what();
    }
    return "";
}

TEST(BareShapes, ThatDoNotFitAreRefused) {
    std::vector<std::int32_t> x(5);
    EXPECT_EQ(message_of([&] {
                  static_cast<void>(run::table(shape{4, 3}, x));
              }),
              "run::table: operand x (5) does not broadcast to the shape (4, 3) that the call is given: axis -1 has 5 "
              "and 3 elements");
    EXPECT_EQ(message_of([&] {
                  static_cast<void>(run::table(shape{5, 1}, x));
              }),
              "run::table: operand x (5) does not broadcast to the shape (5, 1) that the call is given: axis -1 has 5 "
              "and 1 elements");
    EXPECT_EQ(message_of([&] { static_cast<void>(run::table(shape{4}, 1)); }),
              "run::table: its index has 2 axes, and the call's shape is (4)");
    EXPECT_EQ(message_of([&] { static_cast<void>(run::triangle(shape{4}, foldwise::axis(1))); }),
              "run::triangle: axis 1 is not one of shape (4), which has 1 axis");
    foldwise::array<std::int64_t> out(shape{3});
    EXPECT_EQ(message_of([&] {
                  run::table(shape{4, 2}, 1, out, foldwise::axis(0));
              }),
              "run::table: output out (3) does not have the results' shape (2)");
}

}  // namespace
