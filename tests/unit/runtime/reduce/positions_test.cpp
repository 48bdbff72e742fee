// tests/unit/runtime/reduce/positions_test.cpp: indices that are computed without division, beside those with it.
#include <foldwise/cpu/positions.hpp>
#include <foldwise/spec/index.hpp>

#include <gtest/gtest.h>

#include <array>
#include <random>

using foldwise::cpu::straight_positions;
using foldwise::detail::fold_position;

namespace {

template <int N> bool is_straight(const fold_position& position, std::int64_t rows, std::int64_t count) {
    return straight_positions<N>(position, rows, count).is_right();
}

template <int N> void expect_same_indices(const fold_position& position, std::int64_t rows, std::int64_t count) {
    foldwise::cpu::with_positions<N>(position, rows, count, [&](const auto& index_of) {
        for (std::int64_t row = 0; row < rows; ++row)
            for (std::int64_t i = 0; i < count; ++i) {
                const foldwise::index<N> got = index_of(row, i), want = position.at<N>(row, i);
                for (int axis = 0; axis < N; ++axis)
                    ASSERT_EQ(got[axis], want[axis]) << row << ' ' << i << " along " << axis;
            }
    });
}

}  // namespace

TEST(Positions, AreStraightWithinAnAxis) {
    const std::array<std::int64_t, 2> shape{5, 7};
    EXPECT_TRUE(is_straight<2>({0, 1, 7, shape.data()}, 5, 7));
    EXPECT_TRUE(is_straight<2>({16, 1, 7, shape.data()}, 3, 5));
    EXPECT_TRUE(is_straight<2>({3, 7, 1, shape.data()}, 4, 5));
    EXPECT_TRUE(is_straight<2>({34, 0, 0, shape.data()}, 3, 9));
    EXPECT_TRUE(is_straight<2>({34, 99, 99, shape.data()}, 1, 1));
}

TEST(Positions, AreNotStraightFromAxisToAxis) {
    const std::array<std::int64_t, 2> shape{5, 7};
    EXPECT_FALSE(is_straight<2>({0, 1, 0, shape.data()}, 1, 8));
    EXPECT_FALSE(is_straight<2>({16, 1, 7, shape.data()}, 3, 6));
    EXPECT_FALSE(is_straight<2>({3, 7, 1, shape.data()}, 5, 5));
    EXPECT_FALSE(is_straight<2>({0, 2, 7, shape.data()}, 5, 3));
    EXPECT_FALSE(is_straight<2>({20, -1, 0, shape.data()}, 1, 3));
    EXPECT_FALSE(is_straight<2>({14, 1, -7, shape.data()}, 2, 3));
}

TEST(Positions, AreThoseOfTheDivision) {
    std::mt19937 random(2911);
    const auto draw = [&](int most) { return std::uniform_int_distribution<std::int64_t>(0, most)(random); };
    int straight = 0;
    for (int trial = 0; trial < 2000; ++trial) {
        const std::array<std::int64_t, 3> shape{1 + draw(5), 1 + draw(5), 1 + draw(5)};
        const std::array<std::int64_t, 4> steps{0, 1, shape[2], shape[1] * shape[2]};
        const std::int64_t size = shape[0] * shape[1] * shape[2];
        const fold_position position{draw(static_cast<int>(size) - 1), steps[static_cast<std::size_t>(draw(3))],
                                     steps[static_cast<std::size_t>(draw(3))], shape.data()};
        std::int64_t rows = 1 + draw(4), count = 1 + draw(7);
        while (position.first + (rows - 1) * position.row_step + (count - 1) * position.step >= size)
            --(rows > 1 ? rows : count);
        straight += is_straight<3>(position, rows, count);
        expect_same_indices<3>(position, rows, count);
    }
    EXPECT_GT(straight, 500);
    EXPECT_LT(straight, 1900);
}
