// tests/run/axes_calls_test.cpp: reductions along axes of long shapes, what is refused, and rounding, on the executor
// that the environment names.
#include "axes.kernels.hpp"
#include "trial.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using foldwise::shape;
using run_tests::generator;
using run_tests::pairwise;
using run_tests::runs_on;

run::affine composed(run::affine f, run::affine g) { return {f.a * g.a, g.a * f.b + g.b}; }

/// i * 7 modulo 1009, less 500.
std::vector<std::int64_t> long_row(std::int64_t n) {
    std::vector<std::int64_t> all(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::int64_t>(i * 7 % 1009) - 500;
    return all;
}

TEST(LongAxes, OfTwo) {
    const std::int64_t most = runs_on("simulator") ? 3'001 : 100'003, side = runs_on("simulator") ? 100 : 1'000;
    for (auto [m, n] : {std::pair{most, std::int64_t{3}},
                        {std::int64_t{3}, most},
                        {side, side},
                        {std::int64_t{1}, most / 2},
                        {most / 2, std::int64_t{1}},
                        {most / 40, std::int64_t{70}},
                        runs_on("simulator") ? std::pair{std::int64_t{40}, std::int64_t{1'001}}  // rows of small blocks
                                             : std::pair{std::int64_t{1'500}, std::int64_t{1'501}}}) {
        const std::vector<std::int64_t> x = long_row(m * n);
        std::vector<std::int64_t> rows(static_cast<std::size_t>(m)), columns(static_cast<std::size_t>(n));
        std::vector<run::affine> maps, by_row(rows.size(), {1, 0}), by_column(columns.size(), {1, 0});
        for (std::size_t i = 0; i < rows.size(); ++i) {
            for (std::size_t j = 0; j < columns.size(); ++j) {
                const std::int64_t value = x[i * columns.size() + j];
                maps.push_back({static_cast<std::uint32_t>(2 * value + 1), static_cast<std::uint32_t>(i + j)});
                rows[i] += value;
                columns[j] += value;
                by_row[i] = composed(by_row[i], maps.back());
                by_column[j] = composed(by_column[j], maps.back());
            }
        }
        SCOPED_TRACE(std::to_string(m) + " by " + std::to_string(n));
        const auto device = foldwise::to_device(x).reshape({m, n});
        EXPECT_EQ(run::sum(device, foldwise::axis(1)).to_host(), rows);
        EXPECT_EQ(run::sum(device, foldwise::axis(0)).to_host(), columns);
        const auto are_same = [](const std::vector<run::affine>& got, const std::vector<run::affine>& want) {
            return std::memcmp(got.data(), want.data(), want.size() * sizeof want[0]) == 0;
        };
        const auto affines = foldwise::to_device(maps).reshape({m, n});
        EXPECT_TRUE(are_same(run::compose(affines, foldwise::axis(1)).to_host(), by_row));
        EXPECT_TRUE(are_same(run::compose(affines, foldwise::axis(0)).to_host(), by_column));
    }
}

/// Rows of odd lengths begin at every place between two boundaries of wide accesses.
TEST(LongAxes, OutOfStep) {
    const std::size_t rows = 35;
    for (std::size_t length : {std::size_t{521}, std::size_t{1'003}, std::size_t{4'099}}) {
        SCOPED_TRACE(length);
        const auto row = [&](std::size_t i) { return i / length; };
        std::vector<std::int8_t> bytes(rows * length);
        std::vector<std::int32_t> numbers(bytes.size());
        std::vector<std::int64_t> sums(rows), moments(rows);
        std::vector<std::int8_t> lasts(rows);
        std::vector<std::int64_t> tops(rows);
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            bytes[i] = static_cast<std::int8_t>(i * 7 % 251 - 125);
            numbers[i] = static_cast<std::int32_t>(i * 13 % 4'003);
            sums[row(i)] += bytes[i];
            moments[row(i)] += numbers[i] * static_cast<std::int64_t>(1000 * row(i) + i % length);
            lasts[row(i)] = bytes[i];
            if (i % length == 0 || numbers[i] > numbers[static_cast<std::size_t>(tops[row(i)])])
                tops[row(i)] = static_cast<std::int64_t>(i);
        }
        const shape whole{static_cast<std::int64_t>(rows), static_cast<std::int64_t>(length)};
        const auto of_bytes = foldwise::to_device(bytes).reshape(whole);
        const auto of_numbers = foldwise::to_device(numbers).reshape(whole);
        EXPECT_EQ(run::sum(of_bytes, foldwise::axis(1)).to_host(), sums);
        EXPECT_EQ(run::last(of_bytes, foldwise::axis(1)).to_host(), lasts);
        EXPECT_EQ(run::moment(of_numbers, foldwise::axis(1)).to_host(), moments);
        const auto peaks = run::argmax(of_numbers, foldwise::axis(1)).to_host();
        for (std::size_t i = 0; i < rows; ++i) EXPECT_EQ(peaks[i].at, tops[i]);
    }
}

TEST(LongAxes, InTheMiddle) {
    const std::int64_t length = runs_on("simulator") ? 400 : 40'000;
    const std::vector<std::int64_t> x = long_row(5 * length * 6);
    std::vector<std::int64_t> want(30);
    for (std::size_t i = 0; i < x.size(); ++i) want[i / static_cast<std::size_t>(length * 6) * 6 + i % 6] += x[i];
    const auto device = foldwise::to_device(x).reshape({5, length, 6});
    EXPECT_EQ(run::sum(device, foldwise::axis(1)).to_host(), want);
    const auto kept = run::sum(device, foldwise::axis(-2), foldwise::keepdims, foldwise::initial(1));
    EXPECT_EQ(kept.shape(), (shape{5, 1, 6}));
    for (std::int64_t& one : want) ++one;
    EXPECT_EQ(kept.to_host(), want);
}

/// Blocks of columns have as many threads along a row as leave few of them idle, which is often not a power of two.
TEST(LongAxes, AnyNumberOfColumns) {
    const std::int64_t length = runs_on("simulator") ? 400 : 20'000;
    for (const auto& [outer, columns] : {std::pair{40, 3},
                                         {2, 4},
                                         {1, 5},
                                         {1, 24},
                                         {1, 35},
                                         {3, 45},
                                         {1, 140},
                                         {1, 200},
                                         {1, 350},
                                         {2, 600},
                                         {1, 2'100}}) {
        SCOPED_TRACE(std::to_string(columns) + " columns, " + std::to_string(outer) + " times");
        const std::int64_t here = columns > 300 ? length / 10 : length;
        const std::vector<std::int64_t> x = long_row(outer * here * columns);
        std::vector<std::int64_t> sums(static_cast<std::size_t>(outer * columns));
        std::vector<run::affine> maps, composed_maps(sums.size(), {1, 0});
        for (std::size_t i = 0; i < x.size(); ++i) {
            const auto each = static_cast<std::size_t>(here * columns), row = static_cast<std::size_t>(columns);
            const std::size_t result = i / each * row + i % row;
            maps.push_back({static_cast<std::uint32_t>(2 * x[i] + 1), static_cast<std::uint32_t>(i)});
            sums[result] += x[i];
            composed_maps[result] = composed(composed_maps[result], maps.back());
        }
        const shape whole{outer, here, columns};
        EXPECT_EQ(run::sum(foldwise::to_device(x).reshape(whole), foldwise::axis(1)).to_host(), sums);
        const auto got = run::compose(foldwise::to_device(maps).reshape(whole), foldwise::axis(1)).to_host();
        EXPECT_EQ(std::memcmp(got.data(), composed_maps.data(), got.size() * sizeof got[0]), 0);
    }
}

/// What a call throws says exactly this.
template <class Error, class Call> void expect_message(Call call, const std::string& message) {
    try {
        call();
        ADD_FAILURE() << "nothing was thrown, but should: " << message;
    } catch (const Error& e) {
        EXPECT_EQ(std::string(e.what()), message);
    }
}

TEST(Refused, AxesThatAShapeDoesNotHave) {
    const std::vector<float> memory(24);
    const auto x = foldwise::host(memory.data(), {2, 3, 4});
    expect_message<foldwise::shape_error>([&] { static_cast<void>(run::sum(x, foldwise::axis(3))); },
                                          "run::sum: axis 3 is not one of shape (2, 3, 4), which has 3 axes");
    expect_message<foldwise::shape_error>([&] { static_cast<void>(run::sum(x, foldwise::axis(-4))); },
                                          "run::sum: axis -4 is not one of shape (2, 3, 4), which has 3 axes");
    expect_message<foldwise::shape_error>([&] { static_cast<void>(run::sum(memory, foldwise::axis(1))); },
                                          "run::sum: axis 1 is not one of shape (24), which has 1 axis");
    expect_message<foldwise::shape_error>(
        [&] { static_cast<void>(run::sum(x, foldwise::axis(std::int64_t{1} << 32))); },
        "run::sum: axis 8 is not one of shape (2, 3, 4), which has 3 axes");
    expect_message<foldwise::shape_error>([&] { static_cast<void>(run::sum(x, foldwise::axis(0, 1, -3))); },
                                          "run::sum: axis -3 of shape (2, 3, 4) is named twice");
    expect_message<foldwise::shape_error>([&] { foldwise::axis(0, 1, 2, 3, 4, 5, 6, 7, 8); },
                                          "more than 8 axes are named, and no shape has as many");
}

TEST(Refused, OutputsThatDoNotFit) {
    std::vector<float> memory(48, 1);
    const auto x = foldwise::host(memory.data(), {2, 3, 4});
    std::vector<float> out(8, 5);
    expect_message<foldwise::shape_error>([&] { run::sum(x, out, foldwise::axis(1)); },
                                          "run::sum: output out (8) does not have the results' shape (2, 4)");
    expect_message<foldwise::shape_error>(
        [&] {
            run::sum(x, foldwise::host(out.data(), {2, 4}), foldwise::axis(1), foldwise::keepdims);
        },
        "run::sum: output out (2, 4) does not have the results' shape (2, 1, 4)");
    expect_message<foldwise::overlap_error>(
        [&] {
            run::sum(x, foldwise::host(memory.data() + 23, {2, 4}), foldwise::axis(1));
        },
        "run::sum: output out overlaps x");
    expect_message<foldwise::overlap_error>(
        [&] {
            run::sum(x, foldwise::host(out.data(), {2, 4}, {0, 1}), foldwise::axis(1));
        },
        "run::sum: output out overlaps itself: several of its elements are in the same memory");
    EXPECT_EQ(out, std::vector<float>(8, 5));
    EXPECT_EQ(memory, std::vector<float>(48, 1));
    run::sum(x, foldwise::host(memory.data() + 24, {2, 4}), foldwise::axis(1));  // behind it
    EXPECT_EQ(memory[24], 3);
}

TEST(Refused, OptionsGivenTwice) {
    const std::vector<float> x(6);
    const foldwise::executor automatic;
    expect_message<std::invalid_argument>(
        [&] { static_cast<void>(run::sum(x, foldwise::axis(0), automatic, automatic)); },
        "a call was given a second executor");
    expect_message<std::invalid_argument>([&] { static_cast<void>(run::sum(x, automatic, automatic)); },
                                          "a call was given a second executor");
    expect_message<std::invalid_argument>(
        [&] {
            static_cast<void>(
                run::sum(x, foldwise::axis(0), foldwise::initial(1), foldwise::keepdims, foldwise::initial(2)));
        },
        "a call was given a second initial value");
}

TEST(Refused, NoElementsWithoutIdentity) {
    const foldwise::array<float> x(shape{3, 0, 2});
    expect_message<foldwise::empty_error>(
        [&] { static_cast<void>(run::largest(x, foldwise::axis(1))); },
        "run::largest: there are no elements in shape (3, 0, 2), and the reduction has no identity");
    EXPECT_EQ(run::largest(x, foldwise::axis(0)).shape(), (shape{0, 2}));
    EXPECT_EQ(run::largest(x, foldwise::axis(1), foldwise::initial(2)).to_host(), std::vector<float>(6, 2));
}

TEST(Rounding, IsNoWorseThanPairwiseAlongEitherAxis) {
    // Large terms that cancel: what is left is made of their roundings. Single cases are luck; the mean over many is
    // not.
    generator rng(1);
    std::uniform_real_distribution<float> any(-1e6f, 1e6f);
    for (std::size_t n : {63, 1000, 4097}) {
        const std::size_t results = runs_on("simulator") ? 50 : 1000;
        std::vector<float> x(n * results), turned(x.size());
        for (float& one : x) one = any(rng);
        double theirs = 0, by_row = 0, by_column = 0;
        std::vector<double> exact(results);
        for (std::size_t i = 0; i < results; ++i) {
            for (std::size_t j = 0; j < n; ++j) {
                exact[i] += x[i * n + j];
                turned[j * results + i] = x[i * n + j];
            }
            theirs += std::abs(pairwise(x.data() + i * n, n) - exact[i]);
        }
        const std::vector<float> rows =
            run::sum(foldwise::to_device(x).reshape({results, n}), foldwise::axis(1)).to_host();
        const std::vector<float> columns =
            run::sum(foldwise::to_device(turned).reshape({n, results}), foldwise::axis(0)).to_host();
        for (std::size_t i = 0; i < results; ++i) {
            by_row += std::abs(rows[i] - exact[i]);
            by_column += std::abs(columns[i] - exact[i]);
        }
        const double tolerated = results < 1000 ? 1.5 : 1.1;
        EXPECT_LE(by_row, tolerated * theirs) << n;
        // On a GPU each thread adds up its chains one after the other; NumPy does so with all rows.
        EXPECT_LE(by_column, (runs_on("cpu") ? tolerated : 1.5) * theirs) << n;
    }
}

}  // namespace
