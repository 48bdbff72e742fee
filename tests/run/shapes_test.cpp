// tests/run/shapes_test.cpp: generated kernels on operands of every shape, against a plain loop over indices.
#include "shapes.kernels.hpp"
#include "shapes_sample.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <set>
#include <tuple>
#include <vector>

namespace {

using namespace run_tests;

template <class T> class EveryWidth : public testing::Test {};
using widths = testing::Types<std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t, run::block<std::uint8_t, 3>,
                              run::block<std::uint32_t, 3>, run::block<std::uint64_t, 2>, run::block<std::uint64_t, 3>>;
TYPED_TEST_SUITE(EveryWidth, widths);

TYPED_TEST(EveryWidth, OfAnyShape) {
    using T = TypeParam;
    many(2000, [](unsigned seed) {
        generator rng(seed);
        const shape whole = any_shape(rng);
        sample<T> x(any_part(whole, rng), true, rng), y(rng() % 2 ? whole : any_part(whole, rng), true, rng);
        const bool all_scalar = x.is_scalar() && y.is_scalar();
        const shape common = all_scalar ? whole : both(x.where().shape, y.where().shape);
        sample<T> other(common, false, rng);
        const bool in_place = rng() % 4 == 0 && x.where().shape == common && x.is_unique();
        sample<T>& out = in_place ? x : other;
        const std::string line =
            rerun(seed) + ": x " + x.text() + ", y " + y.text() + ", out " + (in_place ? "in place" : out.text());

        std::vector<T> made;
        each_element(common, {&x.where(), &y.where(), &out.where()}, [&](const auto&, const auto& offsets) {
            const T a = x.at(offsets[0]), b = y.at(offsets[1]), value = static_cast<T>(a + a + b);
            made.push_back(value);
            out.expect(offsets[2], value);
        });
        if (rng() % 4 == 0 && !all_scalar) {
            const foldwise::array<T> result = run::weave(x.input(), y.input());
            ASSERT_EQ(result.shape(), common) << line;
            ASSERT_EQ(result.to_host(), made) << line;
        }
        run::weave(x.input(), y.input(), out.output());
        ASSERT_TRUE(out.is_as_expected()) << line;
    });
}

/// A view of up to four axes in an order of its own in memory, with gaps between its rows or not: what images and
/// matrices look like, and what tiles are for. Some axes of inputs stand still.
layout any_tiles(const shape& extents, bool is_input, generator& rng) {
    std::vector<int> order(static_cast<std::size_t>(extents.rank()));
    std::iota(order.begin(), order.end(), 0);
    if (is_input && rng() % 4 != 0) std::shuffle(order.begin(), order.end(), rng);
    layout result{extents, {}};
    std::int64_t stride = is_input && rng() % 8 == 0 ? 2 : 1;
    for (std::size_t i = order.size(); i-- > 0;) {
        const bool stands_still = is_input && rng() % 6 == 0;
        result.strides[static_cast<std::size_t>(order[i])] = stands_still ? 0 : stride;
        if (!stands_still)
            stride = stride * extents[order[i]] + (rng() % 8 == 0 ? 1 + static_cast<int>(rng() % 16) : 0);
    }
    return result;
}

shape any_matrix(generator& rng) {
    std::vector<std::int64_t> extents = {1 + static_cast<std::int64_t>(below(rng, 150)),
                                         1 + static_cast<std::int64_t>(below(rng, 150))};
    if (rng() % 2 == 0) {  // vectors of any type end where rows and columns do
        for (std::int64_t& extent : extents) extent = (extent + 15) / 16 * 16;
    }
    while (rng() % 3 == 0 && extents.size() < 4) extents.push_back(1 + static_cast<std::int64_t>(below(rng, 4)));
    std::shuffle(extents.begin(), extents.end(), rng);
    return shape_of(extents);
}

/// Whether the kernel makes of two operands what a loop over all indices makes.
template <class T> bool weaves(const shape& whole, sample<T>& x, sample<T>& y, sample<T>& out) {
    each_element(whole, {&x.where(), &y.where(), &out.where()}, [&](const auto&, const auto& offsets) {
        const T a = x.at(offsets[0]), b = y.at(offsets[1]);
        out.expect(offsets[2], static_cast<T>(a + a + b));
    });
    run::weave(x.input(), y.input(), out.output());
    return out.is_as_expected();
}

TYPED_TEST(EveryWidth, InTiles) {
    using T = TypeParam;
    many(250, [](unsigned seed) {
        generator rng(seed);
        const shape whole = any_matrix(rng);
        sample<T> x(any_tiles(whole, true, rng), true, rng), y(any_tiles(whole, true, rng), true, rng);
        sample<T> out(any_tiles(whole, false, rng), false, rng);
        ASSERT_TRUE(weaves(whole, x, y, out))
            << rerun(seed) << ": x " << x.text() << ", y " << y.text() << ", out " << out.text();
    });
}

/// Columns, a multiple of those of tiles, with which a call of so many rows has tiles: on a GPU, one of few elements
/// has a thread for each.
std::int64_t columns_for_tiles(std::int64_t rows) { return runs_on("cuda") ? ((1 << 18) / rows / 1024 + 1) * 1024 : 0; }

/// Few or some rows of many columns, alone or among further axes: tiles that are folded, and those that are not.
shape any_strip(generator& rng) {
    static constexpr std::int64_t edges[] = {32, 64, 128, 256, 512, 1024};
    const auto row = 1 + static_cast<std::int64_t>(below(rng, 40));
    std::int64_t column = edges[below(rng, row > 8 ? 4 : 6)];
    column += rng() % 3 == 0 ? 0 : static_cast<std::int64_t>(below(rng, 37)) - 18;
    std::vector<std::int64_t> extents{row, column + columns_for_tiles(row)};
    for (int more = 0; more < 2; ++more) {
        if (rng() % 4 == 0) extents.insert(extents.begin() + static_cast<int>(below(rng, 2)), 2);
    }
    return shape_of(extents);
}

/// A strip whose last axis, or with `is_transposed` another one, mostly that of the rows, has unit stride. Its rows and
/// columns may have gaps, or are walked backwards.
layout any_strip_layout(const shape& extents, bool is_transposed, bool is_input, generator& rng) {
    const int rank = extents.rank();
    std::vector<int> order(static_cast<std::size_t>(rank));
    std::iota(order.begin(), order.end(), 0);
    if (is_transposed) {
        std::swap(order[static_cast<std::size_t>(rank - 1)], order[static_cast<std::size_t>(rank - 2)]);
        if (rng() % 4 == 0) std::shuffle(order.begin(), order.end(), rng);
    }
    layout result{extents, {}};
    std::int64_t stride = 1;
    for (std::size_t i = order.size(); i-- > 0;) {
        std::int64_t& own = result.strides[static_cast<std::size_t>(order[i])];
        own = stride;
        const bool is_unit = i + 1 == order.size();
        if (!is_unit && rng() % 8 == 0) own = -own;
        if (is_input && !is_unit && rng() % 16 == 0) own = 0;
        stride *= extents[order[i]];
        if (rng() % 5 == 0) stride += rng() % 2 ? 16 : 1 + static_cast<std::int64_t>(below(rng, 7));
    }
    return result;
}

TYPED_TEST(EveryWidth, InStripsOfFewRows) {
    using T = TypeParam;
    many(runs_on("cuda") ? 15 : 250, [](unsigned seed) {
        generator rng(seed);
        const shape whole = any_strip(rng);
        const bool first = rng() % 3 != 0;
        sample<T> x(any_strip_layout(whole, first, true, rng), true, rng);
        sample<T> y(any_strip_layout(whole, !first || rng() % 3 == 0, true, rng), true, rng);
        sample<T> out(any_strip_layout(whole, false, false, rng), false, rng);
        ASSERT_TRUE(weaves(whole, x, y, out))
            << rerun(seed) << ": x " << x.text() << ", y " << y.text() << ", out " << out.text();
    });
}

/// Each number of rows beside each edge of tiles, to a dense array: a transposed operand with one that is not, whose
/// rows may begin anywhere, and with a single value.
TYPED_TEST(EveryWidth, EachNumberOfRows) {
    using T = TypeParam;
    many(40, [](unsigned seed) {  // as many rows
        generator rng(seed);
        for (const std::int64_t edge : {31, 64, 65, 128, 144, 255, 512, 513, 1025}) {
            if (runs_on("cuda") && rng() % 16 != 0) continue;  // such calls are large
            const shape whole{std::int64_t{seed}, edge + columns_for_tiles(seed)};
            layout plain{whole, {}}, apart{whole, {}}, turned{whole, {}};
            plain.strides[0] = whole[1], plain.strides[1] = 1;
            apart.strides[0] = whole[1] + edge % 3, apart.strides[1] = 1;
            turned.strides[0] = 1, turned.strides[1] = seed;
            sample<T> x(turned, false, rng), y(apart, false, rng), out(plain, false, rng);
            ASSERT_TRUE(weaves(whole, x, y, out))
                << rerun(seed) << ": x " << x.text() << ", y " << y.text() << ", out " << out.text();
            const T value = y.at(0);
            each_element(whole, {&x.where(), &out.where()}, [&](const auto&, const auto& offsets) {
                const T a = x.at(offsets[0]);
                out.expect(offsets[1], static_cast<T>(a + a + value));
            });
            run::weave(x.input(), value, out.output());
            ASSERT_TRUE(out.is_as_expected()) << rerun(seed) << ": x " << x.text() << ", out " << out.text();
        }
    });
}

/// Operands with few elements that repeat along the outer axis of many rows, in more than one block of any size.
TYPED_TEST(EveryWidth, RowsThatRepeat) {
    using T = TypeParam;
    many(150, [](unsigned seed) {
        generator rng(seed);
        const auto below_inner = [&] { return 1 + static_cast<std::int64_t>(below(rng, rng() % 2 ? 4 : 40)); };
        // Rows of one operand that are long and apart end runs within the period of the other.
        const std::int64_t middle = below_inner();
        const std::int64_t last = rng() % 4 == 0 ? 128 + static_cast<std::int64_t>(below(rng, 60)) : below_inner();
        const shape whole{1 + 9000 / (middle * last), middle, last};
        const auto strided = [&](std::int64_t outer, std::int64_t middle_stride, std::int64_t last_stride) {
            layout result{whole, {}};
            result.strides[0] = outer, result.strides[1] = middle_stride, result.strides[2] = last_stride;
            return result;
        };
        const layout all = strided(middle * last, last, 1);
        const std::vector<layout> layouts{all, strided(middle * (last + 3), last + 3, 1), strided(0, last, 1),
                                          strided(0, 1, 0), strided(0, 0, 1)};
        sample<T> x(layouts[below(rng, 5)], true, rng), y(layouts[below(rng, 5)], true, rng), out(all, false, rng);
        ASSERT_TRUE(weaves(whole, x, y, out))
            << rerun(seed) << ": x " << x.text() << ", y " << y.text() << ", out " << out.text();
    });
}

TEST(Shapes, InTilesOfSeveralWidths) {
    many(250, [](unsigned seed) {
        generator rng(seed);
        const shape whole = any_matrix(rng);
        sample<std::uint8_t> x(any_tiles(whole, true, rng), true, rng);
        sample<std::uint16_t> y(any_tiles(whole, true, rng), true, rng), out(any_tiles(whole, false, rng), false, rng);
        each_element(whole, {&x.where(), &y.where(), &out.where()}, [&](const auto&, const auto& offsets) {
            out.expect(offsets[2], static_cast<std::uint16_t>(3 * x.at(offsets[0]) + y.at(offsets[1])));
        });
        run::blend(x.input(), y.input(), out.output());
        ASSERT_TRUE(out.is_as_expected())
            << rerun(seed) << ": x " << x.text() << ", y " << y.text() << ", out " << out.text();
    });
}

// What the cases above and below are made of, so that a change of the generators does not quietly leave something out.
TEST(Shapes, CasesHaveEverythingThatMatters) {
    std::set<int> ranks;
    std::set<std::int64_t> extents;
    int negative = 0, still = 0, misaligned = 0, scalars = 0, long_axes = 0, empty = 0, gaps = 0;
    for (unsigned seed = 1; seed <= 2000; ++seed) {
        generator rng(seed);
        const shape whole = any_shape(rng);
        sample<std::uint32_t> x(any_part(whole, rng), true, rng);
        ranks.insert(whole.rank());
        extents.insert(whole.begin(), whole.end());
        long_axes += std::any_of(whole.begin(), whole.end(), [](std::int64_t extent) { return extent >= 1000; });
        empty += whole.size() == 0;
        scalars += x.is_scalar();
        const layout& own = x.where();
        for (int axis = 0; axis < own.shape.rank(); ++axis) {
            const std::int64_t stride = own.strides[static_cast<std::size_t>(axis)];
            negative += own.shape[axis] > 1 && stride < 0;
            still += own.shape[axis] > 1 && stride == 0;
        }
        gaps += !foldwise::detail::is_contiguous(own.shape, own.strides);
        misaligned += reinterpret_cast<std::uintptr_t>(x.window().data()) % 16 != 0;
    }
    EXPECT_EQ(ranks, (std::set<int>{0, 1, 2, 3, 4, 5, 6, 7, 8}));
    for (std::int64_t extent : {0, 1, 2, 3, 5, 7, 13, 31, 32, 33, 97}) EXPECT_TRUE(extents.contains(extent)) << extent;
    EXPECT_GE(negative, 50);
    EXPECT_GE(still, 50);
    EXPECT_GE(misaligned, 50);
    EXPECT_GE(scalars, 50);
    EXPECT_GE(long_axes, 50);
    EXPECT_GE(gaps, 50);
    EXPECT_GE(empty, 20);
}

TEST(Shapes, SeveralOutputs) {
    many(2000, [](unsigned seed) {
        generator rng(seed);
        const shape whole = any_shape(rng);
        sample<std::uint8_t> a(any_part(whole, rng), true, rng);
        sample<std::uint32_t> b(any_part(whole, rng), true, rng);
        sample<run::block<std::uint32_t, 3>> c(whole, true, rng);
        const bool all_scalar = a.is_scalar() && b.is_scalar() && c.is_scalar();
        const shape common = all_scalar ? whole : both(both(a.where().shape, b.where().shape), c.where().shape);
        sample<std::uint64_t> out0(common, false, rng);
        sample<std::uint16_t> out1(common, false, rng);
        each_element(common, {&a.where(), &b.where(), &c.where(), &out0.where(), &out1.where()},
                     [&](const auto&, const auto& offsets) {
                         const std::uint8_t one = a.at(offsets[0]);
                         out0.expect(offsets[3], std::uint64_t{one} * 1000 + b.at(offsets[1]));
                         out1.expect(offsets[4], static_cast<std::uint16_t>(c.at(offsets[2]).values[2] + one));
                     });
        run::three(a.input(), b.input(), c.input(), out0.output(), out1.output());
        ASSERT_TRUE(out0.is_as_expected() && out1.is_as_expected())
            << rerun(seed) << ": a " << a.text() << ", b " << b.text() << ", c " << c.text() << ", out0 " << out0.text()
            << ", out1 " << out1.text();
    });
}

TEST(Index, OfOneAxisIsTheRowMajorPosition) {
    many(2000, [](unsigned seed) {
        generator rng(seed);
        const shape whole = any_shape(rng);
        sample<std::int32_t> step(any_part(whole, rng), true, rng);
        sample<std::int64_t> out(whole, false, rng);
        std::int64_t position = 0;
        std::vector<std::int64_t> made;
        each_element(whole, {&step.where(), &out.where()}, [&](const auto&, const auto& offsets) {
            made.push_back(position++ * step.at(offsets[0]));
            out.expect(offsets[1], made.back());
        });
        const std::string line = rerun(seed) + ": step " + step.text() + ", out " + out.text();
        run::ramp(step.input(), out.output());
        ASSERT_TRUE(out.is_as_expected()) << line;
        const foldwise::array<std::int64_t> result = run::ramp(whole, step.input());
        ASSERT_EQ(result.shape(), whole) << line;
        ASSERT_EQ(result.to_host(), made) << line;
    });
}

shape any_shape_of(std::size_t rank, generator& rng) {
    std::vector<std::int64_t> extents;
    for (std::size_t axis = 0; axis < rank; ++axis)
        extents.push_back(static_cast<std::int64_t>(rng() % 8 == 0 ? below(rng, 300) : below(rng, 20)));
    return shape_of(extents);
}

TEST(Index, OfSeveralAxesIsTheElementsPlace) {
    many(2000, [](unsigned seed) {
        generator rng(seed);
        const shape two = any_shape_of(2, rng), three = any_shape_of(3, rng);
        sample<std::int64_t> flat(two, false, rng), deep(three, false, rng);
        sample<std::int32_t> x(any_part(three, rng), true, rng);
        each_element(two, {&flat.where()},
                     [&](const auto& at, const auto& offsets) { flat.expect(offsets[0], at[0] * 100000 + at[1]); });
        each_element(three, {&x.where(), &deep.where()}, [&](const auto& at, const auto& offsets) {
            deep.expect(offsets[1], ((at[0] * 1000 + at[1]) * 1000 + at[2]) * 10 + x.at(offsets[0]));
        });
        run::places(flat.output());
        ASSERT_TRUE(flat.is_as_expected()) << rerun(seed) << ": out " << flat.text();
        run::cube(x.input(), deep.output());
        ASSERT_TRUE(deep.is_as_expected()) << rerun(seed) << ": x " << x.text() << ", out " << deep.text();
    });
}

TEST(Index, MayBeGeneric) {
    EXPECT_EQ(run::generic(foldwise::shape{3}, std::vector<double>{0.5}).to_host(),
              (std::vector<double>{0.5, 1.5, 2.5}));
    EXPECT_EQ(run::generic(std::vector<std::int64_t>{5, 5}).to_host(), (std::vector<std::int64_t>{5, 6}));
    EXPECT_EQ(run::generic(foldwise::shape{2}, 0.5).to_host(), (std::vector<double>{0.5, 1.5}));
}

TEST(Index, NeedsACallOfAsManyAxes) {
    std::vector<std::int64_t> out(6, -1);
    EXPECT_THROW(run::places(out), foldwise::shape_error);
    EXPECT_THROW(run::places(foldwise::host(out.data(), {1, 2, 3})), foldwise::shape_error);
    EXPECT_EQ(out, std::vector<std::int64_t>(6, -1));
    run::places(foldwise::host(out.data(), {2, 3}));
    EXPECT_EQ(out, (std::vector<std::int64_t>{0, 1, 2, 100000, 100001, 100002}));
}

TEST(Shapes, WhatDoesNotFitIsRefusedBeforeAnythingIsWritten) {
    std::vector<std::uint32_t> memory(24, 7);
    const foldwise::view<std::uint32_t> square = foldwise::host(memory.data(), {4, 6});
    EXPECT_THROW(run::weave(square.transpose(), square, square), foldwise::shape_error);
    EXPECT_THROW(run::weave(square.slice(1, 0, 4), std::uint32_t{1}, square.slice(1, 2, 6)), foldwise::overlap_error);
    EXPECT_THROW(run::weave(std::uint32_t{1}, std::uint32_t{1}, foldwise::host(memory.data(), {4, 6}, {0, 1})),
                 foldwise::overlap_error);
    EXPECT_EQ(memory, std::vector<std::uint32_t>(24, 7));
    run::weave(square.slice(1, 0, 6, 2), std::uint32_t{1}, square.slice(1, 1, 6, 2));  // interleaved
    EXPECT_EQ(memory[1], 15u);
    EXPECT_EQ(memory[2], 7u);
}

}  // namespace
