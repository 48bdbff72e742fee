// tests/run/sums_test.cpp: sums that tasks form by std::atomic_ref, few and many, against sums in a plain loop.
#include "heap.hpp"
#include "sums.kernels.hpp"
#include "trial.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <thread>
#include <type_traits>
#include <vector>

namespace {

/// Places of `elements`, one for each task.
std::vector<std::int32_t> places(std::int64_t tasks, std::int64_t elements) {
    std::mt19937 rng(static_cast<unsigned>(tasks + elements));
    std::vector<std::int32_t> all(static_cast<std::size_t>(tasks));
    for (std::int32_t& one : all) one = static_cast<std::int32_t>(rng() % static_cast<std::uint64_t>(elements));
    return all;
}

/// Numbers whose sums are exact in any order; of integers, such that sums wrap around.
template <class T> std::vector<T> terms(std::int64_t tasks) {
    std::mt19937_64 rng(7);
    std::vector<T> all(static_cast<std::size_t>(tasks));
    for (T& one : all)
        if constexpr (std::is_integral_v<T>)
            one = static_cast<T>(rng());
        else
            one = static_cast<T>(static_cast<int>(rng() % 17) - 8);
    return all;
}

template <class T> T added(T a, T b) {
    if constexpr (std::is_integral_v<T>)
        return static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) + static_cast<std::make_unsigned_t<T>>(b));
    else
        return a + b;
}

template <class T>
std::vector<T> by_loop(const std::vector<std::int32_t>& place, const std::vector<T>& x, std::vector<T> sums) {
    for (std::size_t i = 0; i < place.size(); ++i) {
        T& sum = sums[static_cast<std::size_t>(place[i])];
        sum = added(sum, x[i]);
    }
    return sums;
}

}  // namespace

template <class T> class Sums : public testing::Test {};
using Numbers = testing::Types<std::int32_t, std::uint32_t, std::int64_t, std::uint64_t, float, double>;
TYPED_TEST_SUITE(Sums, Numbers);

TYPED_TEST(Sums, AreThoseOfALoop) {
    using T = TypeParam;
    for (const std::int64_t elements : {1, 2, 19, 256, 5000})
        for (const std::int64_t tasks : {1, 3, 100, 1000, 100'000}) {
            const std::vector<std::int32_t> place = places(tasks, elements);
            const std::vector<T> x = terms<T>(tasks);
            std::vector<T> sums(static_cast<std::size_t>(elements), T(3));
            const std::vector<T> want = by_loop(place, x, sums);
            sums::add(tasks, place, x, sums);
            EXPECT_EQ(sums, want) << tasks << " tasks, " << elements << " elements";
        }
}

TYPED_TEST(Sums, GoToElementsThatAreFarApartOrBackwards) {
    using T = TypeParam;
    constexpr std::int64_t tasks = 10'000, elements = 50;
    const std::vector<std::int32_t> place = places(tasks, elements);
    const std::vector<T> x = terms<T>(tasks);
    const std::vector<T> want = by_loop(place, x, std::vector<T>(elements));
    for (const std::int64_t step : {3, -2}) {
        std::vector<T> memory(200, T(1));
        T* const first = &memory[step > 0 ? 10 : 190];
        sums::add(tasks, place, x, foldwise::host(first, {elements}, {step}));
        std::vector<T> expected(200, T(1));
        for (std::int64_t i = 0; i < elements; ++i) {
            T& one = expected[static_cast<std::size_t>(first - memory.data() + i * step)];
            one = added(one, want[static_cast<std::size_t>(i)]);
        }
        EXPECT_EQ(memory, expected) << step;
    }
}

TYPED_TEST(Sums, OfCallsAtOnceAreAllThere) {
    if (run_tests::runs_on("cuda")) GTEST_SKIP() << "each call copies the host's elements to the GPU and back";
    using T = TypeParam;
    constexpr std::int64_t tasks = 20'000, elements = 30;
    const std::vector<std::int32_t> place = places(tasks, elements);
    const std::vector<T> x = terms<T>(tasks);
    std::vector<T> sums(elements), want(elements);
    std::vector<std::thread> callers;
    for (int i = 0; i < 4; ++i) {
        want = by_loop(place, x, want);
        callers.emplace_back([&] { sums::add(tasks, place, x, sums); });
    }
    for (std::thread& one : callers) one.join();
    EXPECT_EQ(sums, want);
}

TYPED_TEST(Sums, OfAViewThatIsReadAsWellAreThoseOfTheElementsThatNobodyAddsTo) {
    using T = TypeParam;
    constexpr std::int64_t tasks = 10'000;
    std::vector<T> memory = terms<T>(tasks + 20);
    const std::vector<T> x(memory.begin() + 20, memory.end());
    const std::vector<std::int32_t> place = places(tasks, 20);
    std::vector<T> want = by_loop(place, x, std::vector<T>(memory.begin(), memory.begin() + 20));
    want.insert(want.end(), x.begin(), x.end());
    sums::add(tasks, place, foldwise::host(&memory[20], tasks), foldwise::host(memory));
    EXPECT_EQ(memory, want);
}

TEST(SumsOfSeveralViews, AreThoseOfALoop) {
    for (const std::int64_t elements : {7, 3000})
        for (const std::int64_t rows : {1, 10, 300}) {
            constexpr std::int64_t columns = 70;
            const std::vector<std::int32_t> place = places(rows * columns, elements);
            const auto size = static_cast<std::size_t>(elements);
            std::vector<double> totals(size, 1), want_totals = totals;
            std::vector<std::uint32_t> counts(4 * size, 5), want_counts = counts;
            for (std::int64_t i = 0; i < rows * columns; ++i) {
                const auto p = static_cast<std::size_t>(place[static_cast<std::size_t>(i)]);
                if (p % 3 != 0) want_totals[p] += static_cast<double>(i / columns) * 0.5;
                want_totals[size - 1 - p] -= 2;
                for (std::size_t k = 0; k < p % 4; ++k) ++want_counts[k * size + p];
                --want_counts[static_cast<std::size_t>(i % columns % 4) * size + p];
            }
            sums::tally(foldwise::tasks<2>({rows, columns}), foldwise::host(place.data(), {rows, columns}), totals,
                        foldwise::host(counts.data(), {4, elements}));
            EXPECT_EQ(totals, want_totals) << rows << " rows, " << elements;
            EXPECT_EQ(counts, want_counts) << rows << " rows, " << elements;
        }
}

TEST(SumsOfLoops, AreThoseOfALoop) {
    for (const std::int64_t elements : {10, 3000})
        for (const std::int64_t rows : {1, 30, 1000}) {
            constexpr std::int64_t columns = 100;
            const std::vector<std::int32_t> place = places(rows * columns, elements);
            std::vector<std::int64_t> sums(static_cast<std::size_t>(elements), -1), want = sums;
            for (std::int64_t i = 0; i < rows * columns; ++i)
                want[static_cast<std::size_t>(place[static_cast<std::size_t>(i)])] += i % columns + i / columns;
            sums::spread(rows, foldwise::host(place.data(), {rows, columns}), sums);
            EXPECT_EQ(sums, want) << rows << " rows, " << elements;
        }
}

TEST(SumsWithoutMemory, AreThoseOfALoop) {
    if (!run_tests::runs_on("cpu")) GTEST_SKIP() << "only a CPU's threads have memory of their own";
    constexpr std::int64_t tasks = 10'000, elements = 30;
    const std::vector<std::int32_t> place = places(tasks, elements);
    const std::vector<float> x = terms<float>(tasks);
    std::vector<float> sums(elements);
    const std::vector<float> want = by_loop(place, x, sums);
    for (int i = 0; i < 3; ++i) sums::add(tasks, place, x, sums);  // what is kept is there now
    sums.assign(elements, 0);
    interpose::failing_heap failing({.first = 0, .count = UINT64_MAX});
    sums::add(tasks, place, x, sums);
    const std::uint64_t failed = failing.stop();
    EXPECT_EQ(sums, want);
    EXPECT_GE(failed, 1u) << "which is what this test is for";
}

TEST(SumsInOrder, AreThoseOfALoop) {
    constexpr std::int64_t tasks = 10'000;
    const std::vector<std::int32_t> place = places(tasks, 5);
    std::vector<std::int32_t> sums(5), before(tasks, -1);
    sums::in_order(tasks, place, sums, before);
    EXPECT_EQ(sums, by_loop(place, std::vector<std::int32_t>(tasks, 1), std::vector<std::int32_t>(5)));
    for (const std::int32_t one : before) EXPECT_TRUE(one >= 0 && one <= sums[0]);
}

TEST(SumsOfFloats, KeepWhatNobodyAddsToAndTheSignsOfZeros) {
    constexpr std::int64_t tasks = 1000;
    const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
    std::vector<float> sums = {-0.0f, -0.0f, -0.0f, nan, infinity, 1.0f};
    std::vector<std::int32_t> place(tasks);
    std::vector<float> x(tasks);
    for (std::size_t i = 0; i < place.size(); ++i) {
        place[i] = i % 3 == 0 ? 1 : i % 3 == 1 ? 2 : 5;
        x[i] = i % 3 == 0 ? -0.0f : i % 3 == 1 ? 0.0f : i == 500 ? nan : 2.0f;
    }
    sums::add(tasks, place, x, sums);
    EXPECT_TRUE(sums[0] == 0 && std::signbit(sums[0])) << "nobody has added to it";
    EXPECT_TRUE(sums[1] == 0 && std::signbit(sums[1])) << "-0 was added to -0";
    EXPECT_TRUE(sums[2] == 0 && !std::signbit(sums[2])) << "0 was added to -0";
    EXPECT_TRUE(std::isnan(sums[3]));
    EXPECT_EQ(sums[4], infinity);
    EXPECT_TRUE(std::isnan(sums[5]));
}
