// tests/unit/runtime/forall/vector_grid_test.cpp: grids of vectors, in which every task is in exactly one vector.
#include "forall/vector_grid.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <vector>

namespace {

using foldwise::detail::forall_argument;
using foldwise::detail::forall_call;
using foldwise::detail::forall_code;
using foldwise::detail::forall_parameter;
using foldwise::detail::vector_grid;

template <int N> using extents = std::array<std::int64_t, N>;

/// A call of a `vectors` kernel whose tasks write one view, in the order of the index, and read another one.
template <int N> struct vectors_call {
    int order[N];
    forall_parameter parameters[2] = {};
    forall_argument arguments[2] = {};
    extents<N> tasks;
    forall_code code{};
    forall_call call{};

    /// The view that is read has its axes in the order `read`, outermost first.
    vectors_call(const extents<N>& given, const std::array<int, N>& read, std::uint32_t size) : tasks(given) {
        std::array<int, N> written;
        for (int axis = 0; axis < N; ++axis) order[axis] = written[static_cast<std::size_t>(axis)] = axis;
        lie(arguments[0], read);
        lie(arguments[1], written);
        for (forall_parameter& parameter : parameters) {
            parameter.size = size;
            parameter.rank = N;
            parameter.moves = order;
        }
        parameters[0].reads = parameters[1].writes = true;
        code.width = static_cast<int>(16 / size);
        call.tasks = tasks.data();
        call.order = order;
        call.across_order = read[N - 1] == N - 1 ? -1 : read[N - 1];
        call.arguments = arguments;
        call.parameters = parameters;
        call.parameter_count = 2;
        call.count = 1;
        for (std::int64_t extent : tasks) call.count *= extent;
    }
    std::optional<vector_grid<N>> grid() const { return foldwise::detail::vector_grid_of<N>(code, call, 256, true); }

  private:
    void lie(forall_argument& view, const std::array<int, N>& axes) {
        std::int64_t stride = 1;
        for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) {
            view.strides[*axis] = stride;
            view.extents[*axis] = tasks[static_cast<std::size_t>(*axis)];
            stride *= view.extents[*axis];
        }
    }
};

/// Every task is in one vector of a thread, as `vectors` kernels find them. Returns the grid.
template <int Size, int N>
vector_grid<N> expect_each_in_one_vector(const extents<N>& tasks, const std::array<int, N>& read) {
    constexpr int width = 16 / Size;
    const vectors_call<N> made(tasks, read, Size);
    const auto grid = made.grid();
    EXPECT_TRUE(grid);
    if (!grid) return {};
    std::vector<int> seen(static_cast<std::size_t>(made.call.count));
    const unsigned threads = 256 * foldwise::detail::blocks_of(*grid, width, 256);
    unsigned idle = 0;
    for (unsigned thread = 0; thread < threads; ++thread) {
        std::int32_t at[N];
        const int exist = grid->template place_vector<width>(thread, at);
        idle += exist == 0;
        std::int64_t number = 0;
        for (int axis = 0; axis < N; ++axis) number = number * tasks[static_cast<std::size_t>(axis)] + at[axis];
        EXPECT_TRUE(exist == 0 || number % width == 0) << "vectors begin where those of the whole array do";
        for (int k = 0; k < exist; ++k) ++seen.at(static_cast<std::size_t>(number + k));
    }
    EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), made.call.count);
    EXPECT_LE(idle, threads / 4 + 255);
    return *grid;
}

TEST(TaskGrid, VectorsFollowOneAnotherInRowMajorOrder) {
    EXPECT_EQ((expect_each_in_one_vector<4, 1>({100000}, {0})).strips.rows, 0u);
    EXPECT_EQ((expect_each_in_one_vector<1, 2>({1000, 37}, {0, 1})).strips.rows, 0u);
    EXPECT_EQ((expect_each_in_one_vector<4, 2>({5000, 3}, {1, 0})).strips.rows, 0u) << "a block reads whole sectors";
    EXPECT_EQ((expect_each_in_one_vector<4, 2>({16000, 31}, {1, 0})).strips.rows, 0u);
}

TEST(TaskGrid, VectorsOfFewRowsAreNumberedByStrips) {
    for (std::int64_t columns : {133, 700, 1025, 4000}) {
        EXPECT_EQ((expect_each_in_one_vector<4, 2>({3, columns}, {1, 0})).strips.rows, 3u) << columns;
        EXPECT_EQ((expect_each_in_one_vector<2, 2>({31, columns}, {1, 0})).strips.rows, 31u) << columns;
        EXPECT_EQ((expect_each_in_one_vector<4, 3>({11, 4, columns}, {0, 2, 1})).strips.rows, 44u) << columns;
        EXPECT_EQ((expect_each_in_one_vector<1, 3>({2, 9, columns}, {1, 2, 0})).strips.rows % 2, 0u) << columns;
    }
    // Two strips of two vectors in each of three rows.
    const vectors_call<2> made({3, 4000}, {1, 0}, 4);
    const auto grid = made.grid();
    ASSERT_TRUE(grid);
    const auto per_strip = static_cast<unsigned>(1 << grid->strips.width_log2);
    for (unsigned strip = 0; strip < 9; ++strip) {
        std::int32_t at[2];
        EXPECT_EQ(grid->place_vector<4>(strip * per_strip + 1, at), 4);
        EXPECT_EQ(at[0], static_cast<std::int32_t>(strip % 3));
        EXPECT_EQ(at[1], static_cast<std::int32_t>(4 * (strip / 3 * per_strip + 1)));
    }
}

// The last axis is short, but tasks whose elements are neighbours are far apart, with two axes between them.
TEST(TaskGrid, VectorsOfShortRowsAreNumberedByStripsIfTheirNeighboursAreFar) {
    const vector_grid<4> grid = expect_each_in_one_vector<2, 4>({12, 4, 4737, 2}, {3, 2, 1, 0});
    EXPECT_EQ(grid.strips.rows, 48u);
    EXPECT_EQ(grid.strips.row_tasks, 2u * 4737);
    EXPECT_EQ((expect_each_in_one_vector<8, 4>({5, 3, 777, 3}, {3, 2, 1, 0})).strips.rows, 15u);
    EXPECT_EQ((expect_each_in_one_vector<1, 4>({7, 3, 777, 5}, {3, 2, 1, 0})).strips.rows, 21u);
    // Neighbours are six rows of each of 607 planes of the array that is read, which are far apart in the written one.
    const vector_grid<3> planes = expect_each_in_one_vector<1, 3>({6, 607, 1602}, {2, 1, 0});
    EXPECT_EQ(planes.strips.rows, 6u * 607);
    EXPECT_EQ(planes.strips.parts.divisor, 6u);
    EXPECT_EQ(planes.strips.part_rows, 607u);
}

// More tasks than 31 bits count in products with a padded number of rows.
TEST(TaskGrid, StripsEndWithTheLastRow) {
    const std::int64_t columns = (std::int64_t{1} << 30) - 3;
    const vectors_call<2> made({2, columns}, {1, 0}, 1);
    const auto grid = made.grid();
    ASSERT_TRUE(grid);
    ASSERT_EQ(grid->strips.rows, 2u);
    const unsigned threads = 256 * foldwise::detail::blocks_of(*grid, 16, 256);
    std::int64_t tasks = 0;
    for (unsigned thread = threads - 4096; thread < threads; ++thread) {
        std::int32_t at[2];
        const int exist = grid->place_vector<16>(thread, at);
        if (exist > 0) {
            ASSERT_LT(at[0], 2);
            ASSERT_LT(at[1], columns);
        }
        tasks += exist;
    }
    EXPECT_GT(tasks, 4096 * 15);
}

TEST(TaskGrid, VectorsAreInTheOrderOfWhatIsWritten) {
    const extents<3> tasks = {40, 500, 3};
    vectors_call<3> made(tasks, {0, 1, 2}, 4);
    const int order[] = {2, 0, 1};
    made.call.order = order;
    made.call.across_order = 2;
    const auto grid = made.grid();
    ASSERT_TRUE(grid);
    EXPECT_EQ(std::vector(grid->extents, grid->extents + 3), (std::vector<std::int64_t>{3, 40, 500}));
    EXPECT_EQ(grid->strips.rows, 3u);
    EXPECT_EQ(grid->strips.row_tasks, 20000u);
}

}  // namespace
