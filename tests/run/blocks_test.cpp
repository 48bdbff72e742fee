// tests/run/blocks_test.cpp: blocks of items against plain loops, on the executor that the environment names.
#include "blocks.kernels.hpp"
#include "shapes_sample.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace run_tests;
using run_blocks::affine;

bool same(affine x, affine y) { return x.a == y.a && x.b == y.b; }

affine then(affine first, affine second) {
    return {static_cast<std::int32_t>((static_cast<std::int64_t>(first.a) * second.a) % 1009),
            static_cast<std::int32_t>((static_cast<std::int64_t>(first.b) * second.a + second.b) % 1009)};
}

std::vector<affine> any_maps(std::size_t count, generator& rng) {
    std::vector<affine> all(count);
    for (affine& one : all)
        one = {static_cast<std::int32_t>(below(rng, 1009)), static_cast<std::int32_t>(below(rng, 1009))};
    return all;
}

/// Runs a kernel of `items` to a block on `count` values, and compares with a loop over them.
template <class Run> void check_line(std::int64_t items, std::int64_t count, const Run& run, generator& rng) {
    const auto size = static_cast<std::size_t>(count), width = static_cast<std::size_t>(items);
    const std::vector<affine> in = any_maps(size, rng);
    const std::size_t blocks = (size + width - 1) / width;
    std::vector<affine> folds(blocks), upto(size), before(size), neighbours(size);
    run(count, in, folds, upto, before, neighbours);
    for (std::size_t block = 0; block < blocks; ++block) {
        affine sum{1, 0}, exclusive{2, 3};
        for (std::size_t i = block * width; i < std::min(size, (block + 1) * width); ++i) {
            EXPECT_TRUE(same(before[i], exclusive)) << items << " items, " << i << " of " << count;
            sum = then(sum, in[i]);
            exclusive = then(exclusive, in[i]);
            EXPECT_TRUE(same(upto[i], sum)) << items << " items, " << i << " of " << count;
            const std::size_t last = i == block * width ? (block + 1) * width - 1 : i - 1;
            EXPECT_TRUE(same(neighbours[i], last < size ? in[last] : affine{1, 0}))
                << items << " items, " << i << " of " << count;
        }
        EXPECT_TRUE(same(folds[block], sum)) << items << " items, block " << block << " of " << count;
    }
}

TEST(Blocks, FoldAndScanInTheOrderOfTheItems) {
    generator rng(11);
    const auto each = [&](std::int64_t items, auto run) {
        for (const std::int64_t count :
             {std::int64_t{1}, items - 1, items, items + 1, 3 * items + 5, std::int64_t{777}})
            if (count > 0) check_line(items, count, run, rng);
    };
    each(1, [](auto&... all) { run_blocks::line_1(all...); });
    each(2, [](auto&... all) { run_blocks::line_2(all...); });
    each(31, [](auto&... all) { run_blocks::line_31(all...); });
    each(32, [](auto&... all) { run_blocks::line_32(all...); });
    each(100, [](auto&... all) { run_blocks::line_100(all...); });
    each(256, [](auto&... all) { run_blocks::line_256(all...); });
    each(1000, [](auto&... all) { run_blocks::line_1000(all...); });
    each(4096, [](auto&... all) { run_blocks::line_4096(all...); });
}

/// The grouping that docs/blocks.md promises: a balanced tree, and scans of 32 neighbours at a time.
TEST(Blocks, GroupAlikeOnAllExecutors) {
    generator rng(12);
    std::vector<float> in(1234), sums(3), upto(in.size());
    for (float& one : in) one = static_cast<float>(below(rng, 1'000'000)) / 7.0f;
    run_blocks::float_folds(static_cast<std::int64_t>(in.size()), in, sums, upto);
    for (std::size_t block = 0; block < sums.size(); ++block) {
        std::vector<float> tree(500);
        for (std::size_t i = 0; i < tree.size() && block * 500 + i < in.size(); ++i) tree[i] = in[block * 500 + i];
        for (std::size_t width = 1; width < tree.size(); width *= 2)
            for (std::size_t i = 0; i + width < tree.size(); i += 2 * width) tree[i] += tree[i + width];
        EXPECT_EQ(sums[block], tree[0]) << block;
    }
    const auto scan_warp = [](std::vector<float> all) {
        for (std::size_t distance = 1; distance < all.size(); distance *= 2)
            for (std::size_t i = all.size() - 1; i >= distance; --i) all[i] = all[i - distance] + all[i];
        return all;
    };
    for (std::size_t block = 0; block < sums.size(); ++block) {
        std::vector<std::vector<float>> groups;
        std::vector<float> totals;
        for (std::size_t first = 0; first < 500; first += 32) {
            std::vector<float> group;
            for (std::size_t i = first; i < std::min<std::size_t>(first + 32, 500); ++i)
                group.push_back(block * 500 + i < in.size() ? in[block * 500 + i] : 0);
            groups.push_back(scan_warp(group));
            totals.push_back(groups.back().back());
        }
        totals = scan_warp(totals);
        for (std::size_t i = 0; i < 500 && block * 500 + i < in.size(); ++i) {
            const float own = groups[i / 32][i % 32];
            EXPECT_EQ(upto[block * 500 + i], i < 32 ? own : totals[i / 32 - 1] + own) << block << ", " << i;
        }
    }
}

TEST(Blocks, Transpose) {
    for (const auto& [rows, columns] : {std::pair<std::int64_t, std::int64_t>{1, 1}, {32, 32}, {33, 31}, {5, 300}}) {
        std::vector<double> in(static_cast<std::size_t>(rows * columns)), out(in.size());
        for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<double>(i);
        run_blocks::transpose(foldwise::shape{rows, columns}, foldwise::host(in.data(), {rows, columns}),
                              foldwise::host(out.data(), {columns, rows}));
        bool ok = true;
        for (std::int64_t i = 0; i < rows; ++i)
            for (std::int64_t j = 0; j < columns; ++j)
                ok = ok && out[static_cast<std::size_t>(j * rows + i)] == in[static_cast<std::size_t>(i * columns + j)];
        EXPECT_TRUE(ok) << rows << " by " << columns;
    }
}

/// Views with gaps and with negative strides take the other instance.
TEST(Blocks, TransposeOfStridedViews) {
    std::vector<double> in(40 * 90), out(40 * 90, -1);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<double>(i);
    const auto from = foldwise::host(in.data(), {40, 90}).slice(1, 88, -1, -2);
    const auto to = foldwise::host(out.data(), {90, 40}).slice(0, 1, 90, 2);
    run_blocks::transpose(foldwise::shape{40, 45}, from, to);
    bool ok = true;
    for (std::size_t i = 0; i < 40; ++i)
        for (std::size_t j = 0; j < 45; ++j) {
            ok = ok && out[(2 * j + 1) * 40 + i] == in[i * 90 + 88 - 2 * j];
            ok = ok && out[2 * j * 40 + i] == -1;
        }
    EXPECT_TRUE(ok);
}

TEST(Blocks, MatrixProductInTilesOfAnyShape) {
    generator rng(13);
    for (const auto& [m, n, p] : {std::array<std::int64_t, 3>{1, 1, 1}, {7, 20, 20}, {5, 23, 7}, {30, 41, 45}}) {
        std::vector<float> x(static_cast<std::size_t>(m * n)), y(static_cast<std::size_t>(n * p)),
            out(static_cast<std::size_t>(m * p));
        for (float& one : x) one = static_cast<float>(below(rng, 9)) - 4;
        for (float& one : y) one = static_cast<float>(below(rng, 9)) - 4;
        run_blocks::matmul(foldwise::shape{m, p}, foldwise::host(x.data(), {m, n}), foldwise::host(y.data(), {n, p}),
                           foldwise::host(out.data(), {m, p}), 2.0f);
        bool ok = true;
        for (std::int64_t i = 0; i < m; ++i)
            for (std::int64_t j = 0; j < p; ++j) {
                float sum = 0;
                for (std::int64_t k = 0; k < n; ++k)
                    sum += x[static_cast<std::size_t>(i * n + k)] * y[static_cast<std::size_t>(k * p + j)];
                ok = ok && out[static_cast<std::size_t>(i * p + j)] == 2 * sum;
            }
        EXPECT_TRUE(ok) << m << ", " << n << ", " << p;
    }
}

TEST(Blocks, OfThreeAxes) {
    generator rng(14);
    const std::int64_t extents[] = {9, 7, 40};
    std::vector<std::int32_t> in(9 * 7 * 40), out(in.size());
    for (std::int32_t& one : in) one = static_cast<std::int32_t>(below(rng, 1000));
    const auto at = [&](std::int64_t i, std::int64_t j, std::int64_t k) {
        const bool inside = i >= 0 && j >= 0 && k >= 0 && i < extents[0] && j < extents[1] && k < extents[2];
        return inside ? in[static_cast<std::size_t>((i * 7 + j) * 40 + k)] : 0;
    };
    run_blocks::box(foldwise::shape{9, 7, 40}, foldwise::host(in.data(), {9, 7, 40}),
                    foldwise::host(out.data(), {9, 7, 40}));
    bool ok = true;
    for (std::int64_t i = 0; i < 9; ++i)
        for (std::int64_t j = 0; j < 7; ++j)
            for (std::int64_t k = 0; k < 40; ++k)
                ok = ok && out[static_cast<std::size_t>((i * 7 + j) * 40 + k)] ==
                               at(i - 1, j, k) + at(i + 1, j, k) + at(i, j - 1, k) + at(i, j + 1, k) + at(i, j, k - 1) +
                                   at(i, j, k + 1);
    EXPECT_TRUE(ok);
}

/// Every element of two blocks along each axis is written once, by the item whose place it has.
template <class Kernel> void expect_numbers(const Kernel& kernel, const std::vector<std::int64_t>& block) {
    std::vector<std::int64_t> extents;
    std::int64_t count = 1;
    for (const std::int64_t extent : block) {
        extents.push_back(2 * extent);
        count *= 2 * extent;
    }
    const foldwise::shape all{std::span<const std::int64_t>(extents)};
    std::vector<std::int32_t> out(static_cast<std::size_t>(count));
    kernel(all, foldwise::host(out.data(), all));
    for (std::int64_t i = 0; i < count; ++i) {
        std::int64_t rest = i, number = 0, stride = 1;
        for (std::size_t axis = block.size(); axis-- > 0; stride *= block[axis]) {
            number += rest % extents[axis] % block[axis] * stride;
            rest /= extents[axis];
        }
        ASSERT_EQ(out[static_cast<std::size_t>(i)], number + 1)
            << "element " << i << " of blocks of " << foldwise::to_string(all);
    }
}

TEST(Blocks, EachItemIsOneThreads) {
    expect_numbers([](const auto& all, auto out) { run_blocks::numbers_of_long_rows(all, out); }, {2, 1024});
    expect_numbers([](const auto& all, auto out) { run_blocks::numbers_of_short_rows(all, out); }, {64, 8});
    expect_numbers([](const auto& all, auto out) { run_blocks::numbers_of_odd_rows(all, out); }, {20, 50});
    expect_numbers([](const auto& all, auto out) { run_blocks::numbers_of_planes(all, out); }, {3, 32, 16});
    expect_numbers([](const auto& all, auto out) { run_blocks::numbers_of_odd_planes(all, out); }, {6, 10, 16});
}

TEST(Blocks, SeveralSharedArraysOfSizesThatTheCallKnows) {
    generator rng(15);
    for (const std::int32_t bins : {1, 5, 200}) {
        std::vector<std::uint8_t> in(1000);
        for (std::uint8_t& one : in) one = static_cast<std::uint8_t>(below(rng, 256));
        std::vector<std::uint32_t> counts(static_cast<std::size_t>(bins)), expected(counts.size());
        const std::vector<double> weights{1, 2, 4};
        std::vector<double> weighted(3);
        run_blocks::histogram(1000, in, {bins, 3}, counts, weights, weighted);
        double total = 0;
        for (const std::uint8_t one : in) {
            const auto bin = static_cast<std::size_t>((one + 3) % bins);
            ++expected[bin];
            total += static_cast<double>(bin % 3 + 1 + 2 * (bin % 2) + 1);
        }
        EXPECT_EQ(counts, expected) << bins;
        EXPECT_EQ(weighted, (std::vector<double>{total, 2 * total, 4 * total})) << bins;
    }
}

TEST(Blocks, PhasesUntilAFoldSaysSo) {
    std::vector<std::int64_t> in(150), rounds(3);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<std::int64_t>(i) + 1;
    run_blocks::collatz(150, in, rounds);
    for (std::size_t block = 0; block < 3; ++block) {
        std::int64_t most = 0;
        for (std::size_t i = block * 64; i < std::min<std::size_t>(150, (block + 1) * 64); ++i) {
            std::int64_t steps = 0;
            for (std::int64_t value = in[i]; value > 1; ++steps) value = value % 2 == 0 ? value / 2 : 3 * value + 1;
            most = std::max(most, steps);
        }
        EXPECT_EQ(rounds[block], most) << block;
    }
}

TEST(Blocks, OfAFunctionWithAName) {
    std::vector<float> in(2000), out(2000);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i);
    run_blocks::reversed(2000, in, out);
    for (std::size_t i = 0; i < in.size(); ++i) {
        const std::size_t begin = i / 640 * 640, end = std::min<std::size_t>(begin + 640, 2000);
        ASSERT_EQ(out[i], in[begin + end - 1 - i]) << i;
    }
}

TEST(Blocks, ShareAllThatAGpuHas) {
    for (const std::int64_t bytes : {0, 1, 1000, 48 * 1024, 100'000, 227 * 1024 - 1024}) {
        std::vector<std::int64_t> out(2);
        run_blocks::large(200, bytes, out);
        std::int64_t sum = 0;
        for (std::int64_t k = 0; k < bytes; ++k) sum += k % 251;
        EXPECT_EQ(out, (std::vector<std::int64_t>{sum, sum})) << bytes;
    }
}

TEST(Blocks, SharedMemoryBeyondAGpusIsRefusedWithFigures) {
    std::vector<std::int64_t> out(2, -1);
    if (runs_on("cpu")) return;
    try {
        run_blocks::large(200, 227 * 1024, out);
        FAIL() << "no error";
    } catch (const std::invalid_argument& error) {
        EXPECT_NE(std::string(error.what())
                      .find("run_blocks::large: the items of a block share 232512 bytes, and a "
                            "GPU's blocks have at most 232448"),
                  std::string::npos)
            << error.what();
    }
    EXPECT_EQ(out, (std::vector<std::int64_t>{-1, -1}));
}

TEST(Blocks, WholeBlocksHaveElements) {
    const auto in = foldwise::zeros<float>({30, 20}, foldwise::cpu());
    auto out = foldwise::full<float>({32, 24}, -1.0f, foldwise::cpu());
    run_blocks::doubled(in.shape(), in, out);  // the input has a condition
    EXPECT_EQ(out.to_host(), std::vector<float>(32 * 24, 0.0f));
    auto small = foldwise::full<float>({32, 20}, -1.0f, foldwise::cpu());
    try {
        run_blocks::doubled(in.shape(), in, small);
        FAIL() << "no error";
    } catch (const foldwise::shape_error& error) {
        EXPECT_STREQ(error.what(),
                     "run_blocks::doubled: whole blocks have 24 items along axis 1, each of which accesses "
                     "an element of out, and out, of shape (32, 20), has 20 there: in the kernel, if "
                     "(out.has(b.at(t))) leaves out the items that have none");
    }
    EXPECT_EQ(small.to_host(), std::vector<float>(32 * 20, -1.0f));
}

TEST(Blocks, NothingToDo) {
    std::vector<double> none;
    run_blocks::transpose(foldwise::shape{0, 5}, foldwise::host(none.data(), {0, 5}),
                          foldwise::host(none.data(), {5, 0}));
    std::vector<std::int64_t> out(1);
    EXPECT_THROW(run_blocks::large(-1, 5, out), std::invalid_argument);
    EXPECT_THROW(run_blocks::transpose(foldwise::shape{5}, foldwise::host(none.data(), {0, 5}),
                                       foldwise::host(none.data(), {5, 0})),
                 foldwise::shape_error);
}

}  // namespace
