// tests/run/tuples_test.cpp: reductions that accumulate in pairs and tuples, against plain loops, on the executor that
// the environment names.
#include "trial.hpp"
#include "tuples.kernels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

std::vector<float> numbers(std::size_t n) {
    std::vector<float> all(n);
    for (std::size_t i = 0; i < n; ++i) all[i] = static_cast<float>(i * 7919 % 1009) - (i % 97 == 3 ? 300.0f : 0.0f);
    return all;
}

std::vector<std::size_t> sizes() {
    const std::size_t many = run_tests::runs_on("simulator") ? 20'000 : 1'000'003;
    return {1, 2, 3, 31, 32, 33, 127, 128, 129, 1000, 4097, many};
}

run::extent extremes_of(std::span<const float> x) {
    const auto [low, high] = std::minmax_element(x.begin(), x.end());
    return {*low, *high};
}

run::summary summary_of(std::span<const float> x, std::int32_t first) {
    run::summary all('y', {x[0], first}, {0, 0});
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (x[i] <= 0) std::get<0>(all) = 'n';
        if (x[i] > std::get<1>(all).value) std::get<1>(all) = {x[i], first + static_cast<std::int32_t>(i)};
        std::get<2>(all).first = std::max(std::get<2>(all).first, static_cast<std::uint16_t>(x[i]));
        std::get<2>(all).second += static_cast<double>(x[i]);
    }
    return all;
}

void expect_same(const run::summary& got, const run::summary& want) {
    EXPECT_EQ(std::get<0>(got), std::get<0>(want));
    EXPECT_EQ(std::get<1>(got).value, std::get<1>(want).value);
    EXPECT_EQ(std::get<1>(got).at, std::get<1>(want).at);
    EXPECT_EQ(std::get<2>(got), std::get<2>(want));
}

TEST(Tuples, AreOneValue) {
    using floats = const std::vector<float>&;
    static_assert(std::is_same_v<decltype(run::extremes(std::declval<floats>())), run::extent>);
    static_assert(std::is_same_v<decltype(run::largest_at(std::declval<floats>())), std::tuple<float, std::int64_t>>);
    static_assert(std::is_same_v<decltype(run::extremes(std::declval<floats>(), foldwise::axis(0))),
                                 foldwise::array<run::extent>>);
    EXPECT_EQ(run::extremes(std::vector<float>{3, -1, 7, 2}), run::extent(-1, 7));
    EXPECT_EQ(run::largest_at(std::vector<float>{3, -1, 7, 2}), std::tuple(7.0f, std::int64_t{2}));
}

TEST(Tuples, OfEverySize) {
    for (std::size_t n : sizes()) {
        SCOPED_TRACE(n);
        const std::vector<float> x = numbers(n);
        std::vector<float> positive(n);
        for (std::size_t i = 0; i < n; ++i) positive[i] = x[i] + 301;
        EXPECT_EQ(run::extremes(x), extremes_of(x));
        std::vector<std::int32_t> whole(x.begin(), x.end());
        double sum = 0;
        for (std::int32_t one : whole) sum += one;
        EXPECT_EQ(run::mean(whole), sum / static_cast<double>(n));
        expect_same(run::summarized(positive), summary_of(positive, 0));
    }
}

TEST(Tuples, AlongAxes) {
    const std::size_t rows = 37, columns = 43;
    const std::vector<float> x = numbers(rows * columns);
    const auto m = foldwise::to_device(x).reshape({37, 43});
    std::vector<run::extent> by_row, by_column;
    for (std::size_t row = 0; row < rows; ++row)
        by_row.push_back(extremes_of(std::span(x).subspan(row * columns, columns)));
    for (std::size_t column = 0; column < columns; ++column) {
        std::vector<float> one;
        for (std::size_t row = 0; row < rows; ++row) one.push_back(x[row * columns + column]);
        by_column.push_back(extremes_of(one));
    }
    EXPECT_EQ(run::extremes(m, foldwise::axis(1)).to_host(), by_row);
    EXPECT_EQ(run::extremes(m, foldwise::axis(0)).to_host(), by_column);
    std::vector<run::extent> out(rows);
    run::extremes(m, out, foldwise::axis(-1));
    EXPECT_EQ(out, by_row);
    EXPECT_EQ(run::largest_at(m, foldwise::axis(1)).to_host().size(), rows);
}

TEST(Tuples, InitialValuesAndIdentities) {
    const std::vector<float> x{3, 5};
    EXPECT_EQ(run::extremes(x, foldwise::initial(std::pair(4.0, 4.5))), run::extent(3, 5));
    EXPECT_EQ(run::extremes(x, foldwise::initial(run::extent(-8, 8))), run::extent(-8, 8));
    EXPECT_EQ(run::extremes(std::vector<float>(), foldwise::initial(run::extent(1, 2))), run::extent(1, 2));
    EXPECT_THROW(static_cast<void>(run::extremes(std::vector<float>())), foldwise::empty_error);
    EXPECT_EQ(std::get<0>(run::summarized(std::vector<float>())), 'y');
    EXPECT_EQ(std::get<1>(run::summarized(std::vector<float>())).at, -1);
}

TEST(Tuples, InArrays) {
    const std::vector<float> x = numbers(1000);
    foldwise::array<run::extent> one(1);
    run::extremes(foldwise::to_device(x), one);
    EXPECT_EQ(one.to_host()[0], extremes_of(x));
}

}  // namespace
