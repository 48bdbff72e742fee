// tests/unit/runtime/shape_test.cpp: construction from every kind of integer, sizes, text and errors.
#include <foldwise/shape.hpp>

#include "expect_error.hpp"

#include <foldwise/error.hpp>

#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

using foldwise::shape;

static_assert(!std::is_convertible_v<int, shape>, "an integer stays a scalar operand");
static_assert(!std::is_constructible_v<shape, double> && !std::is_constructible_v<shape, bool>);
static_assert(std::is_constructible_v<shape, unsigned>);

static shape passed(const shape& s) { return s; }

TEST(Shape, IsMadeFromAnyIntegers) {
    int m = 3;
    std::size_t n = 4;
    const std::uint8_t k = 5;
    EXPECT_EQ(to_string(shape{m, n}), "(3, 4)");
    EXPECT_EQ(to_string(shape{m, m}), "(3, 3)");
    EXPECT_EQ(to_string(shape{n}), "(4)");
    EXPECT_EQ(to_string(shape(n, k, m)), "(4, 5, 3)");
    EXPECT_EQ(to_string(shape{}), "()");
    EXPECT_EQ(to_string(passed({m, 1})), "(3, 1)");
    EXPECT_EQ(to_string(passed({12})), "(12)");
    EXPECT_EQ(to_string(shape({2, 3, 2, 3, 2, 3, 2})), "(2, 3, 2, 3, 2, 3, 2)");
    EXPECT_EQ(to_string(shape{std::int64_t{1} << 46}), "(70368744177664)");
}

TEST(Shape, KnowsItsSize) {
    EXPECT_EQ(shape{}.size(), 1);
    EXPECT_EQ((shape{3, 4, 5}.size()), 60);
    EXPECT_EQ((shape{3, 0, 5}.size()), 0);
    EXPECT_EQ(shape({7, 8}).rank(), 2);
    EXPECT_EQ((shape{7, 8}[1]), 8);
    const shape s{7, 8, 9};
    EXPECT_EQ(std::vector<std::int64_t>(s.begin(), s.end()), (std::vector<std::int64_t>{7, 8, 9}));
}

TEST(Shape, ComparesRankAndExtents) {
    EXPECT_TRUE((shape{3, 4} == shape{3, 4}));
    EXPECT_FALSE((shape{3, 4} == shape{4, 3}));
    EXPECT_FALSE((shape{3} == shape{3, 1}));
    EXPECT_FALSE((shape{} == shape{1}));
}

TEST(Shape, RefusesWhatCannotBe) {
    expect_error<foldwise::shape_error>(
        [] {
            shape{3, -1};
        },
        "axis 1 of a shape cannot be an axis of -1 elements; only reshape() infers an extent from the others");
    expect_error<foldwise::shape_error>([] { shape{std::numeric_limits<std::uint64_t>::max()}; },
                                        "18446744073709551615");
    EXPECT_EQ((shape{1, 2, 3, 4, 5, 6, 7, 8}.rank()), 8);
    expect_error<foldwise::shape_error>([] { shape{1, 2, 3, 4, 5, 6, 7, 8, 9}; }, "8 axes");
}

TEST(Shape, SizeThatOverflowsNamesTheShape) {
    const std::int64_t big = std::int64_t{1} << 40;
    expect_error<foldwise::shape_error>(
        [=] {
            static_cast<void>(shape{big, big}.size());
        },
        "(1099511627776, 1099511627776)");
    EXPECT_EQ((shape{big, big, 0}.size()), 0);
    EXPECT_EQ((shape{std::int64_t{1} << 31, std::int64_t{1} << 31}.size()), std::int64_t{1} << 62);
}
