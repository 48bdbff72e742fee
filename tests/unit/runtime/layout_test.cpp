// tests/unit/runtime/layout_test.cpp: strided layouts, compared with computing offsets from indices one by one.
#include <foldwise/detail/layout.hpp>

#include "expect_error.hpp"

#include <foldwise/error.hpp>

#include <limits>
#include <span>
#include <vector>

using namespace foldwise;
using detail::layout;

/// Offsets of all elements of a layout in row-major order, by nested counting.
static void offsets_from(const layout& of, int axis, std::int64_t base, std::vector<std::int64_t>& all) {
    if (axis == of.shape.rank()) {
        all.push_back(base);
        return;
    }
    for (std::int64_t i = 0; i < of.shape[axis]; ++i)
        offsets_from(of, axis + 1, base + i * of.strides[static_cast<std::size_t>(axis)], all);
}
static std::vector<std::int64_t> offsets(const layout& of, std::int64_t base = 0) {
    std::vector<std::int64_t> all;
    offsets_from(of, 0, base, all);
    return all;
}

TEST(Layout, RowMajorCountsUp) {
    const std::vector<std::int64_t> all = offsets(detail::row_major({3, 4, 5}));
    ASSERT_EQ(all.size(), 60u);
    for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i], static_cast<std::int64_t>(i));
}

TEST(Layout, EverySliceOfAnAxisIsWhatALoopFinds) {
    const layout whole = detail::row_major({2, 5, 3});
    for (std::int64_t step : {-7, -3, -2, -1, 1, 2, 3, 7}) {
        for (std::int64_t begin = -1; begin <= 6; ++begin) {
            for (std::int64_t end = -2; end <= 6; ++end) {
                const bool valid =
                    step > 0 ? 0 <= begin && begin <= end && end <= 5 : -1 <= end && end <= begin && begin < 5;
                if (!valid) {
                    EXPECT_THROW(detail::slice(whole, 1, begin, end, step), shape_error) << begin << " " << end;
                    continue;
                }
                std::vector<std::int64_t> expected;
                for (std::int64_t i = 0; i < 2; ++i) {
                    for (std::int64_t j = begin; step > 0 ? j < end : j > end; j += step) {
                        for (std::int64_t k = 0; k < 3; ++k) expected.push_back((i * 5 + j) * 3 + k);
                    }
                }
                const detail::sublayout part = detail::slice(whole, 1, begin, end, step);
                EXPECT_EQ(offsets(part.layout, part.offset), expected) << begin << " " << end << " " << step;
                EXPECT_EQ(detail::slice(whole, -2, begin, end, step).layout.shape, part.layout.shape);
            }
        }
    }
}

TEST(Layout, SlicesOfSlicesCompose) {
    const layout whole = detail::row_major({20});
    const detail::sublayout odd = detail::slice(whole, 0, 1, 20, 2);        // 1 3 5 ... 19
    const detail::sublayout back = detail::slice(odd.layout, 0, 8, 1, -3);  // of these 8 5 2
    EXPECT_EQ(offsets(back.layout, odd.offset + back.offset), (std::vector<std::int64_t>{17, 11, 5}));
}

TEST(Layout, SliceNamesWhatIsWrong) {
    const layout whole = detail::row_major({3, 4});
    const auto slice = [&](int axis, std::int64_t begin, std::int64_t end, std::int64_t step) {
        return [=] { static_cast<void>(detail::slice(whole, axis, begin, end, step)); };
    };
    expect_error<shape_error>(slice(1, 0, 5, 1), "[0, 5)", "axis 1", "(3, 4)");
    expect_error<shape_error>(slice(2, 0, 1, 1), "slice: there is no axis 2", "(3, 4)");
    expect_error<shape_error>(slice(-3, 0, 1, 1), "axis -3");
    expect_error<shape_error>(slice(0, 0, 3, 0), "by 0");
    const std::string from_the_end = "out of range; negative numbers do not count from the end";
    expect_error<shape_error>(slice(0, -1, 3, 1), "[-1, 3)", from_the_end);
    expect_error<shape_error>(slice(0, 0, -1, 1), from_the_end);
    expect_error<shape_error>(slice(0, 2, -2, -1), from_the_end);
}

TEST(Layout, StepsBeyondAnyExtentLeaveOneElement) {
    const layout whole = detail::row_major({5});
    const std::int64_t most = std::numeric_limits<std::int64_t>::max(),
                       least = std::numeric_limits<std::int64_t>::min();
    EXPECT_EQ(detail::slice(whole, 0, 1, 5, most).layout.shape, shape{1});
    EXPECT_EQ(detail::slice(whole, 0, 4, -1, least).layout.shape, shape{1});
}

TEST(Layout, ContiguousIsRowMajorWithoutGaps) {
    const layout whole = detail::row_major({3, 4});
    const auto contiguous = [](const layout& l) { return detail::is_contiguous(l.shape, l.strides); };
    EXPECT_TRUE(contiguous(whole));
    EXPECT_TRUE(contiguous(detail::slice(whole, 0, 1, 3, 1).layout));
    EXPECT_FALSE(contiguous(detail::slice(whole, 1, 0, 3, 1).layout));
    EXPECT_FALSE(contiguous(detail::slice(whole, 0, 2, -1, -1).layout));
    EXPECT_TRUE(contiguous(detail::slice(detail::slice(whole, 1, 1, 2, 1).layout, 0, 1, 2, 1).layout));  // one element
    EXPECT_FALSE(contiguous(detail::slice(whole, 1, 1, 2, 1).layout));                                   // a column
    EXPECT_TRUE(contiguous(detail::slice(whole, 1, 2, 2, 1).layout));                                    // nothing
    EXPECT_FALSE(contiguous({{3, 4}, {1, 3}}));                                                          // transposed
    EXPECT_TRUE(contiguous(detail::row_major(shape{})));
}

TEST(Layout, ReshapeKeepsTheElements) {
    const layout whole = detail::row_major({3, 4});
    EXPECT_EQ(offsets(detail::reshape(whole, {2, 6})), offsets(whole));
    EXPECT_EQ(detail::reshape(whole, shape{12}).shape, shape{12});
    EXPECT_EQ(detail::reshape(detail::row_major(shape{0, 5}), {7, 0}).shape, (shape{7, 0}));
    expect_error<shape_error>(
        [&] {
            static_cast<void>(detail::reshape(whole, {5, 2}));
        },
        "(3, 4)", "(5, 2)", "12", "10");
}

/// Every way to write `size` as extents, axes of one element among them.
static void factorings(std::int64_t size, std::vector<std::int64_t> extents, std::vector<shape>& all) {
    if (extents.size() > 4) return;
    if (size == 1) all.push_back(shape(std::span<const std::int64_t>(extents)));
    for (std::int64_t factor = 1; factor <= size; ++factor) {
        if (size % factor != 0) continue;
        extents.push_back(factor);
        factorings(size / factor, extents, all);
        extents.pop_back();
    }
}

/// Whether strides exist that give these offsets in this shape: those between neighbours do, or none.
static bool has_strides(const std::vector<std::int64_t>& wanted, const shape& extents) {
    const layout counted = detail::row_major(extents);
    layout tried{extents, {}};
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(extents.rank()); ++axis) {
        if (extents[static_cast<int>(axis)] > 1)
            tried.strides[axis] = wanted[static_cast<std::size_t>(counted.strides[axis])] - wanted[0];
    }
    return offsets(tried, wanted[0]) == wanted;
}

TEST(Layout, ReshapeOfStridedElementsIsAViewWhereOneExists) {
    const layout cube = detail::row_major({4, 3, 4});
    const int turned[] = {1, 0, 2};
    const layout sources[] = {
        cube,
        detail::slice(cube, 2, 0, 4, 2).layout,
        detail::slice(cube, 1, 2, -1, -1).layout,
        detail::slice(detail::slice(cube, 0, 3, -1, -1).layout, 1, 0, 2, 1).layout,
        detail::permute(cube, turned),
        detail::transpose(cube),
        detail::slice(cube, 0, 1, 3, 1).layout,
        detail::broadcast(detail::row_major(shape{4}), {2, 3, 4}),
        detail::broadcast(detail::row_major({4, 1}), {4, 6}),
        detail::slice(cube, 1, 1, 2, 1).layout,
    };
    int views = 0, copies = 0;
    for (const layout& from : sources) {
        std::vector<shape> shapes;
        factorings(from.shape.size(), {}, shapes);
        for (const shape& to : shapes) {
            if (has_strides(offsets(from), to)) {
                ++views;
                EXPECT_EQ(offsets(detail::reshape(from, to)), offsets(from)) << to_string(from.shape) << to_string(to);
            } else {
                ++copies;
                EXPECT_THROW(static_cast<void>(detail::reshape(from, to)), shape_error) << to_string(to);
            }
        }
    }
    EXPECT_GT(views, 100);
    EXPECT_GT(copies, 100);
    const layout columns = detail::slice(detail::row_major({3, 4}), 1, 0, 3, 1).layout;
    expect_error<shape_error>([&] { static_cast<void>(detail::reshape(columns, shape{9})); },
                              "reshape: the shape (3, 3)", "strides (4, 1)", "(9)", "without a copy");
}

TEST(Layout, ErrorsNameTheFunction) {
    const layout whole = detail::row_major({3, 4});
    const int axes[] = {0, 0};
    expect_error<shape_error>([&] { static_cast<void>(detail::permute(whole, axes)); }, "permute: the axes (0, 0)",
                              "(3, 4)");
    expect_error<shape_error>(
        [&] {
            static_cast<void>(detail::broadcast(whole, {3, 5}));
        },
        "broadcast_to: the shape (3, 4)", "(3, 5)");
}

TEST(Layout, BytesThatDoNotFitInAnAddressAreOutOfMemory) {
    EXPECT_EQ(detail::bytes_of({3, 4}, 8), 96u);
    expect_error<out_of_memory>([] { static_cast<void>(detail::bytes_of(shape{std::int64_t{1} << 61}, 8)); },
                                "(2305843009213693952)", "8 bytes");
    expect_error<out_of_memory>([] { static_cast<void>(detail::bytes_of(shape{std::int64_t{1} << 60}, 8)); });
}
