// tests/run/axes_rows_test.cpp: reductions of rows of all short lengths and of some around the limits of how they are
// folded, many rows beside one another, with gaps between them or none, on the executor that the environment names.
#include "axes.kernels.hpp"
#include "trial.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace {

using foldwise::axis;
using run_tests::runs_on;

/// All lengths up to beyond two vectors of bytes in every version of a kernel, and others around chains and blocks.
std::vector<std::int64_t> lengths() {
    std::vector<std::int64_t> all;
    const std::int64_t step = runs_on("cpu") ? 1 : 17;
    for (std::int64_t length = 1; length <= 150; length += step) all.push_back(length);
    for (std::int64_t edge : {256, 512, 1024, 4096})
        for (std::int64_t length : {edge - 1, edge, edge + 1}) all.push_back(length);
    return all;
}

/// Lines of rows with `gap` elements behind each: [lines, rows, length + gap].
template <class T> class lines_of_rows {
  public:
    lines_of_rows(std::int64_t lines, std::int64_t rows, std::int64_t length, std::int64_t gap)
        : lines_(lines), rows_(rows), length_(length),
          elements_(foldwise::to_device(filled(lines * rows, length, gap)).reshape({lines, rows, length + gap})) {}

    /// Folds all lines of each row in their order, and compares the results of call(view, axes).
    template <class R, class Call, class Map, class Combine>
    void expect(const char* what, const Call& call, const Map& map, const Combine& combine) const {
        std::vector<R> want;
        for (std::int64_t row = 0; row < rows_; ++row) {
            R all{};
            for (std::int64_t i = 0; i < lines_ * length_; ++i) {
                const auto mapped = map(element(i / length_ * rows_ + row, i % length_));
                all = i == 0 ? R(mapped) : R(combine(all, mapped));
            }
            want.push_back(all);
        }
        const auto view = elements_.slice(2, 0, length_);
        const std::vector<R> got = call(view, axis(0, 2)).to_host();
        ASSERT_EQ(got.size(), want.size());
        for (std::size_t i = 0; i < want.size(); ++i)
            ASSERT_EQ(std::memcmp(&got[i], &want[i], sizeof want[i]), 0) << what << ": result " << i;
    }

  private:
    static T element(std::int64_t row, std::int64_t i) {
        const std::int64_t number = (row * 131 + i * 37) % 61 - 30;
        if constexpr (requires(T one) { one.z; })
            return {static_cast<std::int32_t>(number), static_cast<std::int32_t>(row), static_cast<std::int32_t>(i)};
        else if constexpr (requires(T one) { one.a; })
            return {static_cast<std::uint32_t>(2 * number + 1), static_cast<std::uint32_t>(row + i)};
        else
            return static_cast<T>(static_cast<float>(number));
    }
    /// What is in gaps would show in every result.
    static std::vector<T> filled(std::int64_t rows, std::int64_t length, std::int64_t gap) {
        std::vector<T> all;
        for (std::int64_t row = 0; row < rows; ++row)
            for (std::int64_t i = 0; i < length + gap; ++i)
                all.push_back(i < length ? element(row, i) : element(row + 1, 1000 + 7 * i));
        return all;
    }

    std::int64_t lines_, rows_, length_;
    foldwise::array<T> elements_;
};

constexpr auto itself = [](auto x) { return x; };
constexpr auto plus = [](auto a, auto b) { return a + b; };
constexpr auto sum = [](auto&&... of) { return run::sum(of...); };
constexpr auto smaller = [](auto a, auto b) { return b < a ? b : a; };
constexpr auto larger = [](auto a, auto b) { return a < b ? b : a; };
constexpr auto composed = [](run::affine f, run::affine g) { return run::affine{f.a * g.a, g.a * f.b + g.b}; };
constexpr auto added = [](run::point a, run::point b) { return run::point{a.x + b.x, a.y + b.y, a.z + b.z}; };

/// More rows than are folded together, and a number that no vector is a part of.
void fold_rows(std::int64_t lines, std::int64_t rows, std::int64_t length, std::int64_t gap) {
    SCOPED_TRACE(std::to_string(lines) + " lines of " + std::to_string(rows) + " rows of " + std::to_string(length) +
                 " with gaps of " + std::to_string(gap));
    lines_of_rows<float>(lines, rows, length, gap).expect<float>("sum of floats", sum, itself, plus);
    lines_of_rows<std::int64_t>(lines, rows, length, gap).expect<std::int64_t>("sum of integers", sum, itself, plus);
    lines_of_rows<std::int8_t>(lines, rows, length, gap)
        .expect<std::int64_t>(
            "sum of bytes", sum, [](std::int8_t x) { return std::int64_t{x}; }, plus);
    lines_of_rows<std::uint8_t>(lines, rows, length, gap)
        .expect<std::uint8_t>(
            "smallest", [](auto&&... of) { return run::smallest(of...); }, itself, smaller);
    lines_of_rows<foldwise::half>(lines, rows, length, gap)
        .expect<foldwise::half>(
            "largest", [](auto&&... of) { return run::largest(of...); }, itself, larger);
    lines_of_rows<run::point>(lines, rows, length, gap)
        .expect<run::point>(
            "struct", [](auto&&... of) { return run::centre(of...); }, itself, added);
    lines_of_rows<run::affine>(lines, rows, length, gap)
        .expect<run::affine>(
            "in order", [](auto&&... of) { return run::compose(of...); }, itself, composed);
}

TEST(Rows, OfEveryLength) {
    for (std::int64_t length : lengths()) {
        fold_rows(1, 35, length, 0);
        fold_rows(1, 19, length, 3);
    }
}

/// So many rows and columns that a GPU has threads for several of them.
TEST(Rows, OfAFewElements) {
    const std::int64_t rows = runs_on("cpu") ? 37 : runs_on("simulator") ? 4'111 : 203'001;
    for (std::int64_t length = 1; length <= 9; ++length) fold_rows(1, rows, length, length % 3);
    for (std::int64_t lines = 2; lines <= 9; ++lines) fold_rows(lines, rows, 1, 0);
    fold_rows(2, rows, 3, 1);
    fold_rows(3, rows, 2, 0);
}

TEST(Rows, OfSeveralLines) {
    for (std::int64_t length : lengths()) {
        if (length > 600) break;
        fold_rows(3, 37, length, 0);
        fold_rows(2, 5, length, 1);
    }
}

TEST(Rows, OfHalvesBesideBytes) {
    constexpr std::int64_t rows = 35, gap = 3;
    for (std::int64_t length : lengths()) {
        std::vector<foldwise::half> x;
        std::vector<std::int8_t> weights;
        std::vector<std::int64_t> want(rows);
        for (std::int64_t i = 0; i < rows * (length + gap); ++i) {
            const auto number = static_cast<float>(i * 37 % 61 - 30);
            x.push_back(foldwise::half(number));
            weights.push_back(static_cast<std::int8_t>(i * 11 % 17 - 8));
            if (i % (length + gap) < length)
                want[static_cast<std::size_t>(i / (length + gap))] +=
                    static_cast<std::int64_t>(number) * weights.back();
        }
        const auto all_x = foldwise::to_device(x).reshape({rows, length + gap});
        const auto all_weights = foldwise::to_device(weights).reshape({rows, length + gap});
        ASSERT_EQ(run::weighed(all_x.slice(1, 0, length), all_weights.slice(1, 0, length), axis(1)).to_host(), want)
            << "rows of " << length;
    }
}

/// Two rows have the results that they have among others.
TEST(Rows, HaveTheSameBitsBesideOthers) {
    if (!runs_on("cpu")) GTEST_SKIP() << "a GPU distributes few rows in another way";
    for (std::int64_t length : {64, 100, 333, 1000, 5000}) {
        std::vector<float> x(static_cast<std::size_t>(40 * length));
        for (std::size_t i = 0; i < x.size(); ++i) x[i] = 1.0f / static_cast<float>(i % 1013 + 3);
        const auto all = foldwise::to_device(x).reshape({40, length});
        const std::vector<float> sums = run::sum(all, axis(1)).to_host();
        for (std::int64_t row = 0; row < 39; ++row) {
            const std::vector<float> two = run::sum(all.slice(0, row, row + 2), axis(1)).to_host();
            for (std::size_t i : {0, 1})
                ASSERT_EQ(two[i], sums[static_cast<std::size_t>(row) + i]) << "row " << row << " of " << length;
        }
    }
}

}  // namespace
