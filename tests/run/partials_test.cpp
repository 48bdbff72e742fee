// tests/run/partials_test.cpp: folds that are computed in parts, on the executor that the environment names.
#include "reduce.kernels.hpp"
#include "trial.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

namespace run {

static bool operator==(affine f, affine g) { return f.a == g.a && f.b == g.b; }

}  // namespace run

namespace {

using foldwise::axis;
using foldwise::from_partials;
using foldwise::partial;
using foldwise::shape;

template <class T> bool same_bits(const T& a, const T& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

std::vector<float> some_floats(std::size_t n) {
    std::vector<float> x(n);
    for (std::size_t i = 0; i < n; ++i) x[i] = static_cast<float>(i * 7 % 1009) / 8 - 50;
    return x;
}

std::vector<run::affine> some_maps(std::size_t n) {
    std::vector<run::affine> f(n);
    for (std::size_t i = 0; i < n; ++i)
        f[i] = {static_cast<std::uint32_t>(2 * i + 3), static_cast<std::uint32_t>(i * i + 1)};
    return f;
}

TEST(Partials, OneIsTheWholeFold) {
    static_assert(std::is_same_v<decltype(run::variance(some_floats(1), partial)), run::moments>);
    static_assert(std::is_same_v<decltype(run::sum(some_floats(1), partial)), float>);
    for (const std::size_t n : {0, 1, 7, 1000, 4999}) {
        const std::vector<float> x = some_floats(n);
        const run::moments part = run::variance(x, partial);
        EXPECT_EQ(part.n, static_cast<double>(n));
        EXPECT_TRUE(same_bits(run::variance(std::vector{part}, from_partials), run::variance(x))) << n;
        EXPECT_TRUE(same_bits(run::variance(part, from_partials), run::variance(x))) << n;  // a single value
        EXPECT_TRUE(same_bits(run::sum(x, partial), run::sum(x))) << n;
    }
}

TEST(Partials, AreCombinedInOrder) {
    const std::vector<run::affine> all = some_maps(1000);
    for (const std::size_t parts : {1, 2, 3, 7, 31, 33, 100, 1000}) {
        std::vector<run::affine> folded;
        for (std::size_t i = 0; i < parts; ++i)
            folded.push_back(
                run::compose(std::vector(all.begin() + static_cast<std::ptrdiff_t>(all.size() * i / parts),
                                         all.begin() + static_cast<std::ptrdiff_t>(all.size() * (i + 1) / parts)),
                             partial));
        EXPECT_TRUE(run::compose(folded, from_partials) == run::compose(all)) << parts;
        const run::affine first{5, 9};
        EXPECT_TRUE(run::compose(folded, from_partials, foldwise::initial(first)) ==
                    run::compose(all, foldwise::initial(first)));
        EXPECT_TRUE(run::compose(all, partial, foldwise::initial(first)) ==
                    run::compose(all, foldwise::initial(first)));
        const std::vector<run::affine> backwards(folded.rbegin(), folded.rend());
        EXPECT_TRUE(run::compose(foldwise::host(backwards.data() + parts - 1, {parts}, {-1}), from_partials) ==
                    run::compose(all))
            << parts;
    }
}

TEST(Partials, OfNothing) {
    EXPECT_EQ(run::sum(std::vector<double>(), from_partials), 0);
    EXPECT_EQ(run::sum(std::vector<double>(), partial), 0);
    EXPECT_EQ(run::sum(std::vector<double>(), from_partials, foldwise::initial(2.5)), 2.5);
    EXPECT_THROW(static_cast<void>(run::last(std::vector<double>(), partial)), foldwise::empty_error);
    EXPECT_THROW(static_cast<void>(run::last(std::vector<double>(), from_partials)), foldwise::empty_error);
    EXPECT_EQ(run::last(std::vector<double>{3, 4}, from_partials), 4);
    EXPECT_EQ(run::last(std::vector<double>(), from_partials, foldwise::initial(7.0)), 7);
    const auto none = run::variance(foldwise::array<run::moments>(shape{0, 3}), from_partials, axis(0)).to_host();
    EXPECT_EQ(none.size(), 3u);
    EXPECT_TRUE(none[0] != none[0] && none[2] != none[2]);  // 0 / 0
}

/// Along each axis of three, with one part for each index of the first axis.
TEST(Partials, AlongAxes) {
    for (const shape& of : {shape{4, 3, 5}, shape{1, 1, 1}, shape{3, 70, 65}, shape{5, 300, 4}, shape{2, 1, 700}}) {
        const std::vector<float> host = some_floats(static_cast<std::size_t>(of.size()));
        const auto x = foldwise::to_device(host).reshape(of);
        for (int along = 0; along < 3; ++along) {
            SCOPED_TRACE(foldwise::to_string(of) + " along " + std::to_string(along));
            const foldwise::array<run::moments> part = run::variance(x, partial, axis(along), foldwise::keepdims);
            EXPECT_EQ(part.place(), x.place());
            const auto whole = run::variance(x, axis(along));
            EXPECT_EQ(part.size(), whole.size());
            const auto one = run::variance(part, from_partials, axis(along));
            ASSERT_EQ(one.shape(), whole.shape());
            const auto want = whole.to_host(), got = one.to_host();
            EXPECT_EQ(std::memcmp(want.data(), got.data(), want.size() * sizeof(double)), 0);
        }
        const auto maps = foldwise::to_device(some_maps(host.size())).reshape(of);
        const auto rows = run::compose(maps, partial, axis(2));
        EXPECT_TRUE(run::compose(rows, from_partials) == run::compose(maps));
        EXPECT_EQ(run::compose(rows, from_partials, axis(1)).to_host(), run::compose(maps, axis(1, 2)).to_host());
        EXPECT_EQ(
            run::compose(rows.transpose(), from_partials, axis(0), foldwise::initial(run::affine{3, 1})).to_host(),
            run::compose(maps, axis(1, 2), foldwise::initial(run::affine{3, 1})).to_host());
        const auto columns = run::compose(maps, partial, axis(0));
        EXPECT_EQ(columns.to_host(), run::compose(maps, axis(0)).to_host());
        const auto same = run::compose(maps, from_partials, axis());
        EXPECT_EQ(same.to_host(), maps.to_host());
    }
}

TEST(Partials, OfManyResults) {
    const bool is_small = run_tests::runs_on("simulator");
    const std::int64_t parts = 40, results = is_small ? 300 : 300'000;
    const auto f = foldwise::to_device(some_maps(static_cast<std::size_t>(parts * results))).reshape({parts, results});
    EXPECT_EQ(run::compose(f, from_partials, axis(0)).to_host(), run::compose(f, axis(0)).to_host());
    EXPECT_EQ(run::compose(f, from_partials, axis(1)).to_host(), run::compose(f, axis(1)).to_host());
}

/// Calls with a shape and an index can return accumulators, which are indices, and begin from them.
TEST(Partials, OfIndices) {
    const std::vector<float> x{3, -1, 8, 2};
    const run::peak part = run::argmax(x, partial);
    EXPECT_EQ(part.at, 2);
    EXPECT_EQ(run::argmax(shape{4}, x, partial).at, 2);
    EXPECT_EQ(run::argmax(std::vector{run::peak{3, 0}, part, run::peak{8, 3}}, from_partials).at, 2);
    EXPECT_THROW(run::argmax(std::vector{part}, from_partials, axis(1)), foldwise::shape_error);
}

}  // namespace
